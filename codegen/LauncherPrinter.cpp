#include "codegen/LauncherPrinter.h"
#include "codegen/AbiNames.h"
#include "codegen/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

namespace stencilc {
namespace {

/// Launches that one function of the emitted text serves: same kernel, same way to cover a box.
bool sameFunction(const Launch &left, const Launch &right) {
  return left.kernel == right.kernel && left.cover == right.cover &&
         left.alignTo == right.alignTo && left.firstArgument == right.firstArgument &&
         left.endArgument == right.endArgument;
}

/// What a function that launches a kernel calls its variables.
struct FunctionNames {
  std::vector<std::string> arrays, uniforms; ///< the kernel's arguments
  std::string grid, box, stream, config, error, row;
  std::vector<std::string> first; ///< per axis

  FunctionNames(const Kernel &kernel, const Program &program) {
    UniqueNames names;
    for (const char *word : {"Box", "blocks", "ceil_div", "dim3", "kMaxBlocks", "past_line"})
      names.reserve(word);
    for (const ArrayArgument &array : kernel.arrays)
      arrays.push_back(names.fresh(array.name));
    for (unsigned uniform : kernel.uniforms)
      uniforms.push_back(names.fresh(program.uniforms[uniform].name));
    grid = names.fresh("grid");
    box = names.fresh("box");
    stream = names.fresh("stream");
    config = names.fresh("config");
    error = names.fresh("error");
    row = names.fresh("row");
    for (const std::string &axis : kernel.axes)
      first.push_back(names.fresh("first_" + axis));
  }
};

/// A function of the emitted text that launches a kernel.
struct LaunchFunction {
  const Launch *first; ///< the first launch it serves
  std::string name;
  bool takesGrid = false; ///< its first argument is the heat_args
};

class LauncherPrinter {
public:
  LauncherPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                  const FileNames &file, FloatMode mode, HelperSet &helpers);

  PrintedLauncher print();

private:
  const Program &program;
  const Signature &signature;
  llvm::ArrayRef<PrintedKernel> kernels;
  const FileNames &file;
  HelperSet &helpers;
  const unsigned rank;
  UniqueNames names; ///< of heat_run's own variables
  /// Per uniform: what heat_run calls it; empty where no kernel needs it.
  std::vector<std::string> uniforms;
  ExpressionPrinter expressions;
  std::vector<LaunchFunction> functions;
  PrintedLauncher result;

  ExpressionPrinter makeExpressions(FloatMode mode, HelperSet &helpers);
  void nameUniforms();
  std::string computeUniforms();

  void addFunctions();
  std::string define(LaunchFunction &function);
  std::string firstBlock(const Launch &launch, const FunctionNames &own,
                         ExpressionPrinter &address);
  std::vector<std::string> parametersOf(const LaunchFunction &function,
                                        const FunctionNames &own) const;
  std::string gridLoops(const Launch &launch, const FunctionNames &own, const std::string &call);
  std::string coverName(const Launch &launch, unsigned axis) const;

  std::string run();
  std::string nameEdges();
  std::string launches();
  std::string launchStatement(const Launch &launch, size_t indent);
  std::string hostCall(const Launch &launch, size_t indent);
  std::string rotation();
  std::string corner(llvm::ArrayRef<Index> indices);
  /// Arguments of a kernel in their order; `grid` opens the names of extents and strides.
  std::vector<std::string> kernelArguments(const Launch &launch, std::vector<std::string> arrays,
                                           llvm::StringRef extents, llvm::StringRef strides,
                                           llvm::ArrayRef<std::string> first,
                                           llvm::ArrayRef<std::string> end,
                                           std::vector<std::string> scalars) const;
};

ExpressionPrinter LauncherPrinter::makeExpressions(FloatMode mode, HelperSet &helpers) {
  LeafNames leaves;
  nameGrid(leaves, signature.axes, "");
  for (const SignatureParam &param : signature.params)
    leaves.params.push_back("args->" + param.name);
  leaves.uniforms = uniforms;
  return ExpressionPrinter(Target::Host, mode, signature.rank(), std::move(leaves), helpers);
}

LauncherPrinter::LauncherPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                                 const FileNames &file, FloatMode mode, HelperSet &helpers)
    : program(program), signature(program.signature), kernels(kernels), file(file),
      helpers(helpers), rank(signature.rank()),
      expressions((nameUniforms(), makeExpressions(mode, helpers))) {}

PrintedLauncher LauncherPrinter::print() {
  if (program.target == Target::Device)
    addFunctions();
  result.run = run();
  result.callsFunctions = expressions.callsFunctions;
  return std::move(result);
}

// ---- uniforms ---------------------------------------------------------------------------------

/// Marks the uniforms that `value` is computed from.
void markUses(const Value &value, std::vector<bool> &needed) {
  std::visit(llvm::makeVisitor([&](const UniformValue &node) { needed[node.argument] = true; },
                               [&](const UnaryValue &node) { markUses(node.operand, needed); },
                               [&](const BinaryValue &node) {
                                 markUses(node.left, needed);
                                 markUses(node.right, needed);
                               },
                               [&](const CompareValue &node) {
                                 markUses(node.left, needed);
                                 markUses(node.right, needed);
                               },
                               [&](const SelectValue &node) {
                                 markUses(node.condition, needed);
                                 markUses(node.then, needed);
                                 markUses(node.otherwise, needed);
                               },
                               [&](const CallValue &node) {
                                 for (const Value &operand : node.operands)
                                   markUses(operand, needed);
                               },
                               [&](const CastValue &node) { markUses(node.operand, needed); },
                               [](const auto &) {}),
             value->node);
}

void LauncherPrinter::nameUniforms() {
  std::vector<bool> needed(program.uniforms.size());
  for (const Launch &launch : program.launches)
    for (unsigned uniform : program.kernels[launch.kernel].uniforms)
      needed[uniform] = true;
  for (unsigned number = needed.size(); number-- > 0;)
    if (needed[number])
      markUses(program.uniforms[number].value, needed);

  // What heat_run names itself, and the functions it calls.
  for (const char *word : {"args", "steps", "stream", "state", "step", "status", "launched",
                           "check", "swap", "int64_t"})
    names.reserve(word);
  for (const Kernel &kernel : program.kernels)
    names.reserve(kernel.name);
  for (const std::string &axis : signature.axes)
    names.reserve("n" + axis);
  for (unsigned number = 0; number < needed.size(); ++number) {
    const Uniform &uniform = program.uniforms[number];
    const auto *param = std::get_if<ParamLeaf>(&uniform.value->node);
    uniforms.push_back(!needed[number] ? ""
                       : param         ? "args->" + signature.params[param->param].name
                                       : names.fresh(uniform.name));
  }
}

std::string LauncherPrinter::computeUniforms() {
  std::string out;
  for (unsigned number = 0; number < uniforms.size(); ++number) {
    const Uniform &uniform = program.uniforms[number];
    if (uniforms[number].empty() || std::holds_alternative<ParamLeaf>(uniform.value->node))
      continue;
    const std::string target =
        fmt::format("const {} {}", typeName(uniform.type).str(), uniforms[number]);
    const std::string text = expressions.value(uniform.value).text;
    std::optional<std::string> lines = layOutAssignment(target, text, 2);
    out += lines ? *lines : fmt::format("  {} = {};\n", target, flat(text));
  }
  if (out.empty())
    return out;
  result.computes = true;
  return "\n  // Numbers that stay the same for the whole run.\n" + out;
}

// ---- functions that launch --------------------------------------------------------------------

std::vector<std::string>
LauncherPrinter::kernelArguments(const Launch &launch, std::vector<std::string> arrays,
                                 llvm::StringRef extents, llvm::StringRef strides,
                                 llvm::ArrayRef<std::string> first, llvm::ArrayRef<std::string> end,
                                 std::vector<std::string> scalars) const {
  const PrintedKernel &printed = kernels[launch.kernel];
  std::vector<std::string> arguments = std::move(arrays);
  for (unsigned axis = 0; axis < rank; ++axis)
    if (printed.extents[axis])
      arguments.push_back((extents + "n" + signature.axes[axis]).str());
  for (unsigned axis = 0; axis < rank; ++axis)
    if (printed.strides[axis])
      arguments.push_back((strides + "stride_" + signature.axes[axis]).str());
  std::vector<std::string> integers(program.kernels[launch.kernel].integers.size());
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (launch.firstArgument[axis])
      integers[*launch.firstArgument[axis]] = first[axis];
    if (launch.endArgument[axis])
      integers[*launch.endArgument[axis]] = end[axis];
  }
  llvm::append_range(arguments, integers);
  llvm::append_range(arguments, scalars);
  return arguments;
}

void LauncherPrinter::addFunctions() {
  UniqueNames fresh = file.taken;
  for (const Launch &launch : program.launches) {
    if (llvm::any_of(functions, [&](const LaunchFunction &other) {
          return sameFunction(*other.first, launch);
        }))
      continue;
    const std::string &kernel = program.kernels[launch.kernel].name;
    LaunchFunction &added = functions.emplace_back(&launch, fresh.fresh("launch_" + kernel));
    result.functions += (result.functions.empty() ? "" : "\n") + define(added);
  }
}

/// Points that a block advances along an axis, by the name of the block's side where it is that.
std::string LauncherPrinter::coverName(const Launch &launch, unsigned axis) const {
  const unsigned dimension = dimensionOf(axis, rank);
  const std::vector<NamedConstant> &constants = program.kernels[launch.kernel].constants;
  if (dimension < constants.size() && constants[dimension].value == launch.cover[axis])
    return file.constants[launch.kernel][dimension];
  return std::to_string(launch.cover[axis]);
}

/// Threads of a block along a dimension.
std::string blockName(const Kernel &kernel, const std::vector<std::string> &constants,
                      unsigned dimension) {
  if (dimension < constants.size() && kernel.constants[dimension].value == kernel.block[dimension])
    return constants[dimension];
  return std::to_string(kernel.block[dimension]);
}

std::string LauncherPrinter::gridLoops(const Launch &launch, const FunctionNames &own,
                                       const std::string &call) {
  // The grid is at most 65535 blocks high and deep: larger boxes take several launches.
  std::string out;
  for (unsigned axis = 0; axis + 1 < rank; ++axis) {
    const std::string indent(2 + 2 * axis, ' ');
    const std::string cover = coverName(launch, axis);
    const std::string end = fmt::format("{}.end[{}]", own.box, axis);
    out += layOutCondition("",
                           fmt::format("for (int64_t {0} = {1}.begin[{2}]; {0} < {3};{4}{0} += "
                                       "kMaxBlocks * {5}) {{",
                                       own.first[axis], own.box, axis, end, kBreak, cover),
                           "", indent.size());
    out += fmt::format("{}  {}.gridDim.{} = blocks({} - {}, {});\n", indent, own.config,
                       "xyz"[dimensionOf(axis, rank)], end, own.first[axis], cover);
  }
  out += call;
  for (unsigned axis = rank - 1; axis-- > 0;)
    out += std::string(2 + 2 * axis, ' ') + "}\n";
  return out;
}

/// Where blocks start along the contiguous axis; leaves the strides it used in `address`.
std::string LauncherPrinter::firstBlock(const Launch &launch, const FunctionNames &own,
                                        ExpressionPrinter &address) {
  const unsigned last = rank - 1;
  const std::string begin = fmt::format("{}.begin[{}]", own.box, last);
  if (!launch.alignTo)
    return fmt::format("  const int64_t {} = {};\n", own.first[last], begin);
  const ArrayArgument &array = program.kernels[launch.kernel].arrays[*launch.alignTo];
  std::vector<Index> corner;
  for (unsigned axis : array.axes)
    corner.push_back(coordinate(CoordinateKind::Argument, axis));
  const std::string row =
      fmt::format("const {} *{} ={}{} + {};", typeName(array.type).str(), own.row, kBreak,
                  own.arrays[*launch.alignTo], address.subscript(array, corner));
  return "  // Blocks start on memory lines; the kernel leaves out the points before the box.\n" +
         layOutCondition("", row, "", 2) +
         fmt::format("  const int64_t {} = {} - past_line({});\n", own.first[last], begin, own.row);
}

std::vector<std::string> LauncherPrinter::parametersOf(const LaunchFunction &function,
                                                       const FunctionNames &own) const {
  const Kernel &kernel = program.kernels[function.first->kernel];
  std::vector<std::string> parameters;
  if (function.takesGrid)
    parameters.push_back(fmt::format("const {} &{}", abiName(signature, "args"), own.grid));
  parameters.push_back("const Box &" + own.box);
  for (const auto &[array, name] : llvm::zip(kernel.arrays, own.arrays))
    parameters.push_back(fmt::format("{}{} *{}", array.access == Access::Read ? "const " : "",
                                     typeName(array.type).str(), name));
  for (const auto &[uniform, name] : llvm::zip(kernel.uniforms, own.uniforms))
    parameters.push_back(typeName(program.uniforms[uniform].type).str() + " " + name);
  parameters.push_back("void *" + own.stream);
  return parameters;
}

std::string LauncherPrinter::define(LaunchFunction &function) {
  const Launch &launch = *function.first;
  const Kernel &kernel = program.kernels[launch.kernel];
  const FunctionNames own(kernel, program);
  const std::string grid = own.grid + ".";
  LeafNames leaves;
  nameGrid(leaves, signature.axes, grid);
  std::vector<std::string> end, sides;
  for (unsigned axis = 0; axis < rank; ++axis) {
    leaves.integers.push_back(fmt::format("{}.begin[{}]", own.box, axis));
    end.push_back(fmt::format("{}.end[{}]", own.box, axis));
    sides.push_back(blockName(kernel, file.constants[launch.kernel], axis));
  }
  ExpressionPrinter address(Target::Host, FloatMode::Contract, rank, leaves, helpers);
  const std::string first = firstBlock(launch, own, address);
  const auto any = [](const auto &used) { return llvm::is_contained(used, true); };
  function.takesGrid = any(kernels[launch.kernel].extents) || any(kernels[launch.kernel].strides) ||
                       any(address.usedExtents) || any(address.usedStrides);

  std::vector<std::string> arguments = {"&" + own.config, kernel.name};
  llvm::append_range(arguments,
                     kernelArguments(launch, own.arrays, grid, grid, own.first, end, own.uniforms));
  const size_t inner = 2 * rank;
  const std::string call =
      layOutList("const cudaError_t " + own.error + " = cudaLaunchKernelEx(", arguments, ");",
                 inner) +
      fmt::format("{}if ({} != cudaSuccess) return false;\n", std::string(inner, ' '), own.error);

  const unsigned last = rank - 1;
  std::string out =
      comment("// ", "Launches " + kernel.name + " on the points of a box; false if CUDA refuses.");
  out += layOutList("bool " + function.name + "(", parametersOf(function, own), ") {", 0);
  out += fmt::format("  if ({} <= {}) return true;\n", end[last], leaves.integers[last]);
  out += first;
  out += fmt::format("  cudaLaunchConfig_t {} = {{}};\n", own.config);
  out += fmt::format("  {}.blockDim = dim3({});\n", own.config, llvm::join(sides, ", "));
  out += fmt::format("  {}.gridDim.x = ceil_div({} - {}, {});\n", own.config, end[last],
                     own.first[last], coverName(launch, last));
  out += fmt::format("  {}.stream = static_cast<cudaStream_t>({});\n", own.config, own.stream);
  out += gridLoops(launch, own, call);
  return out + "  return true;\n}\n";
}

// ---- heat_run ---------------------------------------------------------------------------------

/// Names the edges of boxes that are more than an extent and a constant: they come in several.
std::string LauncherPrinter::nameEdges() {
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
          names.fresh(fmt::format("edge_{}{}", signature.axes[axis], ++count));
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
  return "\n  // Ends of boxes, also in grids that are smaller than these.\n" + out;
}

std::string LauncherPrinter::corner(llvm::ArrayRef<Index> indices) {
  std::vector<std::string> texts;
  for (const Index &index : indices)
    texts.push_back(expressions.index(index));
  return "{" + llvm::join(texts, ", ") + "}";
}

std::string LauncherPrinter::launchStatement(const Launch &launch, size_t indent) {
  const LaunchFunction &function = *llvm::find_if(
      functions, [&](const LaunchFunction &other) { return sameFunction(*other.first, launch); });
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
    arguments.push_back(uniforms[uniform]);
  arguments.push_back("stream");
  return layOutList("launched &= " + function.name + "(", arguments, ");", indent);
}

std::string LauncherPrinter::hostCall(const Launch &launch, size_t indent) {
  std::vector<std::string> arrays, scalars, first(rank), end(rank);
  for (const BufferRef &buffer : launch.arrays)
    arrays.push_back("state." + bufferName(signature, buffer));
  for (unsigned uniform : program.kernels[launch.kernel].uniforms)
    scalars.push_back(uniforms[uniform]);
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (launch.firstArgument[axis])
      first[axis] = expressions.index(launch.begin[axis]);
    if (launch.endArgument[axis])
      end[axis] = expressions.index(launch.end[axis]);
  }
  return layOutList(program.kernels[launch.kernel].name + "(",
                    kernelArguments(launch, arrays, "", "state.", first, end, scalars), ");",
                    indent);
}

std::string LauncherPrinter::launches() {
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

std::string LauncherPrinter::rotation() {
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

std::string LauncherPrinter::run() {
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
  out += computeUniforms();
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
  return out + fmt::format("  return {};\n}}\n", status("OK"));
}

} // namespace

PrintedLauncher printLauncher(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                              const FileNames &file, FloatMode mode, HelperSet &helpers) {
  return LauncherPrinter(program, kernels, file, mode, helpers).print();
}

} // namespace stencilc
