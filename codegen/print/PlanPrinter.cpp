#include "codegen/print/PlanPrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <set>

namespace stencilc {

PlanPrinter::PlanPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                         std::vector<std::string> pointers, llvm::ArrayRef<std::string> uniforms,
                         const LaunchFunctions *functions, ExpressionPrinter &expressions)
    : program(program), signature(program.signature), kernels(kernels),
      pointers(std::move(pointers)), uniforms(uniforms), functions(functions),
      expressions(expressions), hasOneKind(program.plan.passes.size() == 1) {}

// ---- launches ---------------------------------------------------------------------------------

std::string PlanPrinter::corner(llvm::ArrayRef<Index> indices) {
  std::vector<std::string> texts;
  for (const Index &index : indices)
    texts.push_back(expressions.index(index));
  return "{" + llvm::join(texts, ", ") + "}";
}

/// In parentheses, if it is a sum.
std::string PlanPrinter::factor(const Index &index) {
  const std::string text = expressions.index(index);
  return llvm::StringRef(text).contains(' ') ? "(" + text + ")" : text;
}

std::string PlanPrinter::elementsOf(const Buffer &list) {
  std::vector<std::string> factors;
  for (const Index &length : list.lengths)
    factors.push_back(factor(length));
  return llvm::join(factors, " * ");
}

/// What integer arguments are given, of those that are not of the box.
std::vector<std::string> PlanPrinter::numbers(const Launch &launch) {
  std::vector<std::string> texts;
  for (const IntegerBinding &binding : launch.integers)
    texts.push_back(std::visit(
        llvm::makeVisitor(
            [](const FirstOf &) { return std::string(); },
            [](const EndOf &) { return std::string(); },
            [&](const WholeParam &node) { return "args->" + signature.params[node.param].name; },
            [](const StepNumber &node) {
              return "state.step" + (node.offset ? fmt::format(" + {}", node.offset) : "");
            },
            [&](const ElementsOf &node) { return elementsOf(program.buffers[node.buffer]); }),
        binding));
  return texts;
}

std::string PlanPrinter::deviceLaunch(const Launch &launch, size_t indent) {
  const LaunchFunctions::Function &function = functions->of(launch);
  const auto corners = [&](const auto &indices) {
    return corner(llvm::ArrayRef<Index>(indices).take_front(signature.rank()));
  };
  std::vector<std::string> arguments;
  if (function.takesGrid)
    arguments.push_back("state");
  if (function.takesRoom)
    arguments.push_back("room");
  arguments.push_back("{" + corners(launch.cover.begin) + ", " + corners(launch.cover.end) + "}");
  for (unsigned buffer : launch.buffers)
    arguments.push_back(pointers[buffer]);
  for (const auto &[binding, text, isUsed] :
       llvm::zip_equal(launch.integers, numbers(launch), kernels[launch.kernel].integers))
    if (isUsed && !isOfBox(binding))
      arguments.push_back(text);
  for (unsigned uniform : program.kernels[launch.kernel].uniforms)
    arguments.push_back(uniforms[uniform]);
  arguments.push_back("stream");
  return layOutList("launched &= " + function.name + "(", arguments, ");", indent);
}

std::string PlanPrinter::hostCall(const Launch &launch, size_t indent) {
  std::vector<std::string> arrays, scalars, first, end;
  for (unsigned buffer : launch.buffers)
    arrays.push_back(pointers[buffer]);
  for (unsigned uniform : program.kernels[launch.kernel].uniforms)
    scalars.push_back(uniforms[uniform]);
  for (unsigned axis = 0; axis < signature.rank(); ++axis) {
    first.push_back(expressions.index(launch.cover.begin[axis]));
    end.push_back(expressions.index(launch.cover.end[axis]));
  }
  return layOutList(program.kernels[launch.kernel].name + "(",
                    kernelArguments(program, launch, kernels[launch.kernel],
                                    {arrays, scalars, first, end, kGridOfRun, numbers(launch)}),
                    ");", indent);
}

std::string PlanPrinter::launch(const Launch &launch, size_t indent) {
  return (launch.comment.empty() ? "" : comment("// ", launch.comment, indent)) +
         (functions ? deviceLaunch(launch, indent) : hostCall(launch, indent));
}

// ---- names and conditions ---------------------------------------------------------------------

/// A permutation, one cycle after another, each by swaps along it.
std::string PlanPrinter::rename(const Rename &rename, size_t indent) {
  std::map<unsigned, unsigned> memoryOf(rename.pairs.begin(), rename.pairs.end());
  std::string out;
  for (const auto &[first, second] : rename.pairs)
    for (unsigned name = first; memoryOf.count(name);) {
      const unsigned next = memoryOf.at(name);
      memoryOf.erase(name);
      if (memoryOf.count(next))
        out += fmt::format("{}swap({}, {});\n", std::string(indent, ' '), pointers[name],
                           pointers[next]);
      name = next;
    }
  return out;
}

std::string PlanPrinter::isAligned(const Aligned &aligned) {
  std::vector<std::string> parts;
  std::set<std::string> strides;
  for (unsigned number : aligned.buffers) {
    const Buffer &buffer = program.buffers[number];
    const std::string element =
        aligned.at == 0 ? pointers[number] : fmt::format("({} + {})", pointers[number], aligned.at);
    parts.push_back(
        fmt::format("reinterpret_cast<uintptr_t>({}) % {} == 0", element, aligned.bytes));
    for (unsigned position = 0; position + 1 < buffer.axes.size(); ++position) {
      const std::string stride = fmt::format(
          "{} % {} == 0", expressions.pitch(buffer.layout, buffer.axes, buffer.ghost, position),
          aligned.bytes / sizeInBytes(buffer.type));
      if (strides.insert(stride).second)
        parts.push_back(stride);
    }
  }
  return llvm::join(parts, std::string(" &&") + kBreak);
}

/// Until the end of the run, `args` keeps the caller's pointers.
std::string PlanPrinter::isAway(const Away &away) {
  const Buffer &shape = program.buffers[away.buffer];
  std::vector<std::string> parts;
  for (const Buffer &buffer : program.buffers)
    if (std::holds_alternative<CallerMemory>(buffer.owner) && buffer.type == shape.type &&
        buffer.axes == shape.axes && buffer.ghost == shape.ghost)
      parts.push_back(fmt::format("{} != args->{}", pointers[away.buffer], buffer.name));
  return llvm::join(parts, std::string(" &&") + kBreak);
}

std::string PlanPrinter::condition(const Condition &condition) {
  return std::visit(
      llvm::makeVisitor(
          [&](const FirstPasses &node) {
            asksForPass = true;
            const llvm::StringRef pass = hasOneKind ? "step" : "pass";
            return node.count == 1 ? fmt::format("{} == 0", pass.str())
                                   : fmt::format("{} < {}", pass.str(), node.count);
          },
          [&](const Aligned &node) { return isAligned(node); },
          [&](const Away &node) { return isAway(node); },
          [&](const Wanted &node) { return pointers[node.buffer] + " != nullptr"; },
          [&](const HasPoints &) {
            std::vector<std::string> parts;
            for (const std::string &axis : signature.axes)
              parts.push_back("n" + axis + " != 0");
            return llvm::join(parts, std::string(" &&") + kBreak);
          },
          [&](const WholePieces &node) {
            std::vector<std::string> parts;
            for (const WholePieces::Along &along : node.axes) {
              if (along.each != 1)
                parts.push_back(fmt::format("{} % {} == 0", factor(along.points), along.each));
              if (along.least > 0)
                parts.push_back(fmt::format("{} >= {}", factor(along.points), along.least));
            }
            return llvm::join(parts, std::string(" &&") + kBreak);
          },
          [&](const ShortAddresses &) {
            const std::string points = factor(add(extent(0), mostGhostPlanes(program.buffers)));
            std::vector<std::string> parts;
            for (const Layout layout : {Layout::Strided, Layout::Rows})
              if (llvm::any_of(program.buffers, [&](const Buffer &buffer) {
                    return buffer.layout == layout && !buffer.axes.empty();
                  }))
                parts.push_back(
                    fmt::format("{} * {} <= kMaxShort", points, expressions.strideName(layout, 0)));
            return llvm::join(parts, std::string(" &&") + kBreak);
          }),
      condition);
}

std::string PlanPrinter::when(const When &when, size_t indent) {
  const std::string margin(indent, ' '), otherwise = actions(when.otherwise, indent + 2);
  // Conditions that have the same otherwise are one.
  const Actions *then = &when.then;
  std::string all = condition(when.condition);
  while (const When *inner = then->size() == 1 ? std::get_if<When>(&then->front().node) : nullptr) {
    if (otherwise.empty() || actions(inner->otherwise, indent + 2) != otherwise)
      break;
    all += std::string(" &&") + kBreak + condition(inner->condition);
    then = &inner->then;
  }
  std::string out = layOutCondition("if (", all, ") {", indent);
  out += actions(*then, indent + 2);
  if (!otherwise.empty())
    out += margin + "} else {\n" + otherwise;
  return out + margin + "}\n";
}

// ---- lists ------------------------------------------------------------------------------------

std::string PlanPrinter::actions(const Actions &actions, size_t indent) {
  std::string out;
  for (const Action &action : actions)
    out += std::visit(llvm::makeVisitor([&](const Launch &node) { return launch(node, indent); },
                                        [&](const Rename &node) { return rename(node, indent); },
                                        [&](const When &node) { return when(node, indent); }),
                      action.node);
  return out;
}

static bool launches(const Actions &actions) {
  bool found = false;
  forEachLaunch(actions, [&](const Launch &) { found = true; });
  return found;
}

static bool launches(const Action &action) { return launches(Actions{action}); }

std::string PlanPrinter::checked(const Actions &list, size_t indent) {
  if (!functions || !launches(list))
    return actions(list, indent);
  // What follows the last launch cannot fail.
  const auto rest = std::find_if(list.rbegin(), list.rend(), [](const Action &action) {
                      return launches({action});
                    }).base();
  const std::string margin(indent, ' ');
  return margin + "bool launched = true;\n" + actions(Actions(list.begin(), rest), indent) +
         fmt::format("{}if (!launched) return {};\n", margin, statusName(signature, "LAUNCH")) +
         actions(Actions(rest, list.end()), indent);
}

std::string PlanPrinter::body(const Pass &pass) {
  const std::string out = checked(pass.actions, 4);
  if (!signature.countsSteps)
    return out;
  return out + (pass.steps == 1 ? std::string("    ++state.step;\n")
                                : fmt::format("    state.step += {};\n", pass.steps));
}

/// The condition that the grid is one on which the pass is performed.
std::string PlanPrinter::isLongEnough(const Pass &pass) {
  std::string out;
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (pass.minimumExtent[axis] > 0)
      out += fmt::format(" && {} >= {}", expressions.index(extent(axis)), pass.minimumExtent[axis]);
  return out;
}

std::string PlanPrinter::passes() {
  if (hasOneKind)
    return "  for (int64_t step = 0; step < steps; ++step) {\n" +
           body(program.plan.passes.front()) + "  }\n";
  std::vector<std::string> bodies;
  for (const Pass &pass : program.plan.passes)
    bodies.push_back(body(pass));
  const llvm::StringRef another = asksForPass ? ", ++pass" : "";
  std::string out;
  for (const auto &[pass, body] : llvm::zip_equal(program.plan.passes, bodies)) {
    out += pass.steps == 1 ? fmt::format("  for (; step < steps{}; ++step{}) {{\n",
                                         isLongEnough(pass), another.str())
                           : fmt::format("  for (; steps - step >= {0}{2}; step += {0}{1}) {{\n",
                                         pass.steps, another.str(), isLongEnough(pass));
    out += body + "  }\n";
  }
  return out;
}

std::string PlanPrinter::print(const CommentedLine &state) {
  const auto block = [&](const Actions &list) {
    if (list.empty())
      return std::string();
    // A block of its own for what it declares.
    const bool declares = functions && launches(list);
    return declares ? "  {\n" + checked(list, 4) + "  }\n" : checked(list, 2);
  };
  const std::string before = block(program.plan.prologue), steady = passes();
  std::vector<CommentedLine> lines = {state};
  std::string out;
  if (!before.empty()) {
    out += alignComments(lines) + before;
    lines.clear();
  }
  if (!hasOneKind)
    lines.push_back(
        {asksForPass ? "  int64_t step = 0, pass = 0;" : "  int64_t step = 0;", "// made so far"});
  return out + alignComments(lines) + steady + block(program.plan.epilogue);
}

} // namespace stencilc
