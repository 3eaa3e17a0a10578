// PeeledPlanes: which planes of a chunk a march makes outside of its loop, so that no turn of that
// asks for an end of the grid: only before the first and behind the last planes of a chunk may the
// grid end. OPT of Maruyama & Aoki 2014 does so.
#pragma once

#include "codegen/lower/Variant.h"

#include "ir/kernel/KernelBuilder.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

inline constexpr VariantFlag kPeelFlag = {
    "peel", "planes behind which the grid may end are made outside of the march's loop"};

/// How many, at either end of a chunk.
struct PeeledPlanes {
  int first = 0, last = 0;
  bool any() const { return first + last > 0; }
};

/// Of a march over points of `area` whose turns make these reads.
PeeledPlanes peeledPlanes(const Stencil &stencil, const Area &area, llvm::ArrayRef<Read> reads);
/// Refuses a stencil of which `planesOf` finds none, given the area and the reads of a stage.
llvm::Error checkPeeled(
    const Stencil &stencil,
    llvm::function_ref<PeeledPlanes(const Area &area, llvm::ArrayRef<Read> reads)> planesOf);

/// Planes of a chunk that are made by one text.
struct MarchPart {
  Index begin, end;                  ///< no end: the plane `begin` alone, the last one
  std::array<bool, 2> isInside = {}; ///< no turn looks beyond that end of the grid
  bool isMost = true;                ///< all planes but those that are peeled
};

/// Of a chunk, in their order; of a kernel that updates arrays in place, which it may do at one
/// place of its text, only one. A single last plane is a loop too where the chunk `mayBeEmpty`, for
/// all that the kernel knows.
std::vector<MarchPart> partsOfMarch(const Kernel &kernel, const Index &begin, const Index &end,
                                    const PeeledPlanes &peeled, bool mayBeEmpty = false);

/// What the comment of a part says: `plane` is "plane" or "row".
std::string phaseOf(const MarchPart &part, llvm::StringRef plane);

} // namespace stencilc
