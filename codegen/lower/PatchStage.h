// PatchStage: a kernel that makes one stage, each thread a patch of points, whose values it has in
// registers together with what lies around them (Window.h).
//
// Where threads have several points along the contiguous axis, rows are moved in vectors of 8 or 16
// bytes. Such a kernel is launched where the rows of all arrays with strides are aligned, at the
// first point that a step updates or at point 0; elsewhere another takes its place. By the flags
// `whole` and `flat` it has a twin for grids on which no thread's points stick out of those that
// are made: it asks no thread which of its points are, so that loads may go before any store, as
// they may not across a branch. That of `flat` makes the planes of a chunk in one piece of code, on
// grids of any number of planes and rows: what lies in no whole chunk or patch is launched apart.
#pragma once

#include "codegen/lower/WindowLoads.h"

namespace stencilc {

/// True if a thread has a patch by this schedule, or loads ahead: if PatchStage lowers it.
bool isPatched(const Schedule &schedule);

inline constexpr llvm::StringLiteral kWholeFlag = "whole", kFlatFlag = "flat", kTileFlag = "tile";

class PatchStage : public StageKernel {
public:
  /// The kernel of one of the step's parts, by number. Of a schedule with a chunk, threads march.
  /// `isWhole`: none of a thread's points sticks out of the box.
  PatchStage(StepLowering &step, unsigned part, const Schedule &schedule, bool isWhole = false);

  /// Hands the kernels to the step. Gives what launches it, `whole` in its place where that may be,
  /// and `otherwise` where no rows are aligned.
  Actions finish(PatchStage *whole, llvm::function_ref<Launch()> otherwise);
  /// The grids that a kernel of whole patches is for; none if params or regions bound the box.
  std::optional<WholePieces> wholePieces() const;
  /// Launches of `bounded`, which makes the same, for what lies beside the whole chunks and rows of
  /// patches of a flat kernel.
  std::vector<Launch> besideWhole(const Launch &bounded) const;

private:
  /// How many points along an axis are made or left out together: a thread's, or with a tile, which
  /// all threads fill, the block's.
  int pointsAlong(unsigned axis) const;
  /// The first of them.
  Index firstAlong(unsigned axis) const;
  bool isFlat() const { return shape.isWhole && schedule.hasFlag(kFlatFlag); }
  bool hasTile() const { return shape.isWhole && schedule.hasFlag(kTileFlag); }
  /// What is no whole piece along the axis is launched apart: its points lie in planes or rows.
  bool leavesRest(unsigned axis) const {
    return isFlat() && pointsAlong(axis) > 1 && axis + 1 < stencil.rank();
  }
  /// Where the last whole piece along an axis ends.
  Index endOfWhole(unsigned axis) const;
  Launch launch();
  /// Where pieces begin along the contiguous axis if the one at this index is aligned: the last
  /// place that leaves no point out.
  int beginFor(int aligned) const;
  void appendPoints();
  void appendMarch();
  void appendUpdates(Body &body, const Point &point, const WindowLoads &loads);
  void eachRow(Body &body, const Point &first,
               llvm::function_ref<void(Body &, const Index &j, const Point &point)> append);
  /// Under the condition that the update makes the point; along the contiguous axis, only where a
  /// thread has no more than one.
  void appendIfMade(Body &body, unsigned update, const Point &point, Body stores);
  void appendStores(Body &body, const Point &first);
  /// The argument that the update writes.
  unsigned target(unsigned update) const;
  std::vector<Index> elementOf(const Index &j, const Index &i) const; ///< of new values

  const Schedule &schedule;
  const PatchShape shape;
  const std::vector<int> alignedAt; ///< in order of preference; none where nothing is in vectors
  Body body;
  Point point; ///< a thread's first
  int leastX = 0;
  std::vector<unsigned> newValues; ///< patches, by update, where a thread has several columns
};

/// The Program that makes each part of a stage by patches where that is possible, `append`
/// completing the body of the kernels of one point a thread that take their place elsewhere.
Program lowerInPatches(const Stencil &stencil, const Schedule &schedule,
                       llvm::function_ref<void(ThreadedStage &)> append);

} // namespace stencilc
