#include "codegen/lower/PeeledPlanes.h"

#include "codegen/lower/StageKernel.h"

#include "ir/stencil/StencilFacts.h"

#include <fmt/format.h>

using namespace stencilc;

PeeledPlanes stencilc::peeledPlanes(const Stencil &stencil, const Area &area,
                                    llvm::ArrayRef<Read> reads) {
  std::array<int64_t, 2> planes = {};
  for (const Read &read : reads) {
    const Array &array = stencil.arrays[read.array];
    if (!llvm::is_contained(array.axes, 0u))
      continue;
    for (const Side side : {Low, High})
      if (array.boundary[0][side].kind != BoundaryKind::Halo)
        planes[side] =
            std::max(planes[side], distance(read.offset[0], side) - leftOut(area[0], side));
  }
  return {int(planes[Low]), int(planes[High])};
}

/// True if the stage overwrites what it reads.
static bool isInPlace(const Signature &signature, const Stage &stage) {
  const std::vector<Read> reads = readsOf(stage);
  return llvm::any_of(stage.updates, [&](const Update &update) {
    const SignatureArray &array = signature.arrays[update.array];
    return array.isField() && llvm::any_of(reads, [&](const Read &read) {
             return read.array == update.array && read.level == targetLevel(array);
           });
  });
}

llvm::Error stencilc::checkPeeled(
    const Stencil &stencil,
    llvm::function_ref<PeeledPlanes(const Area &area, llvm::ArrayRef<Read> reads)> planesOf) {
  const StencilAreas areas = areasOf(stencil);
  const Signature signature = signatureOf(stencil);
  bool hasInPlace = false;
  for (auto [stage, updates] : llvm::zip_equal(stencil.stages, areas.updates)) {
    if (!planesOf(areaAround(updates, stencil.rank()), readsOf(stage)).any())
      continue;
    if (!isInPlace(signature, stage))
      return llvm::Error::success();
    hasInPlace = true;
  }
  const char *axis = stencil.axes[0].c_str();
  return hasInPlace
             ? llvm::createStringError("there is nothing to `peel`: what looks beyond an end of "
                                       "axis %s updates arrays in place, which one loop does for "
                                       "all planes",
                                       axis)
             : llvm::createStringError("there is nothing to `peel`: no turn of the march looks "
                                       "beyond an end of axis %s where a boundary would be asked",
                                       axis);
}

std::vector<MarchPart> stencilc::partsOfMarch(const Kernel &kernel, const Index &begin,
                                              const Index &end, const PeeledPlanes &peeled,
                                              bool mayBeEmpty) {
  if (!peeled.any() || llvm::any_of(kernel.arrays, [](const ArrayArgument &array) {
        return array.access == Access::ReadWrite;
      }))
    return {{begin, end}};
  std::vector<MarchPart> parts;
  const Index innerBegin = add(begin, peeled.first), innerEnd = add(end, -peeled.last);
  if (peeled.first > 0)
    parts.push_back({begin, minimum(innerBegin, end), {}, false});
  parts.push_back({innerBegin, innerEnd, {true, true}});
  if (peeled.first == 0 && peeled.last == 1 && !mayBeEmpty)
    parts.push_back({innerEnd, nullptr, {true, false}, false});
  else if (peeled.last > 0)
    parts.push_back({maximum(innerBegin, innerEnd), end, {true, false}, false});
  return parts;
}

std::string stencilc::phaseOf(const MarchPart &part, llvm::StringRef plane) {
  if (part.isMost)
    return fmt::format("Up through the chunk, one {} a turn.", plane.str());
  const bool isLast = part.isInside[Low];
  return fmt::format("The {} {}{}, {} which the grid may {}.", isLast ? "last" : "first",
                     plane.str(), part.end ? "s" : "", isLast ? "behind" : "before",
                     isLast ? "end" : "begin");
}
