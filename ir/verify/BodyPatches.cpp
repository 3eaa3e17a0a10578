// The verifier's rules on patches and on the vectors that fill and store them.
#include "ir/verify/BodyVerifier.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

std::optional<unsigned> BodyVerifier::elementOf(unsigned patch, llvm::ArrayRef<Index> at,
                                                unsigned count) {
  if (patch >= kernel.patches.size()) {
    fault.report("definition", kernel.name, "there is no patch {}", patch);
    return std::nullopt;
  }
  const Patch &declared = kernel.patches[patch];
  if (at.size() != declared.shape.size()) {
    fault.report("type", kernel.name, "patch `{}` has {} axes and is accessed by {} indices",
                 declared.name, declared.shape.size(), at.size());
    return std::nullopt;
  }
  unsigned element = 0;
  for (auto [axis, index] : llvm::enumerate(at)) {
    if (!indices.check(index))
      return std::nullopt;
    const std::optional<int64_t> value = indices.staticValue(index);
    const int64_t last = declared.shape[axis] - (axis + 1 == at.size() ? int64_t(count) : 1);
    if (!value)
      fault.report("patch", kernel.name, "`{}` of patch `{}` is not known when it is compiled",
                   toString(index, kernel), declared.name);
    else if (*value < 0 || *value > last)
      fault.report("patch", kernel.name, "{} of patch `{}` leaves 0 .. {}", *value, declared.name,
                   last);
    if (fault)
      return std::nullopt;
    element = element * declared.shape[axis] + *value;
  }
  return element;
}

void BodyVerifier::checkDefined(unsigned patch, std::optional<unsigned> first, unsigned count) {
  for (unsigned part = 0; first && part < count; ++part)
    if (!flow.elements[patch][*first + part])
      fault.report("definition", kernel.name, "element {} of patch `{}` has no value here",
                   *first + part, kernel.patches[patch].name);
}

void BodyVerifier::checkLeaf(const ValueNode &value, const PatchElement &node) {
  checkDefined(node.patch, elementOf(node.patch, node.at));
  if (!fault)
    checkType(kernel.patches[node.patch].name, kernel.patches[node.patch].type, value.type);
}

void BodyVerifier::visit(const AssignElement &node) {
  check(node.value);
  if (fault)
    return;
  const std::optional<unsigned> element = elementOf(node.patch, node.at);
  if (!element)
    return;
  checkType(kernel.patches[node.patch].name, kernel.patches[node.patch].type, node.value->type);
  flow.elements[node.patch].set(*element);
}

void BodyVerifier::visit(const ShiftPatch &node) {
  if (node.patch >= kernel.patches.size()) {
    fault.report("definition", kernel.name, "there is no patch {}", node.patch);
    return;
  }
  llvm::BitVector &elements = flow.elements[node.patch];
  const unsigned slice = elements.size() / kernel.patches[node.patch].shape.front();
  for (unsigned element = 0; element + slice < elements.size(); ++element)
    elements[element] = elements[element + slice];
}

// ---- vectors ----------------------------------------------------------------------------------

std::optional<unsigned> BodyVerifier::rowOf(const PatchRow &row, llvm::StringRef other,
                                            ScalarType type) {
  const std::optional<unsigned> first = elementOf(row.patch, row.at, row.lanes);
  if (!first)
    return std::nullopt;
  checkType(other, type, kernel.patches[row.patch].type);
  const unsigned bytes = row.lanes * sizeInBytes(type);
  if ((row.lanes != 2 && row.lanes != 4) || (bytes != 8 && bytes != 16))
    fault.report("vector", kernel.name, "no access moves {} elements of {}", row.lanes,
                 spelling(type).str());
  return first;
}

void BodyVerifier::define(const PatchRow &row, std::optional<unsigned> first) {
  if (first && !fault)
    flow.elements[row.patch].set(*first, *first + row.lanes);
}

void BodyVerifier::checkGlobalVector(unsigned number, llvm::ArrayRef<Index> index, unsigned lanes,
                                     llvm::StringRef rule) {
  const ArrayArgument &array = kernel.arrays[number];
  indices.checkAccess(array, index, lanes);
  if (fault || lanes == 1)
    return;
  if (!array.alignment || array.alignment->elements % lanes != 0)
    fault.report(rule, kernel.name, "`{}` is not promised to be aligned in {}s", array.name, lanes);
  else if (!indices.isMultipleFrom(array.alignment->at, index.back(), lanes))
    fault.report(rule, kernel.name, "`{}` of `{}` may lie between pieces of {}",
                 toString(index.back(), kernel), array.name, lanes);
}

void BodyVerifier::checkSharedVector(unsigned number, llvm::ArrayRef<Index> index, unsigned lanes,
                                     llvm::StringRef rule) {
  const SharedTile &tile = kernel.tiles[number];
  indices.checkAccess(tile, index, lanes);
  if (fault || lanes == 1)
    return;
  if (tile.shape.back() % int(lanes) != 0)
    fault.report(rule, kernel.name, "rows of tile `{}` are not whole pieces of {}", tile.name,
                 lanes);
  else if (!indices.isMultipleFrom(constant(0), index.back(), lanes))
    fault.report(rule, kernel.name, "`{}` of tile `{}` may lie between pieces of {}",
                 toString(index.back(), kernel), tile.name, lanes);
}

void BodyVerifier::visit(const LoadVector &node) {
  if (!arrayExists(node.array))
    return;
  const ArrayArgument &array = kernel.arrays[node.array];
  if (array.access == Access::Write)
    fault.report("access", kernel.name, "`{}` is loaded but only written", array.name);
  const std::optional<unsigned> row = rowOf(node.row, array.name, array.type);
  checkGlobalVector(node.array, node.index, node.row.lanes, "vector");
  checkInPlace(node.array, node.index, /*isStore=*/false, node.row.lanes);
  define(node.row, row);
}

void BodyVerifier::visit(const StoreVector &node) {
  if (!arrayExists(node.array))
    return;
  const ArrayArgument &array = kernel.arrays[node.array];
  if (array.access == Access::Read)
    fault.report("access", kernel.name, "`{}` is stored but only read", array.name);
  checkDefined(node.row.patch, rowOf(node.row, array.name, array.type), node.row.lanes);
  checkGlobalVector(node.array, node.index, node.row.lanes, "vector");
  checkInPlace(node.array, node.index, /*isStore=*/true, node.row.lanes);
}

void BodyVerifier::visit(const LoadSharedVector &node) {
  if (!tileExists(node.tile))
    return;
  const SharedTile &tile = kernel.tiles[node.tile];
  const std::optional<unsigned> row = rowOf(node.row, tile.name, tile.type);
  checkSharedVector(node.tile, node.index, node.row.lanes, "vector");
  checkArrived(node.tile, node.index);
  define(node.row, row);
}

void BodyVerifier::visit(const StoreSharedVector &node) {
  if (!tileExists(node.tile))
    return;
  const SharedTile &tile = kernel.tiles[node.tile];
  checkDefined(node.row.patch, rowOf(node.row, tile.name, tile.type), node.row.lanes);
  checkSharedVector(node.tile, node.index, node.row.lanes, "vector");
}
