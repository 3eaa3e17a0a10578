#include "ir/kernel/ArrayLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

int64_t ArrayLayout::element(llvm::ArrayRef<int64_t> index) const {
  int64_t number = origin;
  for (auto [along, distance] : llvm::zip_first(index, stride))
    number += along * distance;
  return number;
}

std::array<int64_t, kMaxRank> stencilc::stridesOf(const LineRows &rows,
                                                  llvm::ArrayRef<int64_t> extents) {
  std::array<int64_t, kMaxRank> strides = {};
  int64_t stride = 1;
  for (unsigned axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= rows.ghost[axis][Low] + extents[axis] + rows.ghost[axis][High];
    if (axis + 1 == extents.size())
      stride = llvm::alignTo(stride, rows.line);
  }
  return strides;
}

LineRows stencilc::workspaceRows(const Program &program) {
  LineRows rows;
  rows.lineStart = program.signature.lineStart;
  for (const Buffer &buffer : program.buffers) {
    if (buffer.layout != Layout::Rows)
      continue;
    rows.line = std::max(rows.line, elementsOfLine(buffer.type));
    for (unsigned axis : buffer.axes)
      for (Side side : {Low, High})
        rows.ghost[axis][side] = std::max(rows.ghost[axis][side], buffer.ghost[axis][side]);
  }
  return rows;
}

ArrayLayout stencilc::denseLayout(const Buffer &buffer, llvm::ArrayRef<int64_t> extents) {
  ArrayLayout layout;
  if (buffer.isOverTime)
    layout.stride[0] = 1;
  int64_t stride = 1;
  for (size_t dimension = buffer.lengths.size(); dimension-- > 0;) {
    layout.stride[dimension] = stride;
    stride *= valueOf(buffer.lengths[dimension], {extents});
  }
  for (size_t position = buffer.axes.size(); position-- > 0;) {
    const unsigned axis = buffer.axes[position];
    layout.stride[position] = stride;
    stride *= buffer.ghost[axis][Low] + extents[axis] + buffer.ghost[axis][High];
  }
  return layout;
}

ArrayLayout stencilc::workspaceLayout(const Program &program, const Buffer &buffer,
                                      llvm::ArrayRef<int64_t> extents,
                                      const std::array<int64_t, kMaxRank> &strided) {
  ArrayLayout layout;
  switch (buffer.layout) {
  case Layout::Strided:
    layout.stride = strided;
    break;
  case Layout::Rows:
    layout.stride = stridesOf(workspaceRows(program), extents);
    break;
  case Layout::Dense:
    layout = denseLayout(buffer, extents);
    for (auto [axis, stride] : llvm::zip_first(buffer.axes, layout.stride))
      layout.origin += buffer.ghost[axis][Low] * stride;
    return layout;
  }
  layout.origin = euclideanRemainder(-program.signature.lineStart, elementsOfLine(buffer.type));
  return layout;
}
