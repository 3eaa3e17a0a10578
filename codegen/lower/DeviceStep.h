// DeviceStep: the frame of a lowering that computes a step in one launch of a device kernel whose
// threads stand on the points of the stage's box.
#pragma once

#include "codegen/lower/PointBody.h"

#include "ir/kernel/Schedule.h"

namespace stencilc {

struct DeviceStep {
  /// Begins the kernel, named for the variant, and its body: the coordinates of a thread, which has
  /// a chunk of the schedule's length along the slowest axis to itself, and its return if it has no
  /// point. Loads go through the read-only path unless the schedule is `plain`.
  DeviceStep(const Stencil &stencil, const Schedule &schedule);

  PointBody pointBody() { return {builder, stencil, stage, formula, arguments, point}; }
  /// The Program of this kernel and of those that copy frames.
  Program finish();

  const Stencil &stencil;
  const Schedule &schedule;
  const Stage &stage;
  const StageBox box;
  Program program;
  const StepFormula formula;
  KernelBuilder builder;
  const StageArguments arguments;
  Body body;
  Point point; ///< the thread's; along the slowest axis the first of its chunk
};

} // namespace stencilc
