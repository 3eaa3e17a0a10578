// PointBody: the statements that bring one point to its next time level, shared by every lowering
// that has a thread (or a loop iteration) stand on a point.
#pragma once

#include "codegen/lower/StepFormula.h"

namespace stencilc {

/// "u_here", "u_below2_east": what the value of a read is called.
std::string readName(const Stencil &stencil, const Read &read);

/// Where the arrays of a stage are among a kernel's arguments.
struct StageArguments {
  std::vector<std::optional<unsigned>> source; ///< per array of the stencil: read here
  std::vector<std::optional<unsigned>> target; ///< per array: the new level is stored here
  std::vector<unsigned> buffers;               ///< per argument, for the launch
};

/// Adds an argument for every array that the stage reads or makes. A field that needs no second
/// buffer is one ReadWrite argument. Loads of arrays that are only read go through the read-only
/// path if asked for.
StageArguments addArguments(KernelBuilder &kernel, const Program &program, const Stencil &stencil,
                            const Stage &stage, bool readOnlyPath);

/// Comment lines for a kernel: "One step of" and the updates as written.
std::vector<std::string> describeStep(const Stage &stage);

/// The box of points at which `update` is made: its frame left out.
Box updateBox(const Stencil &stencil, const Update &update, const Point &point);
/// The smallest box that holds the boxes of all updates of the stage.
struct StageBox {
  std::array<Index, kMaxRank> begin, end; ///< per axis, over extents
};
StageBox stageBox(const Stencil &stencil, const Stage &stage);

/// The point is known to lie in the stage's box; updates with smaller boxes get their own guard.
class PointBody {
public:
  /// Values that are already in a register, queue or argument where a statement stands.
  using Known = std::map<ExprId, Value>;

  PointBody(KernelBuilder &kernel, const Stencil &stencil, const Stage &stage,
            const StepFormula &formula, const StageArguments &arguments, Point point);
  /// Makes a pointer to the point, which the accesses around it are printed relative to; a loop
  /// that moves the point may carry it.
  unsigned letPointer(Body &body, bool isCarried = false);
  /// The body of a point that a loop moves from this one along `axis`. Names ahead of the loop, in
  /// `body`, what it needs of the other axes.
  PointBody movedAlong(unsigned axis, Index index, Body &body);
  void append(Body &body, const Known &given = {});

  /// What a read at this point sees; names the coordinates that it needs. The point lies in the
  /// box of an update that makes the read.
  Value load(Body &body, const Read &read);
  /// The same at any point of the stage's box: 0 where only updates with smaller boxes would look.
  Value loadAnywhere(Body &body, const Read &read);

private:
  void appendUpdates(Body &body, llvm::ArrayRef<unsigned> updates, Known known);
  /// The tree of a value; what it uses more than once, and every load, is known by then.
  Value tree(ExprId id, const Known &known);
  /// The coordinate along `axis` at a distance, as the array's boundary there sees it.
  Index neighbour(Body &body, unsigned array, unsigned axis, int offset);
  bool getsRegister(ExprId id) const;
  std::string registerName(ExprId id) const;

  KernelBuilder &kernel;
  const Stencil &stencil;
  const Stage &stage;
  const StepFormula &formula;
  const StageArguments &arguments;
  const Point point;
  /// Named coordinates beyond the point, by boundary, axis and offset; all live in the same body.
  std::map<std::tuple<BoundaryKind, unsigned, int>, Index> neighbours;
};

} // namespace stencilc
