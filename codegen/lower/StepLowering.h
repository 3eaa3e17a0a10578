// StepLowering: what every lowering starts from and ends with: a Program that has the stencil's
// signature and buffers and, stage by stage, takes its kernels and launches.
#pragma once

#include "codegen/lower/StepFormula.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

class StepLowering {
public:
  StepLowering(const Stencil &stencil, Target target);

  /// Adds the kernel and the launch of it; launches run in the order in which they are added.
  void add(Kernel kernel, Launch launch);
  /// The Program whose passes make one step each: they bring the points that no update writes into
  /// each new target, make the launches, and rotate the levels.
  Program finish();

  const Stencil &stencil;
  const StencilAreas areas;
  Program program;
  const StepFormula formula;

private:
  Actions launches;
};

} // namespace stencilc
