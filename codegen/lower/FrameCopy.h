// FrameCopy: the launches that bring the points which no update writes (frames and ghost points)
// into each buffer that a run makes its target for the first time.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

/// The boxes that a kernel copies: of any shape, or few points wide along the contiguous axis.
enum class CopiedBoxes { Any, Narrow };

/// A kernel that copies a box of points between two buffers of one type and shape.
struct CopyKernel {
  const SignatureArray *shape; ///< an array that it fits
  std::vector<Area> made;      ///< the points that it leaves out
  CopiedBoxes boxes;
  unsigned kernel; ///< number in Program::kernels
  std::vector<IntegerBinding> integers;

  bool fits(const SignatureArray &array, llvm::ArrayRef<Area> leftOut, CopiedBoxes wanted) const {
    return shape->type == array.type && shape->ghost == array.ghost && shape->axes == array.axes &&
           leftOut == llvm::ArrayRef(made) && boxes == wanted;
  }
};

/// A buffer that takes a field's new values, or those before them, and is one of the run's first
/// passes' for the first time.
struct NewTarget {
  unsigned field;
  unsigned buffer;
  int64_t passes; ///< after which the run makes no buffer the target for the first time
};

/// Slabs around a box: all, those at the ends of rows, or the others.
enum class Slabs { All, RowEnds, BesideRows };

class FrameCopies {
public:
  FrameCopies(Program &program, const Stencil &stencil, const StencilAreas &areas)
      : program(program), stencil(stencil), areas(areas) {}

  /// What follows the launches that make a stage: for every field whose new level is stored in
  /// another buffer, and that no stage has made before, one launch per slab around the points that
  /// are written, or one of all points but those if they are no box; under the condition that the
  /// target is new. No earlier, since the stage may read what was in the target; no later, since
  /// the next one may read the new level. Adds kernels to the program; fields alike in type and
  /// ghost widths share one.
  std::vector<When> after(unsigned stage);
  /// The same for the stage's fields where other buffers are their targets.
  std::vector<When> into(llvm::ArrayRef<NewTarget> targets, unsigned stage,
                         Slabs slabs = Slabs::All);

private:
  /// Where the field is made, if no stage before makes it; none otherwise.
  std::vector<Area> firstMade(unsigned field, unsigned stage) const;
  void append(Actions &actions, const NewTarget &target, std::vector<Area> made, Slabs slabs);
  /// The kernel for a field that leaves out these points.
  const CopyKernel &kernelFor(const NewTarget &target, const std::vector<Area> &leftOut,
                              CopiedBoxes boxes);

  Program &program;
  const Stencil &stencil;
  const StencilAreas &areas;
  std::vector<CopyKernel> kernels;
};

/// A level of a field that may be in the workspace when a run ends, and the buffer whose name then
/// stands for memory of the caller's.
struct LevelAway {
  unsigned field;
  TimeLevel level;
  unsigned home;
};
/// For each a launch that copies all points of the level to that buffer; adds kernels to the
/// program.
std::vector<Launch> copiesBack(Program &program, llvm::ArrayRef<LevelAway> levels);

} // namespace stencilc
