#include "codegen/print/KernelPrinter.h"
#include "codegen/print/BodyPrinter.h"
#include "codegen/print/Layout.h"
#include "codegen/print/OtherSides.h"
#include "codegen/print/PartialRows.h"
#include "codegen/print/StoresSooner.h"
#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <climits>

namespace stencilc {

std::string parameter(const ArrayArgument &array) {
  // A pointer that is only read and may not use the read-only path must not promise that nothing
  // else writes what it points to.
  const bool isRead = array.access == Access::Read;
  return fmt::format("{}{} *{}{}", isRead ? "const " : "", typeName(array.type).str(),
                     isRead && !array.readOnlyPath ? "" : "__restrict__ ", array.name);
}

/// Where threads have more, nvcc does better with all results at the end.
static constexpr int kFewRegisters = 64;

/// Those that __launch_bounds__ leaves a thread.
static int registersOf(const Program &program, const Kernel &kernel) {
  const int blocks = kernel.promisesResidency ? std::max(program.schedule.residency, 1) : 1;
  return cuda::kRegistersPerSm / (kernel.block[0] * kernel.block[1] * kernel.block[2] * blocks);
}

PrintedKernel printKernel(const Program &program, unsigned number, const FileNames &file,
                          FloatMode mode, HelperSet &helpers) {
  RolledText rolled{program.kernels[number], UINT_MAX, {}};
  if (program.target == Target::Device) {
    Body body = shortOtherSides(std::move(rolled.kernel.body));
    if (registersOf(program, rolled.kernel) <= kFewRegisters)
      body = storesSooner(std::move(body));
    rolled.kernel.body = partialRowsApart(body);
    rolled = rolledText(program, rolled.kernel);
  }
  const Kernel &kernel = rolled.kernel;
  UniqueNames taken = file.taken;
  LeafNames names = leafNames(program, kernel, file, number);
  names.locals.push_back(taken.fresh("kBranch"));
  const std::string planes = taken.fresh("planes");
  names.locals.push_back(planes + ".first");
  names.locals.push_back(planes + ".end");
  BodyPrinter body(rolled, std::move(names), mode, helpers, std::move(taken));
  const std::string statements = body.print();

  PrintedKernel result;
  if (file.extents.empty())
    result.extents = body.used().usedExtents;
  result.strides = body.used().usedStrides;
  result.rows = body.used().usedRows;
  result.integers = body.used().usedIntegers;
  result.callsFunctions = body.used().callsFunctions;
  result.copiesAsync = body.copiesAsync;
  const bool isDevice = kernel.target == Target::Device;
  const std::string integer = isDevice ? "int " : "int64_t ";
  std::vector<std::string> parameters;
  for (const ArrayArgument &array : kernel.arrays)
    parameters.push_back(parameter(array));
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.extents[axis])
      parameters.push_back(integer + "n" + kernel.axes[axis]);
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.strides[axis])
      parameters.push_back(
          fmt::format("{} stride_{}", addressType(kernel).str(), kernel.axes[axis]));
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.rows[axis])
      parameters.push_back(fmt::format("{} row_{}", addressType(kernel).str(), kernel.axes[axis]));
  for (const auto &[argument, isUsed] : llvm::zip_equal(kernel.integers, result.integers))
    if (isUsed)
      parameters.push_back((argument.isWide ? "int64_t " : integer) + argument.name);
  for (unsigned uniform : kernel.uniforms)
    parameters.push_back(typeName(program.uniforms[uniform].type).str() + " " +
                         program.uniforms[uniform].name);

  for (const std::string &text : kernel.comment)
    result.text += comment("// ", text);
  std::string head = "void ";
  if (isDevice) {
    const std::string cluster =
        kernel.cluster > 1 ? fmt::format("__cluster_dims__(1, {}, 1) ", kernel.cluster) : "";
    result.text +=
        fmt::format("__global__ void {}__launch_bounds__({})\n", cluster, file.bounds[number]);
    head = "";
  }
  result.text += layOutList(head + kernel.name + "(", parameters, ") {", 0);
  if (isDevice && kernel.startsEarly)
    result.text += fmt::format("  {}();\n", helpers.use(Helper::AwaitPrevious).str());
  result.text += statements + "}\n";
  return result;
}

} // namespace stencilc
