#include "test/mutation/ProgramMutator.h"

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
  for (size_t number = 0; number < program.launches.size(); ++number)
    mutateLaunch(number);
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

void ProgramMutator::mutateLaunch(size_t number) {
  kernel = nullptr;
  Launch &launch = program.launches[number];
  where = fmt::format("launch {} ({})", number + 1, program.kernels[launch.kernel].name);

  std::vector<Launch> fewer = program.launches;
  fewer.erase(fewer.begin() + number);
  change("launch dropped", "it is dropped", program.launches, std::move(fewer));
  if (launch.when == LaunchWhen::FirstStep)
    change("wrong time", "every step instead of the first", launch.when, LaunchWhen::EveryStep);
  else
    change("wrong time", "the first step instead of every", launch.when, LaunchWhen::FirstStep);
  if (launch.alignTo)
    change("alignment dropped", "blocks start at the box", launch.alignTo,
           std::optional<unsigned>());
  mutateLaunchBox(launch);
  mutateArguments(launch);
}

void ProgramMutator::mutateLaunchBox(Launch &launch) {
  const std::vector<std::string> &axes = program.signature.axes;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    const bool isDevice = program.target == Target::Device;
    if (isDevice || launch.firstArgument[axis])
      mutateIndex(launch.begin[axis], /*shifts=*/true, " where " + axes[axis] + " begins");
    if (isDevice || launch.endArgument[axis])
      mutateIndex(launch.end[axis], /*shifts=*/true, " where " + axes[axis] + " ends");
    if (isDevice)
      for (int by : {1, -1})
        if (int &cover = launch.cover[axis]; cover + by >= 1)
          change("wrong cover",
                 fmt::format("a block advances {} along {}, not {}", cover + by, axes[axis], cover),
                 cover, cover + by);
    if (axis == 0)
      continue;
    for (auto *arguments : {&launch.firstArgument, &launch.endArgument})
      if ((*arguments)[axis] && (*arguments)[axis - 1]) {
        auto swapped = *arguments;
        std::swap(swapped[axis - 1], swapped[axis]);
        change("wrong bound",
               fmt::format("{} of {} and {} change places",
                           arguments == &launch.firstArgument ? "begin" : "end", axes[axis - 1],
                           axes[axis]),
               *arguments, swapped);
      }
  }
}

void ProgramMutator::mutateArguments(Launch &launch) {
  const std::vector<ArrayArgument> &arguments = program.kernels[launch.kernel].arrays;
  const std::vector<SignatureArray> &arrays = program.signature.arrays;
  // The audit keeps no history of const arrays: none may come where a kernel stores.
  auto fits = [&](const BufferRef &buffer, const ArrayArgument &argument) {
    return argument.access == Access::Read || arrays[buffer.array].isField;
  };
  for (size_t i = 0; i < launch.arrays.size(); ++i) {
    BufferRef &buffer = launch.arrays[i];
    if (arrays[buffer.array].hasNext) {
      const bool isTarget = buffer.role == BufferRole::Target;
      change("wrong buffer",
             fmt::format("{} is the {}", arguments[i].name, isTarget ? "source" : "target"),
             buffer.role, isTarget ? BufferRole::Source : BufferRole::Target);
    }
    for (size_t j = 0; j < i; ++j) {
      std::vector<BufferRef> swapped = launch.arrays;
      std::swap(swapped[i], swapped[j]);
      if (arguments[i].type == arguments[j].type && arguments[i].axes == arguments[j].axes &&
          fits(swapped[i], arguments[i]) && fits(swapped[j], arguments[j]))
        change("wrong buffer",
               fmt::format("{} and {} change places", arguments[j].name, arguments[i].name),
               launch.arrays, std::move(swapped));
    }
  }
}
