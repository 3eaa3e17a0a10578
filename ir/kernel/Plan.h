// Plan: the buffers of a Program and what a run does with them, action by action. Launcher,
// interpreter, audit and counts follow it alike.
//
// Semantics of a run of `steps` steps
// -----------------------------------
// If any extent or `steps` is 0, no pass is performed; where the caller takes no numbers of
// reductions, nothing happens at all. Extents below minimumExtent are refused, if none is 0.
// Uniforms are evaluated once. The run performs the prologue; then passes[0] as often as its steps
// fit into what is left of the run, then passes[1], and so on, kinds left out that ask for longer
// axes; then the epilogue. Each advances the state by its number of steps, or by none: the last
// kind of pass advances by one on every grid, so every run comes out even.
//
// A buffer is a name for memory. At the start of a run each name of the caller's stands for what
// the caller passed under it, the others for memory of the workspace, whose contents are undefined;
// so are those of what the caller passed as the next level. A Rename changes what names stand for,
// all at once. At the end of a run the caller's names stand for the caller's memory, in any order,
// and each field's name for its newest level.
//
// The caller's step number counts the steps of earlier runs too. A pass starts at that number; once
// it is performed, the number has grown by its steps.
//
// A When performs one of two lists of actions. Conditions are the same for the whole grid.
#pragma once

#include "ir/kernel/Cover.h"
#include "ir/kernel/Signature.h"

namespace stencilc {

// ---- buffers ----------------------------------------------------------------------------------

/// Whose memory a buffer's name stands for at the start of a run.
struct CallerMemory {
  unsigned array; ///< number in Signature::arrays
  TimeLevel level;
};
/// One number, which the caller may leave out.
struct CallerResult {
  unsigned result; ///< number in Signature::results
};
struct WorkspaceMemory {
  std::optional<unsigned> temp = {}; ///< number in Signature::arrays of the temp that it holds
};
using Owner = std::variant<CallerMemory, CallerResult, WorkspaceMemory>;

struct Buffer {
  std::string name; ///< "u", "u_prev", "u_next"
  ScalarType type;
  llvm::SmallVector<unsigned, 3> axes;
  Widths ghost = {};
  Owner owner;
  Layout layout = Layout::Strided;
  bool isOverTime = false; ///< a value a step, and no axes
  /// Of a list in the workspace, which has no axes: elements along each of its dimensions, over
  /// extents and constants.
  std::vector<Index> lengths = {};
};
/// Elements of a list.
int64_t elementsOf(const Buffer &list, llvm::ArrayRef<int64_t> extents);

/// What the caller passes, in the order of the arguments: of each array its current level, then
/// where they exist the previous and the next; then the results. A Program's buffers begin with
/// these.
std::vector<Buffer> callerBuffers(const Signature &signature);
/// The number of one of them.
unsigned bufferOf(const Signature &signature, unsigned array, TimeLevel level = TimeLevel::Current);
/// Memory of the workspace for a temp, ghost points included: of Layout::Rows.
Buffer tempBuffer(const Signature &signature, unsigned temp);
/// The number of the buffer that holds a temp.
unsigned bufferOfTemp(llvm::ArrayRef<Buffer> buffers, unsigned temp);
/// Memory of the workspace that can take the place of a buffer's.
Buffer twinOf(const Buffer &buffer, std::string name);
/// The level whose buffer takes a field's new values.
TimeLevel targetLevel(const SignatureArray &field);

// ---- actions ----------------------------------------------------------------------------------

/// What a launch gives an integer argument of its kernel.
struct FirstOf {
  unsigned axis; ///< where the first block starts (of the slab)
  bool operator==(const FirstOf &) const = default;
};
struct EndOf {
  unsigned axis; ///< the end of the box
  bool operator==(const EndOf &) const = default;
};
struct WholeParam {
  unsigned param; ///< number in Signature::params
  bool operator==(const WholeParam &) const = default;
};
/// The number of a step of the pass: `offset` steps after the first.
struct StepNumber {
  int offset = 0;
  bool operator==(const StepNumber &) const = default;
};
/// How many elements a list has.
struct ElementsOf {
  unsigned buffer;
  bool operator==(const ElementsOf &) const = default;
};
using IntegerBinding = std::variant<FirstOf, EndOf, WholeParam, StepNumber, ElementsOf>;
int64_t integerOf(const IntegerBinding &binding, llvm::ArrayRef<Buffer> buffers,
                  const PlacedCover &cover, const RunNumbers &numbers);

struct Launch {
  unsigned kernel;               ///< number in Program::kernels
  std::string comment;           ///< what it does, for the launcher's reader
  std::vector<unsigned> buffers; ///< one per Kernel::arrays: numbers in Program::buffers
  Cover cover;
  std::vector<IntegerBinding> integers; ///< one per Kernel::integers
};

/// After it, the first of each pair stands for the memory that the second stood for: a permutation
/// of buffers of one shape.
struct Rename {
  std::vector<std::pair<unsigned, unsigned>> pairs;
};

/// The pass is one of the first `count` of the run, whatever their kinds.
struct FirstPasses {
  int64_t count;
};
/// In every row of these buffers, the element at contiguous index `at` starts a piece of `bytes`.
struct Aligned {
  int64_t bytes, at;
  std::vector<unsigned> buffers;
};
/// The name stands for memory of the workspace.
struct Away {
  unsigned buffer;
};
/// The caller takes this result.
struct Wanted {
  unsigned buffer;
};
/// No extent is 0. Outside passes that is not known, as numbers are reduced from nothing too.
struct HasPoints {};
/// Along each of these axes, the points are a multiple of so many: pieces of them are all whole;
/// and they are enough.
struct WholePieces {
  struct Along {
    unsigned axis;
    Index points; ///< the axis's extent but for a constant: some grids have whole pieces
    int64_t each;
    int64_t least = 0; ///< points
  };
  std::vector<Along> axes;
};
/// No array with strides has more than Program::mostShort elements, ghost points included: 32 bits
/// hold their linear addresses, and have room for those that threads name beside the grid.
struct ShortAddresses {};
using Condition =
    std::variant<FirstPasses, Aligned, Away, Wanted, HasPoints, WholePieces, ShortAddresses>;

struct Action;
using Actions = std::vector<Action>;
struct When {
  Condition condition;
  Actions then, otherwise;
};
/// Copied, moved and destroyed in Plan.cpp alone, like a Statement in Kernel.cpp.
struct Action {
  template <class Node> Action(Node node);
  Action(const Action &);
  Action(Action &&) noexcept;
  Action &operator=(const Action &);
  Action &operator=(Action &&) noexcept;
  ~Action();

  std::variant<Launch, Rename, When> node;
};

// ---- passes -----------------------------------------------------------------------------------

/// The points [begin, end).
struct PointBox {
  std::array<Index, kMaxRank> begin, end; ///< per axis, over extents, constants and whole params
};
/// How a whole param that bounds regions along an axis is named.
using ParamIndex = llvm::function_ref<Index(unsigned axis, unsigned param)>;
/// The points of an area, for params in their ranges.
PointBox boxOf(const Area &area, unsigned rank, const ParamRanges &ranges, ParamIndex paramIndex);
/// ... as plans name params.
PointBox boxOf(const Area &area, unsigned rank, const ParamRanges &ranges);
/// Points that a pass stores exactly once, in the memory that the name stands for when it ends.
struct Owed {
  unsigned buffer;
  std::vector<PointBox> boxes;
};

struct Pass {
  int steps = 1; ///< that it advances the state by
  Actions actions = {};
  std::vector<Owed> owed = {};
  /// Runs on grids with less along an axis leave this kind out.
  std::array<int64_t, kMaxRank> minimumExtent = {};
};
/// True if runs on such a grid perform passes of the kind.
bool isPerformedOn(const Pass &pass, llvm::ArrayRef<int64_t> extents);

struct Plan {
  Actions prologue;
  std::vector<Pass> passes; ///< by numbers of steps that never rise; the last makes one
  Actions epilogue;
};

/// How often a run of `steps` steps performs each kind of pass.
std::vector<int64_t> passCounts(const Plan &plan, llvm::ArrayRef<int64_t> extents, int64_t steps);
/// The kind that a long run consists of.
const Pass &steadyPass(const Plan &plan, llvm::ArrayRef<int64_t> extents);

/// The one rule by which levels take each other's places after a pass: the new values become the
/// current level, what was current becomes the previous one where the field has that.
Rename rotation(const Signature &signature);
/// How many passes of a run have a new target, in which the points that no update writes are not
/// yet what they are in the field: 0 where it is updated in place.
int64_t newTargets(const SignatureArray &field);
/// What a stencil's steps owe, however many a pass makes: all that is made of fields, and of the
/// temps that have a buffer.
std::vector<Owed> owedBy(const Stencil &stencil, llvm::ArrayRef<Buffer> buffers);

bool areWhole(const WholePieces &pieces, llvm::ArrayRef<int64_t> extents);
/// Ghost points along the slowest axis of the array with strides that has most.
int mostGhostPlanes(llvm::ArrayRef<Buffer> buffers);
/// Less than 2^31 by some planes.
inline constexpr int64_t kMostShort = 2'000'000'000;
/// Whether ShortAddresses holds where rows lie one after the other.
bool areShort(llvm::ArrayRef<Buffer> buffers, llvm::ArrayRef<int64_t> extents, int64_t most);

/// True if names change what they stand for.
bool renames(const Plan &plan);

/// The launches that the actions make where conditions hold as `holds` says, in order.
std::vector<const Launch *> launchesWhere(const Actions &actions,
                                          llvm::function_ref<bool(const Condition &)> holds);

/// Calls `visit` for every launch of a list of actions, in the order of the text.
template <class SomeActions, class Visit> void forEachLaunch(SomeActions &actions, Visit &&visit) {
  for (auto &action : actions)
    std::visit(
        [&](auto &node) {
          using Node = std::decay_t<decltype(node)>;
          if constexpr (std::is_same_v<Node, When>) {
            forEachLaunch(node.then, visit);
            forEachLaunch(node.otherwise, visit);
          } else if constexpr (std::is_same_v<Node, Launch>) {
            visit(node);
          } else {
            static_assert(std::is_same_v<Node, Rename>);
          }
        },
        action.node);
}
/// ... of a plan.
template <class SomePlan, class Visit> void forEachLaunchOf(SomePlan &plan, Visit &&visit) {
  forEachLaunch(plan.prologue, visit);
  for (auto &pass : plan.passes)
    forEachLaunch(pass.actions, visit);
  forEachLaunch(plan.epilogue, visit);
}

} // namespace stencilc
