#include "frontend/measure/LaunchRecorder.h"

#include "ir/run/Uniforms.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace llvm;

namespace stencilc {

/// Blocks along y and z that one launch may have.
static constexpr int64_t kMostBlocks = 65535;

LaunchRecorder::LaunchRecorder(const VerifiedProgram &verified, const DeviceGrid &grid,
                               ArrayRef<uint64_t> addresses, ArrayRef<double> params,
                               int64_t firstStep)
    : PlanRun(*verified), grid(grid), addresses(addresses), parameters(kernelParameters(verified)),
      uniforms(evaluateUniforms(*verified, params)), numbers{grid.extents, params, firstStep} {}

// ---- arguments --------------------------------------------------------------------------------

template <class T> static uint64_t wordOf(T value) {
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

static uint64_t wordOf(ScalarType type, const ScalarValue &value) {
  switch (type) {
  case ScalarType::Bool:
    return wordOf(value.number != 0);
  case ScalarType::Int:
    return wordOf(value.whole);
  case ScalarType::F32:
    return wordOf(float(value.number));
  case ScalarType::F64:
    return wordOf(value.number);
  }
  llvm_unreachable("all types are handled");
}

RecordedLaunch LaunchRecorder::record(const Launch &launch, const PlacedCover &slab) const {
  const unsigned rank = program.signature.rank();
  const Kernel &kernel = program.kernels[launch.kernel];
  const KernelParameters &taken = parameters[launch.kernel];
  RecordedLaunch recorded{launch.kernel, {1, 1, 1}, {}};
  for (unsigned axis = 0; axis < rank; ++axis)
    recorded.blocks[dimensionOf(axis, rank)] = slab.blocks[axis];
  std::vector<uint64_t> &words = recorded.arguments;
  for (unsigned buffer : launch.buffers) {
    const unsigned memory = memoryOf(buffer);
    words.push_back(addresses[memory] +
                    grid.places[memory].layout.origin * sizeInBytes(program.buffers[memory].type));
  }
  for (unsigned axis = 0; axis < rank; ++axis)
    if (taken.extents[axis])
      words.push_back(wordOf(int(grid.extents[axis])));
  for (unsigned axis = 0; axis < rank; ++axis)
    if (taken.strides[axis])
      words.push_back(wordOf(grid.strides[axis]));
  for (unsigned axis = 0; axis < rank; ++axis)
    if (taken.rows[axis])
      words.push_back(wordOf(grid.rowStrides[axis]));
  for (const auto &[binding, argument, isTaken] :
       zip_equal(launch.integers, kernel.integers, taken.integers))
    if (isTaken) {
      const int64_t value = integerOf(binding, program.buffers, slab, numbers);
      words.push_back(argument.isWide ? wordOf(value) : wordOf(int(value)));
    }
  for (unsigned uniform : kernel.uniforms)
    words.push_back(wordOf(program.uniforms[uniform].type, uniforms[uniform]));
  return recorded;
}

// ---- the plan ---------------------------------------------------------------------------------

int64_t LaunchRecorder::pastLine(const Launch &launch, ArrayRef<int64_t> point) const {
  const unsigned argument = *launch.cover.alignTo;
  const ArrayArgument &array = program.kernels[launch.kernel].arrays[argument];
  std::vector<int64_t> own;
  for (unsigned axis : array.axes)
    own.push_back(point[axis]);
  const ArrayLayout &layout = grid.places[memoryOf(launch.buffers[argument])].layout;
  return euclideanRemainder(layout.element(own), elementsOfLine(array.type));
}

Error LaunchRecorder::perform(const Launch &launch) {
  const PlacedCover whole =
      placeCover(launch.cover, program.target, numbers,
                 [&](ArrayRef<int64_t> point) { return pastLine(launch, point); });
  if (!whole.isEmpty())
    for (const PlacedCover &slab :
         slabsOf(whole, launch.cover, program.signature.rank(), kMostBlocks))
      launches.push_back(record(launch, slab));
  return Error::success();
}

bool LaunchRecorder::isAligned(unsigned number, const Aligned &aligned) const {
  const Buffer &buffer = program.buffers[number];
  const ArrayLayout &layout = grid.places[memoryOf(number)].layout;
  const int64_t elements = aligned.bytes / sizeInBytes(buffer.type);
  bool holds = euclideanRemainder(layout.origin + aligned.at, elements) == 0;
  for (size_t position = 0; position + 1 < buffer.axes.size(); ++position)
    holds &= layout.stride[position] % elements == 0;
  return holds;
}

Error LaunchRecorder::endPass(const Pass &pass) {
  numbers.step += pass.steps;
  passEnds.push_back(launches.size());
  return Error::success();
}

} // namespace stencilc
