#include "codegen/print/LauncherPrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/LaunchFunctions.h"
#include "codegen/print/Layout.h"
#include "codegen/print/RunUniforms.h"

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
  RunUniforms uniforms;
  ExpressionPrinter expressions;
  std::optional<LaunchFunctions> functions; ///< on the device

  LeafNames leafNames() const;
  std::string nameEdges();
  std::string launches();
  std::string launchStatement(const Launch &launch, size_t indent);
  std::string hostCall(const Launch &launch, size_t indent);
  std::string rotation();
  std::string corner(llvm::ArrayRef<Index> indices);
};

RunPrinter::RunPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                       const FileNames &file, FloatMode mode, HelperSet &helpers)
    : program(program), signature(program.signature), kernels(kernels), rank(signature.rank()),
      uniforms(program), expressions(Target::Host, mode, rank, leafNames(), helpers) {
  if (program.target == Target::Device)
    functions.emplace(program, kernels, file, helpers);
}

LeafNames RunPrinter::leafNames() const {
  LeafNames leaves;
  nameGrid(leaves, signature.axes, "");
  for (const SignatureParam &param : signature.params)
    leaves.params.push_back("args->" + param.name);
  leaves.uniforms = uniforms.names;
  return leaves;
}

/// Names the edges of boxes that are more than an extent and a constant: they come in several.
std::string RunPrinter::nameEdges() {
  std::string out;
  for (unsigned axis = 0; axis < rank; ++axis) {
    unsigned count = 0;
    const auto name = [&](const Index &edge) {
      const bool isLimited = std::holds_alternative<IndexMin>(edge->node) ||
                             std::holds_alternative<IndexMax>(edge->node);
      if (!isLimited || llvm::any_of(expressions.namedIndices,
                                     [&](const auto &named) { return equal(named.first, edge); }))
        return;
      const std::string text = expressions.index(edge);
      const std::string edgeName =
          uniforms.taken.fresh(fmt::format("edge_{}{}", signature.axes[axis], ++count));
      out += fmt::format("  const int64_t {} = {};\n", edgeName, text);
      expressions.namedIndices.push_back({edge, edgeName});
    };
    for (const Launch &launch : program.launches)
      if (program.target == Target::Device || launch.firstArgument[axis]) {
        name(launch.begin[axis]);
        name(launch.end[axis]);
      }
  }
  if (out.empty())
    return out;
  return "\n  // Edges of boxes, moved in where the grid is too small for them.\n" + out;
}

std::string RunPrinter::corner(llvm::ArrayRef<Index> indices) {
  std::vector<std::string> texts;
  for (const Index &index : indices)
    texts.push_back(expressions.index(index));
  return "{" + llvm::join(texts, ", ") + "}";
}

std::string RunPrinter::launchStatement(const Launch &launch, size_t indent) {
  const LaunchFunctions::Function &function = functions->of(launch);
  const auto corners = [&](const auto &indices) {
    return corner(llvm::ArrayRef<Index>(indices).take_front(rank));
  };
  std::vector<std::string> arguments;
  if (function.takesGrid)
    arguments.push_back("state");
  arguments.push_back("{" + corners(launch.begin) + ", " + corners(launch.end) + "}");
  for (const BufferRef &buffer : launch.arrays)
    arguments.push_back("state." + bufferName(signature, buffer));
  for (unsigned uniform : program.kernels[launch.kernel].uniforms)
    arguments.push_back(uniforms.names[uniform]);
  arguments.push_back("stream");
  return layOutList("launched &= " + function.name + "(", arguments, ");", indent);
}

std::string RunPrinter::hostCall(const Launch &launch, size_t indent) {
  std::vector<std::string> arrays, scalars, first(rank), end(rank);
  for (const BufferRef &buffer : launch.arrays)
    arrays.push_back("state." + bufferName(signature, buffer));
  for (unsigned uniform : program.kernels[launch.kernel].uniforms)
    scalars.push_back(uniforms.names[uniform]);
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (launch.firstArgument[axis])
      first[axis] = expressions.index(launch.begin[axis]);
    if (launch.endArgument[axis])
      end[axis] = expressions.index(launch.end[axis]);
  }
  return layOutList(program.kernels[launch.kernel].name + "(",
                    kernelArguments(program, launch, kernels[launch.kernel],
                                    {arrays, scalars, first, end, "", "state."}),
                    ");", indent);
}

std::string RunPrinter::launches() {
  std::string out;
  bool isFirstStep = false;
  for (const Launch &launch : program.launches) {
    const bool first = launch.when == LaunchWhen::FirstStep;
    if (first && !isFirstStep)
      out += "    if (step == 0) {\n";
    if (!first && isFirstStep)
      out += "    }\n";
    isFirstStep = first;
    const size_t indent = first ? 6 : 4;
    if (!launch.comment.empty())
      out += comment("// ", launch.comment, indent);
    out += program.target == Target::Device ? launchStatement(launch, indent)
                                            : hostCall(launch, indent);
  }
  return out + (isFirstStep ? "    }\n" : "");
}

std::string RunPrinter::rotation() {
  std::string out;
  for (const SignatureArray &array : signature.arrays) {
    // Two swaps turn three buffers: newest, previous, oldest.
    if (array.hasNext)
      out += fmt::format("    swap(state.{0}, state.{0}_next);\n", array.name);
    if (array.hasPrevious)
      out += fmt::format("    swap(state.{0}{1}, state.{0}_prev);\n", array.name,
                         array.hasNext ? "_next" : "");
  }
  return out;
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
                 {abiName(signature, "args") + " *args", "int64_t steps", "void *", "size_t",
                  isDevice ? "void *stream" : "void *"},
                 ") {", 0);
  out += fmt::format("  if (args == nullptr) return {};\n", status("NULL"));
  out += fmt::format("  const int64_t {};\n", llvm::join(extents, ", "));
  out += fmt::format("  if ({}) return {};\n", llvm::join(negatives, " || "), status("EXTENT"));
  out += fmt::format("  if ({}) return {};\n", llvm::join(zeros, " || "), status("OK"));
  out += fmt::format("  const {} status = check(*args);\n", abiName(signature, "status"));
  out += fmt::format("  if (status != {0}) return status;\n", status("OK"));
  const std::string numbers = defineUniforms(program, uniforms, expressions);
  out += numbers;
  out += nameEdges();

  const std::string rotations = rotation();
  out += fmt::format("\n  {} state = *args;{}\n", abiName(signature, "args"),
                     rotations.empty() ? "" : "  // its pointers change places after every step");
  out += "  for (int64_t step = 0; step < steps; ++step) {\n";
  if (isDevice)
    out += "    bool launched = true;\n";
  out += launches();
  if (isDevice)
    out += fmt::format("    if (!launched) return {};\n", status("LAUNCH"));
  out += rotations;
  out += "  }\n  *args = state;\n";
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
