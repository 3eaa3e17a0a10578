// The `--emit=kernel` text of buffers and plan.
#include "ir/kernel/Program.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

namespace stencilc {
namespace {

class PlanText {
public:
  PlanText(llvm::raw_ostream &out, const Program &program)
      : out(out), program(program), axes(program.signature.axes) {}

  void print() {
    out << "buffers\n";
    for (const Buffer &buffer : program.buffers)
      print(buffer);
    out << "plan\n";
    printList("before the first pass", program.plan.prologue);
    for (const Pass &pass : program.plan.passes) {
      out << fmt::format("  pass of {} {}\n", pass.steps, pass.steps == 1 ? "step" : "steps");
      for (unsigned axis = 0; axis < axes.size(); ++axis)
        if (pass.minimumExtent[axis] > 0)
          out << fmt::format("    only if n{} >= {}\n", axes[axis], pass.minimumExtent[axis]);
      for (const Owed &owed : pass.owed)
        print(owed);
      print(pass.actions, 4);
    }
    printList("after the last pass", program.plan.epilogue);
  }

private:
  const std::string &name(unsigned buffer) const { return program.buffers[buffer].name; }

  void print(const Buffer &buffer) {
    std::vector<std::string> ranges;
    for (unsigned axis : buffer.axes) {
      const auto [low, high] = buffer.ghost[axis];
      ranges.push_back(axes[axis] + (low || high ? fmt::format(" -{}+{}", low, high) : ""));
    }
    if (buffer.isOverTime)
      ranges.push_back("step");
    for (const Index &length : buffer.lengths)
      ranges.push_back(toString(length, program.signature));
    const llvm::StringRef owner =
        std::visit(llvm::makeVisitor(
                       [](const CallerMemory &) { return llvm::StringRef("of the caller"); },
                       [](const CallerResult &) { return llvm::StringRef("a result"); },
                       [](const WorkspaceMemory &) { return llvm::StringRef("of the workspace"); }),
                   buffer.owner);
    out << fmt::format("  {} {}[{}], {}{}\n", spelling(buffer.type).str(), buffer.name,
                       fmt::join(ranges, ", "), owner.str(),
                       buffer.layout == Layout::Dense  ? ", dense"
                       : buffer.layout == Layout::Rows ? ", in rows"
                                                       : "");
  }

  void print(const Owed &owed) {
    for (const PointBox &box : owed.boxes) {
      std::vector<std::string> ranges;
      for (unsigned axis = 0; axis < axes.size(); ++axis)
        ranges.push_back(fmt::format("{} from {} below {}", axes[axis],
                                     toString(box.begin[axis], program.signature),
                                     toString(box.end[axis], program.signature)));
      out << fmt::format("    owes {}: {}\n", name(owed.buffer), fmt::join(ranges, ", "));
    }
  }

  void printList(llvm::StringRef when, const Actions &actions) {
    if (actions.empty())
      return;
    out << "  " << when << "\n";
    print(actions, 4);
  }

  void print(const Actions &actions, unsigned depth) {
    for (const Action &action : actions)
      std::visit([&](const auto &node) { print(node, depth); }, action.node);
  }

  void print(const Launch &launch, unsigned depth) {
    const Kernel &kernel = program.kernels[launch.kernel];
    std::vector<std::string> arrays;
    for (auto [argument, buffer] : llvm::zip_equal(kernel.arrays, launch.buffers))
      arrays.push_back(fmt::format("{}: {}", argument.name, name(buffer)));
    if (!launch.comment.empty())
      out.indent(depth) << "// " << launch.comment << "\n";
    out.indent(depth) << fmt::format("launch {}({})\n", kernel.name, fmt::join(arrays, ", "));
    for (unsigned axis = 0; axis < axes.size(); ++axis) {
      out.indent(depth + 2) << fmt::format("{} from {} below {}", axes[axis],
                                           toString(launch.cover.begin[axis], program.signature),
                                           toString(launch.cover.end[axis], program.signature));
      if (kernel.target == Target::Device)
        out << " by " << launch.cover.points[axis];
      for (auto [integer, binding] : llvm::zip_equal(kernel.integers, launch.integers))
        printBinding(integer.name, binding, axis);
      out << "\n";
    }
    for (auto [integer, binding] : llvm::zip_equal(kernel.integers, launch.integers))
      printNumber(integer.name, binding, depth + 2);
    if (launch.cover.alignTo)
      out.indent(depth + 2) << "aligned to a line of " << kernel.arrays[*launch.cover.alignTo].name
                            << "\n";
  }

  void printBinding(llvm::StringRef name, const IntegerBinding &binding, unsigned axis) {
    std::visit(llvm::makeVisitor(
                   [&](const FirstOf &node) {
                     if (node.axis == axis)
                       out << ", first as " << name;
                   },
                   [&](const EndOf &node) {
                     if (node.axis == axis)
                       out << ", end as " << name;
                   },
                   [](const WholeParam &) {}, [](const StepNumber &) {}, [](const ElementsOf &) {}),
               binding);
  }

  /// What belongs to no axis.
  void printNumber(llvm::StringRef name, const IntegerBinding &binding, unsigned depth) {
    const std::string number = std::visit(
        llvm::makeVisitor(
            [](const FirstOf &) { return std::string(); },
            [](const EndOf &) { return std::string(); },
            [&](const WholeParam &node) {
              return "param " + program.signature.params[node.param].name;
            },
            [](const StepNumber &node) {
              return "step" + (node.offset ? fmt::format(" + {}", node.offset) : std::string());
            },
            [&](const ElementsOf &node) { return "elements of " + this->name(node.buffer); }),
        binding);
    if (!number.empty())
      out.indent(depth) << number << " as " << name << "\n";
  }

  void print(const Rename &rename, unsigned depth) {
    std::vector<std::string> pairs;
    for (auto [first, second] : rename.pairs)
      pairs.push_back(name(first) + " = " + name(second));
    out.indent(depth) << fmt::format("rename {}\n", fmt::join(pairs, ", "));
  }

  void print(const When &when, unsigned depth) {
    out.indent(depth) << "when " << text(when.condition) << "\n";
    print(when.then, depth + 2);
    if (when.otherwise.empty())
      return;
    out.indent(depth) << "otherwise\n";
    print(when.otherwise, depth + 2);
  }

  std::string text(const Condition &condition) {
    return std::visit(
        llvm::makeVisitor(
            [](const FirstPasses &node) {
              return node.count == 1 ? std::string("in the first pass")
                                     : fmt::format("in the first {} passes", node.count);
            },
            [&](const Aligned &node) {
              std::vector<std::string> names;
              for (unsigned buffer : node.buffers)
                names.push_back(name(buffer));
              return fmt::format("rows of {} start {} bytes at {}", fmt::join(names, ", "),
                                 node.bytes, node.at);
            },
            [&](const Wanted &node) { return name(node.buffer) + " is wanted"; },
            [](const HasPoints &) { return std::string("the grid has points"); },
            [&](const WholePieces &node) {
              std::vector<std::string> parts;
              for (const WholePieces::Along &along : node.axes) {
                const std::string points = toString(along.points, program.signature);
                if (along.each != 1)
                  parts.push_back(fmt::format("{} is a multiple of {}", points, along.each));
                if (along.least > 0)
                  parts.push_back(fmt::format("{} is at least {}", points, along.least));
              }
              return fmt::format("{}", fmt::join(parts, " and "));
            },
            [](const ShortAddresses &) { return std::string("addresses are short"); },
            [&](const Away &node) { return name(node.buffer) + " is in the workspace"; }),
        condition);
  }

  llvm::raw_ostream &out;
  const Program &program;
  const std::vector<std::string> &axes;
};

} // namespace

void printPlan(llvm::raw_ostream &out, const Program &program) { PlanText(out, program).print(); }

} // namespace stencilc
