#include "frontend/measure/DeviceGrid.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace stencilc {

/// Of elements one after another.
static BufferPlace placeDense(const Buffer &buffer, ArrayRef<int64_t> extents, int64_t timeSteps) {
  BufferPlace place;
  place.layout = denseLayout(buffer, extents);
  place.elements = buffer.isOverTime ? timeSteps : 1;
  if (!buffer.lengths.empty())
    place.elements = elementsOf(buffer, extents);
  for (auto [axis, stride] : zip_first(buffer.axes, place.layout.stride)) {
    place.layout.origin += buffer.ghost[axis][Low] * stride;
    place.elements *= buffer.ghost[axis][Low] + extents[axis] + buffer.ghost[axis][High];
  }
  return place;
}

/// Of rows that are `strides` apart, whose point `lineStart` starts a line.
static BufferPlace placeRows(const Widths &ghost, int line, int lineStart,
                             const std::array<int64_t, kMaxRank> &strides,
                             ArrayRef<int64_t> extents) {
  const unsigned last = extents.size() - 1;
  BufferPlace place;
  place.layout.stride = strides;
  place.layout.origin = alignTo(ghost[last][Low] + lineStart, line) - lineStart;
  for (unsigned axis = 0; axis < last; ++axis)
    place.layout.origin += ghost[axis][Low] * strides[axis];
  place.elements = place.layout.origin + (extents[0] + ghost[0][High]) * strides[0] + line;
  return place;
}

DeviceGrid placeBuffers(const Program &program, ArrayRef<int64_t> extents, int64_t timeSteps) {
  const Signature &signature = program.signature;
  const LineRows callers = recommendedRows(signature), rows = workspaceRows(program);
  DeviceGrid grid{
      extents.vec(), timeSteps, stridesOf(callers, extents), stridesOf(rows, extents), {}};
  for (const Buffer &buffer : program.buffers) {
    const int line = elementsOfLine(buffer.type);
    BufferPlace place;
    switch (buffer.layout) {
    case Layout::Strided:
      place = placeRows(widestGhosts(signature), std::max(line, callers.line), signature.lineStart,
                        grid.strides, extents);
      break;
    case Layout::Rows:
      place = placeRows(buffer.ghost, line, signature.lineStart, grid.rowStrides, extents);
      break;
    case Layout::Dense:
      place = placeDense(buffer, extents, timeSteps);
      break;
    }
    place.bytes = alignTo(place.elements * sizeInBytes(buffer.type), kWorkspaceAlignment);
    grid.places.push_back(place);
  }
  return grid;
}

DeviceBytes bytesOf(const Program &program, const DeviceGrid &grid) {
  DeviceBytes bytes;
  for (auto [buffer, place] : zip_equal(program.buffers, grid.places))
    (std::holds_alternative<WorkspaceMemory>(buffer.owner) ? bytes.workspace : bytes.caller) +=
        place.bytes;
  return bytes;
}

} // namespace stencilc
