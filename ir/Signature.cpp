#include "ir/Program.h"

namespace stencilc {

Signature signatureOf(const Stencil &stencil) {
  Signature signature;
  signature.name = stencil.name;
  signature.axes = stencil.axes;
  for (unsigned number = 0; number < stencil.arrays.size(); ++number) {
    const Array &array = stencil.arrays[number];
    SignatureArray &entry = signature.arrays.emplace_back();
    entry.name = array.name;
    entry.type = array.type;
    entry.axes = array.axes;
    entry.ghost = ghostWidths(stencil, number);
    entry.isField = array.isField;
    entry.hasPrevious = array.isField && readsPrevious(stencil, number);
    entry.hasNext = array.isField && needsNextBuffer(stencil, number);
  }
  for (const Param &param : stencil.params)
    signature.params.push_back({param.name, param.type, param.defaultValue});
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    signature.minimumExtent[axis] = minimumExtent(stencil, axis);
  return signature;
}

} // namespace stencilc
