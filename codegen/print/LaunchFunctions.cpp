#include "codegen/print/LaunchFunctions.h"

#include "codegen/print/AbiNames.h"
#include "codegen/print/Layout.h"
#include "codegen/print/TileDeclarations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

std::vector<std::string> kernelArguments(const Program &program, const Launch &launch,
                                         const PrintedKernel &printed, const ArgumentNames &names) {
  const std::vector<std::string> &axes = program.signature.axes;
  std::vector<std::string> arguments = names.arrays;
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    if (printed.extents[axis])
      arguments.push_back(names.grid.extents + "n" + axes[axis]);
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    if (printed.strides[axis])
      arguments.push_back(names.grid.strides + "stride_" + axes[axis]);
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    if (printed.rows[axis])
      arguments.push_back(names.grid.rows + "row_" + axes[axis]);
  for (auto [number, binding] : llvm::enumerate(launch.integers)) {
    if (!printed.integers[number])
      continue;
    arguments.push_back(
        std::visit(llvm::makeVisitor([&](const FirstOf &node) { return names.first[node.axis]; },
                                     [&](const EndOf &node) { return names.end[node.axis]; },
                                     [&](const WholeParam &) { return names.numbers[number]; },
                                     [&](const StepNumber &) { return names.numbers[number]; },
                                     [&](const ElementsOf &) { return names.numbers[number]; }),
                   binding));
  }
  llvm::append_range(arguments, names.uniforms);
  return arguments;
}

bool isOfBox(const IntegerBinding &binding) {
  return std::visit(llvm::makeVisitor([](const FirstOf &) { return true; },
                                      [](const EndOf &) { return true; },
                                      [](const WholeParam &) { return false; },
                                      [](const StepNumber &) { return false; },
                                      [](const ElementsOf &) { return false; }),
                    binding);
}

/// Launches that one function of the emitted text serves: same kernel, same way to cover a box.
static bool sameFunction(const Launch &left, const Launch &right) {
  return left.kernel == right.kernel && left.cover.points == right.cover.points &&
         left.cover.alignTo == right.cover.alignTo && left.cover.cluster == right.cover.cluster &&
         left.cover.band == right.cover.band &&
         llvm::equal(left.integers, right.integers, [](const auto &one, const auto &other) {
           return one == other || (!isOfBox(one) && !isOfBox(other));
         });
}

/// What a function that launches a kernel calls its variables.
struct LaunchFunctions::Names {
  std::vector<std::string> arrays, numbers, uniforms; ///< the kernel's arguments
  std::string grid, room, box, stream, config, early, error, row;
  std::vector<std::string> first; ///< per axis

  Names(const Launch &launch, const Program &program) {
    const Kernel &kernel = program.kernels[launch.kernel];
    UniqueNames names;
    for (const char *word : {"Box", "blocks", "ceil_div", "dim3", "kMaxBlocks", "past_line",
                             "start_early", "Workspace"})
      names.reserve(word);
    for (const ArrayArgument &array : kernel.arrays)
      arrays.push_back(names.fresh(array.name));
    for (auto [integer, binding] : llvm::zip_equal(kernel.integers, launch.integers))
      numbers.push_back(isOfBox(binding) ? integer.name : names.fresh(integer.name));
    for (unsigned uniform : kernel.uniforms)
      uniforms.push_back(names.fresh(program.uniforms[uniform].name));
    grid = names.fresh("grid");
    room = names.fresh("room");
    box = names.fresh("box");
    stream = names.fresh("stream");
    config = names.fresh("config");
    early = names.fresh("early");
    error = names.fresh("error");
    row = names.fresh("row");
    for (const std::string &axis : kernel.axes)
      first.push_back(names.fresh("first_" + axis));
  }
};

LaunchFunctions::LaunchFunctions(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                                 const FileNames &file, HelperSet &helpers)
    : program(program), signature(program.signature), kernels(kernels), file(file),
      helpers(helpers), rank(signature.rank()) {
  UniqueNames fresh = file.taken;
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    if (llvm::any_of(functions,
                     [&](const Function &other) { return sameFunction(*other.launch, launch); }))
      return;
    const std::string &kernel = program.kernels[launch.kernel].name;
    Function &added = functions.emplace_back(Function{&launch, fresh.fresh("launch_" + kernel)});
    text += (text.empty() ? "" : "\n") + define(added);
  });
}

auto LaunchFunctions::of(const Launch &launch) const -> const Function & {
  return *llvm::find_if(functions,
                        [&](const Function &other) { return sameFunction(*other.launch, launch); });
}

/// The points that a block advances along an axis, or its threads there, by the name of its side
/// where that is as long.
std::string LaunchFunctions::sideName(const Launch &launch, unsigned dimension, int length) const {
  const Kernel &kernel = program.kernels[launch.kernel];
  const std::optional<unsigned> side = kernel.sides[dimension];
  return side && kernel.constants[*side].value == length ? file.constants[launch.kernel][*side]
                                                         : std::to_string(length);
}

std::string LaunchFunctions::gridLoops(const Launch &launch, const Names &own,
                                       const std::string &call) {
  // The grid is at most 65535 blocks high and deep: larger boxes take several launches.
  std::string out;
  for (unsigned axis = 0; axis + 1 < rank; ++axis) {
    const std::string indent(2 + 2 * axis, ' ');
    const std::string cover = sideName(launch, dimensionOf(axis, rank), launch.cover.points[axis]);
    const std::string end = fmt::format("{}.end[{}]", own.box, axis);
    const bool isBand = axis == 1 && launch.cover.band > 0;
    const int together = launch.cover.together(axis);
    const std::string most = isBand         ? "kBandBlocks"
                             : together > 1 ? fmt::format("kMaxBlocks / {}", together)
                                            : "kMaxBlocks";
    out += layOutCondition("",
                           fmt::format("for (int64_t {0} = {1}.begin[{2}]; {0} < {3};{4}{0} += "
                                       "{5}) {{",
                                       own.first[axis], own.box, axis, end, kBreak,
                                       cover == "1" ? most : most + " * " + cover),
                           "", indent.size());
    out += fmt::format("{}  {}.gridDim.{} = {}blocks({} - {}, {}{});\n", indent, own.config,
                       "xyz"[dimensionOf(axis, rank)],
                       together > 1 ? fmt::format("{} * ", together) : "", end, own.first[axis],
                       cover, isBand || together > 1 ? ", " + most : "");
  }
  out += call;
  for (unsigned axis = rank - 1; axis-- > 0;)
    out += std::string(2 + 2 * axis, ' ') + "}\n";
  return out;
}

/// Where blocks start along the contiguous axis; leaves the strides it used in `address`.
std::string LaunchFunctions::firstBlock(const Launch &launch, const Names &own,
                                        ExpressionPrinter &address) {
  const unsigned last = rank - 1;
  const std::string begin = fmt::format("{}.begin[{}]", own.box, last);
  if (!launch.cover.alignTo)
    return fmt::format("  const int64_t {} = {};\n", own.first[last], begin);
  const ArrayArgument &array = program.kernels[launch.kernel].arrays[*launch.cover.alignTo];
  std::vector<Index> corner;
  for (unsigned axis : array.axes)
    corner.push_back(coordinate(CoordinateKind::Argument, axis));
  const std::string row =
      fmt::format("const {} *{} ={}{} + {};", typeName(array.type).str(), own.row, kBreak,
                  own.arrays[*launch.cover.alignTo], address.subscript(array, corner));
  return "  // Blocks start on memory lines; the kernel leaves out the points before the box.\n" +
         layOutCondition("", row, "", 2) +
         fmt::format("  const int64_t {} = {} - past_line({});\n", own.first[last], begin, own.row);
}

std::vector<std::string> LaunchFunctions::parameters(const Function &function,
                                                     const Names &own) const {
  const Kernel &kernel = program.kernels[function.launch->kernel];
  std::vector<std::string> list;
  if (function.takesGrid)
    list.push_back(fmt::format("const {} &{}", abiName(signature, "args"), own.grid));
  if (function.takesRoom)
    list.push_back("const Workspace &" + own.room);
  list.push_back("const Box &" + own.box);
  for (const auto &[array, name] : llvm::zip(kernel.arrays, own.arrays))
    list.push_back(fmt::format("{}{} *{}", array.access == Access::Read ? "const " : "",
                               typeName(array.type).str(), name));
  for (const auto &[binding, name, isUsed] : llvm::zip_equal(
           function.launch->integers, own.numbers, kernels[function.launch->kernel].integers))
    if (isUsed && !isOfBox(binding))
      list.push_back("int64_t " + name);
  for (const auto &[uniform, name] : llvm::zip(kernel.uniforms, own.uniforms))
    list.push_back(typeName(program.uniforms[uniform].type).str() + " " + name);
  list.push_back("void *" + own.stream);
  return list;
}

std::string LaunchFunctions::define(Function &function) {
  const Launch &launch = *function.launch;
  const Kernel &kernel = program.kernels[launch.kernel];
  const Names own(*function.launch, program);
  const GridPrefixes grid = {own.grid + ".", own.grid + ".", own.room + "."};
  LeafNames leaves;
  nameGrid(leaves, signature.axes, grid);
  std::vector<std::string> end, sides;
  for (unsigned axis = 0; axis < rank; ++axis) {
    leaves.integers.push_back(fmt::format("{}.begin[{}]", own.box, axis));
    end.push_back(fmt::format("{}.end[{}]", own.box, axis));
    sides.push_back(sideName(launch, axis, kernel.block[axis]));
  }
  ExpressionPrinter address(Target::Host, FloatMode::Contract, rank, leaves, helpers);
  const std::string first = firstBlock(launch, own, address);
  const auto any = [](const auto &used) { return llvm::is_contained(used, true); };
  function.takesGrid = any(kernels[launch.kernel].extents) || any(kernels[launch.kernel].strides) ||
                       any(address.usedExtents) || any(address.usedStrides);
  function.takesRoom = any(kernels[launch.kernel].rows) || any(address.usedRows);

  std::vector<std::string> arguments = {"&" + own.config, kernel.name};
  llvm::append_range(
      arguments, kernelArguments(program, launch, kernels[launch.kernel],
                                 {own.arrays, own.uniforms, own.first, end, grid, own.numbers}));
  const size_t inner = 2 * rank;
  const std::string call =
      layOutList("const cudaError_t " + own.error + " = cudaLaunchKernelEx(", arguments, ");",
                 inner) +
      fmt::format("{}if ({} != cudaSuccess) return false;\n", std::string(inner, ' '), own.error);

  const unsigned last = rank - 1;
  std::string out =
      comment("// ", "Launches " + kernel.name + " on the points of a box; false if CUDA refuses.");
  out += layOutList("bool " + function.name + "(", parameters(function, own), ") {", 0);
  out += fmt::format("  if ({} <= {}) return true;\n", end[last], leaves.integers[last]);
  out += first;
  out += fmt::format("  cudaLaunchConfig_t {} = {{}};\n", own.config);
  out += fmt::format("  {}.blockDim = dim3({});\n", own.config, llvm::join(sides, ", "));
  out += fmt::format("  {}.gridDim.x = ceil_div({} - {}, {});\n", own.config, end[last],
                     own.first[last], sideName(launch, 0, launch.cover.points[last]));
  out += fmt::format("  {}.stream = static_cast<cudaStream_t>({});\n", own.config, own.stream);
  if (kernel.startsEarly)
    out += fmt::format("  cudaLaunchAttribute {0} = {{}};\n  start_early({1}, {0});\n", own.early,
                       own.config);
  if (const int64_t bytes = dynamicSharedBytes(kernel)) {
    out += fmt::format("  {}.dynamicSmemBytes = {};\n", own.config, bytes);
    out +=
        fmt::format("  if (cudaFuncSetAttribute({},\n"
                    "          cudaFuncAttributeMaxDynamicSharedMemorySize, {}) != cudaSuccess)\n"
                    "    return false;\n",
                    kernel.name, bytes);
  }
  out += gridLoops(launch, own, call);
  return out + "  return true;\n}\n";
}

} // namespace stencilc
