#include "codegen/print/LauncherPrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/Layout.h"
#include "codegen/print/PlanPrinter.h"
#include "codegen/print/RunUniforms.h"
#include "codegen/print/WorkspacePrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {
namespace {

class RunPrinter {
public:
  RunPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels, const FileNames &file,
             FloatMode mode, HelperSet &helpers);

  PrintedLauncher print();

private:
  const Program &program;
  const Signature &signature;
  llvm::ArrayRef<PrintedKernel> kernels;
  const unsigned rank;
  const FileNames &file;
  const WorkspacePrinter workspace;
  RunUniforms uniforms;
  ExpressionPrinter expressions;
  std::optional<LaunchFunctions> functions; ///< on the device

  LeafNames leafNames() const;
  std::string nameEdges();
  std::vector<std::string> pointers() const;
};

RunPrinter::RunPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                       const FileNames &file, FloatMode mode, HelperSet &helpers)
    : program(program), signature(program.signature), kernels(kernels), rank(signature.rank()),
      file(file), workspace(program), uniforms(program),
      expressions(Target::Host, mode, rank, leafNames(), helpers) {
  if (program.target == Target::Device)
    functions.emplace(program, kernels, file, helpers);
}

LeafNames RunPrinter::leafNames() const {
  LeafNames leaves;
  nameGrid(leaves, signature.axes, kGridOfRun);
  for (const SignatureParam &param : signature.params)
    leaves.params.push_back("args->" + param.name);
  leaves.uniforms = uniforms.names;
  leaves.numbers = file.numbers;
  return leaves;
}

/// True of more than an extent and a constant: the least or the greatest of two, a whole number of
/// pieces.
static bool isLong(const Index &edge) {
  bool isLong = std::holds_alternative<IndexMin>(edge->node) ||
                std::holds_alternative<IndexMax>(edge->node) ||
                std::holds_alternative<IndexQuotient>(edge->node);
  forEachOperand(*edge, [&](const Index &operand) { isLong |= stencilc::isLong(operand); });
  return isLong;
}

/// Names such edges of boxes: they come in several.
std::string RunPrinter::nameEdges() {
  std::string out;
  for (unsigned axis = 0; axis < rank; ++axis) {
    unsigned count = 0;
    const auto name = [&](const Index &edge) {
      if (!isLong(edge) || llvm::any_of(expressions.namedIndices, [&](const auto &named) {
            return equal(named.first, edge);
          }))
        return;
      const std::string text = expressions.index(edge);
      const std::string edgeName =
          uniforms.taken.fresh(fmt::format("edge_{}{}", signature.axes[axis], ++count));
      out += fmt::format("  const int64_t {} = {};\n", edgeName, text);
      expressions.namedIndices.push_back({edge, edgeName});
    };
    forEachLaunchOf(program.plan, [&](const Launch &launch) {
      // Kernels of the host have their box in their loops unless they take it.
      const bool isTaken = llvm::is_contained(launch.integers, IntegerBinding(FirstOf{axis}));
      if (program.target == Target::Device || isTaken) {
        name(launch.cover.begin[axis]);
        name(launch.cover.end[axis]);
      }
    });
  }
  if (out.empty())
    return out;
  return "\n  // Edges of boxes, moved in where the grid is too small for them.\n" + out;
}

/// What stands for each buffer: the caller's in a copy of the arguments.
std::vector<std::string> RunPrinter::pointers() const {
  std::vector<std::string> names;
  for (auto [number, buffer] : llvm::enumerate(program.buffers))
    names.push_back(
        std::visit(llvm::makeVisitor([&](const CallerMemory &) { return "state." + buffer.name; },
                                     [&](const CallerResult &) { return "state." + buffer.name; },
                                     [&](const WorkspaceMemory &) {
                                       return "room." + workspace.member(number).str();
                                     }),
                   buffer.owner));
  return names;
}

PrintedLauncher RunPrinter::print() {
  const bool isDevice = program.target == Target::Device;
  const auto status = [&](llvm::StringRef what) { return statusName(signature, what); };
  std::vector<std::string> extents, negatives, zeros;
  for (const std::string &axis : signature.axes) {
    extents.push_back(fmt::format("n{0} = args->n{0}", axis));
    negatives.push_back(fmt::format("n{} < 0", axis));
    zeros.push_back(fmt::format("n{} == 0", axis));
  }
  negatives.push_back("steps < 0");
  zeros.push_back("steps == 0");

  std::string out =
      layOutList(fmt::format("{} {}(", abiName(signature, "status"), abiName(signature, "run")),
                 {abiName(signature, "args") + " *args", "int64_t steps",
                  workspace.isNeeded() ? "void *workspace" : "void *",
                  workspace.isNeeded() ? "size_t workspace_bytes" : "size_t",
                  isDevice ? "void *stream" : "void *"},
                 ") {", 0);
  out += fmt::format("  if (args == nullptr) return {};\n", status("NULL"));
  out += fmt::format("  const int64_t {};\n", llvm::join(extents, ", "));
  out += fmt::format("  if ({}) return {};\n", llvm::join(negatives, " || "), status("EXTENT"));
  if (signature.results.empty())
    out += fmt::format("  if ({}) return {};\n", llvm::join(zeros, " || "), status("OK"));
  if (workspace.isNeeded())
    out += "  Workspace room = {};\n";
  std::vector<std::string> checked = {"*args"};
  if (signature.countsSteps)
    checked.push_back("steps");
  if (workspace.isNeeded())
    llvm::append_range(checked, std::vector{"workspace", "workspace_bytes", "&room"});
  const auto check = [&](size_t indent) {
    return layOutList("const " + abiName(signature, "status") + " status = check(", checked, ");",
                      indent) +
           fmt::format("{}if (status != {}) return status;\n", std::string(indent, ' '),
                       status("OK"));
  };
  if (signature.results.empty() || !file.extents.empty()) {
    out += check(2);
  } else {
    zeros.pop_back();
    out += layOutCondition("if (", llvm::join(zeros, std::string(" ||") + kBreak), ") {", 2);
    out += "    steps = 0;  // what is reduced is empty\n  } else {\n" + check(4) + "  }\n";
  }
  const std::string numbers = defineUniforms(program, uniforms, expressions);
  out += numbers;
  out += nameEdges();

  out += "\n" + PlanPrinter(program, kernels, pointers(), uniforms.names,
                            functions ? &*functions : nullptr, expressions)
                    .print({fmt::format("  {} state = *args;", abiName(signature, "args")),
                            renames(program.plan) ? "// its pointers change places after every step"
                                                  : ""});
  out += "  *args = state;\n";
  out += fmt::format("  return {};\n}}\n", status("OK"));
  return {functions ? functions->definitions() : "", out, expressions.callsFunctions,
          !numbers.empty()};
}

} // namespace

PrintedLauncher printLauncher(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                              const FileNames &file, FloatMode mode, HelperSet &helpers) {
  return RunPrinter(program, kernels, file, mode, helpers).print();
}

} // namespace stencilc
