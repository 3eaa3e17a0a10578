// StepLowering: what every lowering starts from and ends with: a Program that has the stencil's
// signature and buffers and, part by part of its stages, takes kernels and launches.
#pragma once

#include "codegen/lower/FrameCopy.h"
#include "codegen/lower/StageParts.h"
#include "codegen/lower/StepFormula.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

class StepLowering {
public:
  /// `beside`: fields that the stencil updates in place and this lowering does not. They get a
  /// second buffer, which the caller has none for (codegen/lower/NextInWorkspace.h). Temps need no
  /// memory where nothing that is launched stores them.
  StepLowering(const Stencil &stencil, Target target, llvm::ArrayRef<unsigned> beside = {},
               bool storesTemps = true);

  /// Adds a kernel; returns its number.
  unsigned add(Kernel kernel);
  /// Adds what makes the next part.
  void add(Actions actions) { made.push_back(std::move(actions)); }
  /// The Program whose passes make one step each: stage by stage, each followed by the copies of
  /// the points that no update writes into new targets; then the levels rotate.
  Program finish();

  const Stencil &stencil;
  const StencilAreas areas;
  Program program;
  const std::vector<StagePart> parts;
  const StepFormula formula;
  FrameCopies frames;

private:
  std::vector<Actions> made; ///< by part: what makes it
};

} // namespace stencilc
