// StageKernel: a kernel that makes one stage, or a part of one, as it grows: its arguments, the
// points it covers, and the statements that bring a point to its new values.
#pragma once

#include "codegen/lower/GridReads.h"
#include "codegen/lower/PointUpdate.h"
#include "codegen/lower/StageArrays.h"
#include "codegen/lower/StepLowering.h"
#include "codegen/lower/UpdateBox.h"

#include "ir/kernel/Schedule.h"

namespace stencilc {

/// Of all its updates, each once.
std::vector<Read> readsOf(const Stage &stage);

class StageKernel {
public:
  /// Begins the kernel of one of the step's parts, by number; `variant` becomes part of its name.
  StageKernel(StepLowering &step, unsigned part, llvm::StringRef variant, bool readOnlyPath);

  /// Makes pointers to a point, one for each layout that arrays of the stage have, of which the
  /// first has this name; gives their numbers.
  std::vector<unsigned> letPointers(Body &body, const Point &point, bool areCarried = false,
                                    llvm::StringRef name = "here");
  /// Where the stage's arrays lie in memory.
  Place memory();
  /// What the reads around a point see there.
  GridReads readsAt(Here here);
  /// Appends what makes the updates at a point of `area` and stores them: those with smaller areas
  /// under guards of their own. Values that are `known` are not made again.
  void appendUpdates(Body &body, const Point &point, const ReadSource &reads,
                     const KnownValues &known = {});
  /// Appends names for what arrays over time have for this step, which no point changes.
  KnownValues letTimeReads(Body &body);
  /// The argument that the blocks along an axis are counted from.
  Index firstOf(unsigned axis) const;
  /// Where a block begins along an axis, of which each has so many points.
  Index blockBegin(unsigned axis, int points) const;
  /// Hands the kernel to the step and gives its launch; the cover gets the stage's box.
  Launch launch(Body body, Cover cover = {});
  /// The same where it is all that makes the stage.
  void finish(Body body, Cover cover = {}) {
    step.add({{launch(std::move(body), std::move(cover))}});
  }

  StepLowering &step;
  const Stencil &stencil;
  const StagePart &part;
  const Stage stage;             ///< what the kernel makes of it
  const std::vector<Area> areas; ///< of its updates
  const Area area;               ///< around them all
  std::vector<Read> reads;       ///< each once
  KernelBuilder builder;
  const PointBox box; ///< of the area, as the kernel names params
  const StageArrays arrays;

private:
  /// "Stage 2 of 3 of a step".
  std::string what() const;
};

/// A StageKernel whose threads stand on points of its box.
class ThreadedStage : public StageKernel {
public:
  /// Its body begins with the coordinates of a thread, which has a chunk of the schedule's length
  /// along the slowest axis to itself, and its return if it has no point. Loads go through the
  /// read-only path unless the schedule is `plain`. `suffix` ends the kernel's name.
  ThreadedStage(StepLowering &step, unsigned part, const Schedule &schedule,
                llvm::StringRef suffix = "");

  /// Completes the body by the updates of the thread's one point.
  void appendPoint();
  Launch launch();

  const Schedule &schedule;
  Body body;
  Point point; ///< the thread's; along the slowest axis the first of its chunk
};

/// The Program that makes each part of a stage by one launch; `append` completes the body of its
/// kernel.
Program lowerByStages(const Stencil &stencil, const Schedule &schedule,
                      llvm::function_ref<void(ThreadedStage &)> append);

} // namespace stencilc
