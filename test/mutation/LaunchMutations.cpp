#include "test/mutation/ProgramMutator.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;
using namespace stencilc::mutation;

std::vector<Mutation> mutation::mutationsOf(const Program &program) {
  return ProgramMutator(program).run();
}

std::vector<Mutation> ProgramMutator::run() {
  mutateSignature();
  for (Uniform &uniform : program.uniforms) {
    where = "uniform " + uniform.name;
    mutateValue(uniform.value, "");
  }
  mutateActions(program.plan.prologue);
  for (Pass &pass : program.plan.passes) {
    where = "pass";
    if (pass.steps > 1)
      for (int by : {1, -1})
        change("wrong time", fmt::format("{} steps count as {}", pass.steps, pass.steps + by),
               pass.steps, pass.steps + by);
    mutateActions(pass.actions);
  }
  mutateActions(program.plan.epilogue);
  for (Kernel &each : program.kernels) {
    kernel = &each;
    where = each.name;
    mutateDeclarations();
    walk(each.body);
  }
  return std::move(found);
}

void ProgramMutator::mutateSignature() {
  where = "program";
  for (unsigned axis = 0; axis < program.signature.rank(); ++axis) {
    int64_t &least = program.signature.minimumExtent[axis];
    for (int64_t by : {1, -1})
      if (least + by >= 0 && least > 0)
        change("least extent changed",
               fmt::format("n{} >= {} becomes {}", program.signature.axes[axis], least, least + by),
               least, least + by);
  }
}

// ---- kernels ----------------------------------------------------------------------------------

void ProgramMutator::mutateDeclarations() {
  if (kernel->target == Target::Device)
    for (unsigned axis = 0; axis < kernel->rank(); ++axis) {
      int &threads = kernel->block[dimensionOf(axis, kernel->rank())];
      for (int by : {1, -1})
        if (threads + by >= 1)
          change("wrong block shape",
                 fmt::format("{} threads along {} become {}", threads, kernel->axes[axis],
                             threads + by),
                 threads, threads + by);
    }
  for (ArrayArgument &array : kernel->arrays) {
    if (array.access != Access::Read)
      change("wrong path", array.name + " goes through the read-only path", array.readOnlyPath,
             true);
    change("wrong access", array.name + " is declared the other way", array.access,
           array.access == Access::Read ? Access::Write : Access::Read);
  }
  for (IntegerArgument &integer : kernel->integers) {
    if (integer.atLeast) {
      change("promise dropped", "the lower promise of " + integer.name, integer.atLeast, Index());
      change("promise shifted", "the lower promise of " + integer.name + " is one more",
             integer.atLeast, add(integer.atLeast, 1));
    }
    if (integer.atMost) {
      change("promise dropped", "the upper promise of " + integer.name, integer.atMost, Index());
      change("promise shifted", "the upper promise of " + integer.name + " is one less",
             integer.atMost, add(integer.atMost, -1));
    }
  }
}

// ---- launches ---------------------------------------------------------------------------------

void ProgramMutator::mutateActions(Actions &actions) {
  for (size_t position = 0; position < actions.size(); ++position)
    std::visit([&](auto &node) { mutateAction(node, actions, position); }, actions[position].node);
}

void ProgramMutator::mutateAction(Launch &launch, Actions &actions, size_t position) {
  kernel = nullptr;
  where = fmt::format("launch {} ({})", ++launchNumber, program.kernels[launch.kernel].name);
  Actions fewer = actions;
  fewer.erase(fewer.begin() + position);
  change("launch dropped", "it is dropped", actions, std::move(fewer));
  if (&actions == &program.plan.passes.back().actions)
    change("wrong time", "the first pass instead of every", actions[position],
           Action{When{FirstPasses{1}, {actions[position]}, {}}});
  if (launch.cover.alignTo)
    change("alignment dropped", "blocks start at the box", launch.cover.alignTo,
           std::optional<unsigned>());
  mutateLaunchBox(launch);
  mutateArguments(launch);
}

void ProgramMutator::mutateAction(Rename &rename, Actions &actions, size_t position) {
  where = "rename";
  Actions fewer = actions;
  fewer.erase(fewer.begin() + position);
  change("names kept", "it is dropped", actions, std::move(fewer));
  for (size_t pair = 0; pair < rename.pairs.size(); ++pair) {
    auto kept = rename.pairs;
    kept.erase(kept.begin() + pair);
    change("names kept", program.buffers[rename.pairs[pair].first].name + " keeps its memory",
           rename.pairs, std::move(kept));
  }
}

void ProgramMutator::mutateAction(When &when, Actions &, size_t) {
  where = "when";
  const Condition condition = when.condition;
  std::visit([&](const auto &node) { mutateCondition(node, when); }, condition);
  mutateActions(when.then);
  mutateActions(when.otherwise);
}

void ProgramMutator::mutateCondition(const FirstPasses &, When &when) {
  change("wrong time", "every pass instead of the first", when.condition,
         Condition{FirstPasses{1000}});
  change("wrong time", "no pass instead of the first", when.then, Actions{});
}

void ProgramMutator::mutateCondition(const Aligned &node, When &when) {
  const auto put = [&](std::string what, auto alter) {
    Aligned other = node;
    alter(other);
    change("wrong condition", what, when.condition, Condition{std::move(other)});
  };
  put(fmt::format("pieces of {} bytes, not {}", node.bytes / 2, node.bytes),
      [](Aligned &other) { other.bytes /= 2; });
  put("pieces start an element later", [](Aligned &other) { ++other.at; });
  for (size_t i = 0; i < node.buffers.size(); ++i)
    put(program.buffers[node.buffers[i]].name + " is not asked",
        [&](Aligned &other) { other.buffers.erase(other.buffers.begin() + i); });
  turnBranches(when);
}

void ProgramMutator::mutateCondition(const Away &, When &when) { turnBranches(when); }
void ProgramMutator::mutateCondition(const Wanted &, When &when) { turnBranches(when); }
void ProgramMutator::mutateCondition(const HasPoints &, When &when) { turnBranches(when); }

void ProgramMutator::mutateCondition(const ShortAddresses &, When &when) {
  change("wrong condition", "addresses may be long", when.condition, Condition{HasPoints{}});
  turnBranches(when);
}

void ProgramMutator::mutateCondition(const WholePieces &node, When &when) {
  for (size_t i = 0; i < node.axes.size(); ++i) {
    WholePieces other = node;
    other.axes.erase(other.axes.begin() + i);
    change("wrong condition",
           fmt::format("pieces along {} may stick out", program.signature.axes[node.axes[i].axis]),
           when.condition, Condition{std::move(other)});
    if (node.axes[i].least == 0 || node.axes[i].each == 1)
      continue;
    other = node;
    other.axes[i].least = 0;
    change("wrong condition",
           fmt::format("points along {} may be few", program.signature.axes[node.axes[i].axis]),
           when.condition, Condition{std::move(other)});
  }
  turnBranches(when);
}

void ProgramMutator::turnBranches(When &when) {
  change("wrong condition", "its two lists change places", when,
         When{when.condition, when.otherwise, when.then});
}

void ProgramMutator::mutateLaunchBox(Launch &launch) {
  const std::vector<std::string> &axes = program.signature.axes;
  const bool isDevice = program.target == Target::Device;
  const auto takes = [&](const IntegerBinding &binding) {
    return isDevice || llvm::is_contained(launch.integers, binding);
  };
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    if (takes(FirstOf{axis}))
      mutateIndex(launch.cover.begin[axis], /*shifts=*/true, " where " + axes[axis] + " begins");
    if (takes(EndOf{axis}))
      mutateIndex(launch.cover.end[axis], /*shifts=*/true, " where " + axes[axis] + " ends");
    if (isDevice)
      for (int by : {1, -1})
        if (int &points = launch.cover.points[axis]; points + by >= 1)
          change(
              "wrong cover",
              fmt::format("a block advances {} along {}, not {}", points + by, axes[axis], points),
              points, points + by);
    if (axis == 0)
      continue;
    for (const auto &[bound, before, own] :
         {std::tuple("begin", IntegerBinding(FirstOf{axis - 1}), IntegerBinding(FirstOf{axis})),
          std::tuple("end", IntegerBinding(EndOf{axis - 1}), IntegerBinding(EndOf{axis}))}) {
      std::vector<IntegerBinding> swapped = launch.integers;
      const auto left = llvm::find(swapped, before), right = llvm::find(swapped, own);
      if (left == swapped.end() || right == swapped.end())
        continue;
      std::swap(*left, *right);
      change("wrong bound",
             fmt::format("{} of {} and {} change places", bound, axes[axis - 1], axes[axis]),
             launch.integers, std::move(swapped));
    }
  }
}

void ProgramMutator::mutateArguments(Launch &launch) {
  const std::vector<ArrayArgument> &arguments = program.kernels[launch.kernel].arrays;
  const auto ofCaller = [&](unsigned buffer) {
    return std::get_if<CallerMemory>(&program.buffers[buffer].owner);
  };
  const auto arrayOf = [&](unsigned buffer) -> const SignatureArray & {
    return program.signature.arrays[ofCaller(buffer)->array];
  };
  // The audit keeps no history of const arrays: none may come where a kernel stores.
  auto fits = [&](unsigned buffer, const ArrayArgument &argument) {
    return argument.access == Access::Read || !ofCaller(buffer) || arrayOf(buffer).isField();
  };
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    unsigned &buffer = launch.buffers[i];
    if (ofCaller(buffer) && arrayOf(buffer).hasNext) {
      const unsigned array = ofCaller(buffer)->array, source = bufferOf(program.signature, array),
                     target = bufferOf(program.signature, array, TimeLevel::Next);
      const bool isTarget = buffer == target;
      change("wrong buffer",
             fmt::format("{} is the {}", arguments[i].name, isTarget ? "source" : "target"), buffer,
             isTarget ? source : target);
    }
    for (size_t j = 0; j < i; ++j) {
      std::vector<unsigned> swapped = launch.buffers;
      std::swap(swapped[i], swapped[j]);
      if (arguments[i].type == arguments[j].type && arguments[i].axes == arguments[j].axes &&
          fits(swapped[i], arguments[i]) && fits(swapped[j], arguments[j]))
        change("wrong buffer",
               fmt::format("{} and {} change places", arguments[j].name, arguments[i].name),
               launch.buffers, std::move(swapped));
    }
  }
}
