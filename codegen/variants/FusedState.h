// FusedState: the state that fused steps advance, as a march of several levels wants it.
//
// A march has one level of each field, which its steps read, and leaves each in another buffer than
// it was read from, since tiles overlap. Where steps read `u[t-1]`, that level is a field of its
// own, `u_prev`, of which a step makes what `u` was. A field for which the C interface has too few
// buffers takes another one from the workspace: names take turns with memory of both, as
// codegen/lower/NextInWorkspace.h says.
#pragma once

#include "codegen/lower/StepLowering.h"

#include <memory>

namespace stencilc {

/// The stencil with a field of its own for each level `u[t-1]` that is read: its update comes after
/// those of the stage that makes `u`, has no text, and is made where that of `u` is. Fields without
/// a boundary at an end are periodic there, or clamp, where other fields do.
Stencil marchedForm(const Stencil &stencil);

/// Whether a pass has levels of fields there. Their rows start as the layout has them, whatever the
/// caller's do: only there are those of both aligned.
bool keepsLevelsInWorkspace(const Program &program);

/// "One step", "4 steps".
std::string stepsOf(int steps);

class FusedState {
public:
  /// Adds to the step's program the buffers that are missing, and what copies points that no
  /// update writes into the targets of a pass.
  explicit FusedState(StepLowering &step);

  /// The state's own signature, buffers and formula, by which kernels of fused steps are made; its
  /// program has the uniforms of the step's.
  const StepLowering &form() const { return *own; }
  /// True of a field that has the level before: it is what that was at any point, also where no
  /// update is made.
  bool isPrevious(unsigned field) const { return field >= written; }

  /// The pass of so many steps that these actions make; they name buffers of the state's form. A
  /// kernel may store what no update writes at the ends of rows.
  Pass pass(int steps, Actions actions, std::optional<unsigned> storesRowEnds) const;
  /// What a run leaves in the workspace is brought home.
  void bringHome(Program &program) const;

private:
  const size_t written; ///< arrays of the stencil as written
  const Stencil stencil;
  std::unique_ptr<StepLowering> own;
  std::vector<unsigned> numbers; ///< of the form's buffers, in the step's program
  std::vector<NewTarget> targets;
  std::vector<When> frames, rowEnds, besideRows; ///< what no update writes; by where it is
  std::vector<LevelAway> aways;
};

} // namespace stencilc
