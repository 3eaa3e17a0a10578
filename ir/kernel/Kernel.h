// Kernel: one lowered device (or host) function.
//
// Semantics
// ---------
// A device kernel is run by a grid of blocks of block[0] x block[1] x block[2] threads; `Block` and
// `Thread` coordinates tell a thread where it is. A host kernel is run once; its loops
// that are not serial or unrolled may run their turns in any order and at the same time.
//
// Memory. An array argument is a box of elements, addressed by one Index per axis of that array.
// Legal indices on axis a are -ghost[a][Low] .. extent(a) - 1 + ghost[a][High]. Layouts say how far
// apart in memory neighbours are. Arrays of different arguments do not overlap. An argument is
// read, written, or both; one that is both is accessed by each thread in a piece of its own, of a
// point or of several, and read before it is written; where isReadElsewhere says so, threads also
// read elements that none of them writes. No two threads of a launch write the same element. A Read
// argument on the read-only path is never written while the kernel runs.
//
// Registers belong to a thread. `Let` makes one and gives it its only value; `Assign` changes one
// that was made by `LetMutable`. A queue is a row of registers with a fixed length; its slots are
// numbered from 0 at compile time, `Rotate` moves slot i+1 into slot i, and the last slot keeps its
// value until it is assigned. A patch is an array of registers, such as the points a thread has to
// itself in several planes: its indices hold constants and locals of unrolled loops only, so that
// each element is a register. `ShiftPatch` moves slice i+1 along its first axis into slice i.
//
// Vector accesses move 2 or 4 consecutive elements of a row between memory and the last axis of a
// patch as one access. The launch promises where rows are aligned (ArrayArgument::alignment).
//
// Shared tiles belong to a block; on the host, to a turn of the outermost parallel loops, or to the
// kernel if it has none. Their contents are undefined until stored. A value stored by one thread
// may be read by another only after a Barrier that both pass. A barrier waits for all threads of
// the block, or of the group of warps it names, and stands only where every one of them arrives:
// outside any If, For or return whose condition depends on the thread. All warps of a group meet
// its barriers in one order.
//
// Asynchronous copies. `CopyAsync` starts a copy from global memory into a tile; `CommitCopies`
// closes a batch of those that the thread has started; `WaitCopies` waits until all but the newest
// `pending` batches of this thread have arrived. Until then the elements written are undefined, and
// after it they count as stored by this thread.
//
// Clusters. Where `cluster` is 2, the blocks with numbers 2k and 2k + 1 along y are partners: they
// run at the same time, and one puts elements into tiles of the other. All that it puts there under
// one number is a message; numbers count from 0. `AwaitMessage` waits until so many bytes of the
// partner's message with this number have come, each of which counts as stored then by the lane
// with the number of the one that sent it. One warp of a block sends and awaits, by turns: all of
// message m, then the partner's message m. The
// partner may send message m + 1 once it has got m, so its elements are undefined from the last
// sending of m until m + 1 is awaited. Partners send messages of the same numbers, and every one is
// awaited.
//
// Warps. 32 threads with consecutive numbers, x fastest, are a warp; its threads execute a
// statement together. `Roles` gives bodies of their own to disjoint ranges of the block's warps; a
// warp in none of them runs none. `Shuffle` hands a value from lane to lane of a warp all of whose
// lanes arrive.
//
// Control. `If` runs one of two bodies, by a Box. `ReturnUnless` ends the thread where the Box does
// not hold. `For` counts its local from begin to end - 1 by `step` (>= 1); begin and end are
// evaluated once. A Box is a conjunction of lower <= index < upper.
//
// Pointers. `LetPointer` gives pointer `pointer` the linear address of an index vector, in elements
// of any array of one layout; a loop that carries it keeps it at the loop's local along one axis.
// Pointers change how addresses are printed, never which element is accessed.
//
// Values are evaluated in the order and association given by their trees, each operation rounded
// once to its type (ir/stencil/Scalar.h); a target's printer may let the compiler fuse them
// (--fp=contract), the interpreter never does. `Guarded` evaluates only the side that its Box
// selects; every other value evaluates all its operands.
//
// Integers are 32 bits wide on the device except in linear addresses, which first appear in the
// printer and are 64 bits wide, but in kernels with short addresses: launchers check extents so
// that no coordinate overflows. A wide argument holds what no extent limits. An index that holds
// one has 64 bits itself: it becomes a number, picks a value of an array over time, or stands in a
// Box; no local takes it.
//
// To add a statement or value: add the struct here, then follow the compiler through KernelText,
// KernelVerifier, KernelInterpreter, KernelWalk, KernelAudit and the printer; add its rule to
// KernelVerifier.h.
#pragma once

#include "ir/kernel/Index.h"
#include "ir/stencil/StencilFacts.h"

namespace stencilc {

// ---- layouts ----------------------------------------------------------------------------------

/// How the elements of an array lie. The last axis is contiguous in all of them.
enum class Layout {
  Strided, ///< by the strides that the caller gives: arrays with all axes share them
  Rows,    ///< by the strides of the workspace, of whole memory lines a row: likewise
  Dense    ///< one after another, ghost points included
};
/// Whether arrays of the layout share strides: they have all axes, and pointers serve them all.
inline bool hasStrides(Layout layout) { return layout != Layout::Dense; }

// ---- values -----------------------------------------------------------------------------------

struct ValueNode;
/// Immutable and shared. Never null where a Value is asked for.
using Value = std::shared_ptr<const ValueNode>;

/// Conjunction of lower <= index < upper; a null bound is absent.
struct Range {
  Index index, lower, upper;
};
using Box = std::vector<Range>;

struct LiteralValue {
  double value;
};
/// A param of the stencil, by number; stands only in the uniforms of a Program.
struct ParamLeaf {
  unsigned param;
};
/// A scalar argument: number in Kernel::uniforms (in the value of a uniform: in Program::uniforms).
struct UniformValue {
  unsigned argument;
};
struct RegisterValue {
  unsigned reg;
};
struct QueueSlotValue {
  unsigned queue, slot;
};
struct LoadGlobal {
  unsigned array; ///< number in Kernel::arrays
  std::vector<Index> index;
};
struct LoadShared {
  unsigned tile;
  std::vector<Index> index;
};
struct UnaryValue {
  UnaryOp op;
  Value operand;
};
struct BinaryValue {
  BinaryOp op;
  Value left, right;
};
struct CompareValue {
  CompareOp op;
  Value left, right;
};
struct SelectValue {
  Value condition, then, otherwise;
};
struct CallValue {
  Builtin function;
  std::vector<Value> operands;
};
struct CastValue {
  Value operand;
};
/// `inside` where the Box holds, else `outside`; only that one is evaluated.
struct GuardedValue {
  Box box;
  Value inside, outside;
};
/// An element of a patch, one index per axis of its shape.
struct PatchElement {
  unsigned patch;
  std::vector<Index> at;
};
enum class ShuffleFrom { LowerLane, HigherLane };
/// The operand as the lane `distance` (1 .. 31) below or above evaluates it; lanes that have no
/// such lane keep their own. The operand reads registers only.
struct ShuffleValue {
  ShuffleFrom from;
  unsigned distance;
  Value operand;
};
/// An integer as a number, rounded once: a point's position, the number of the step.
struct IndexValue {
  Index index;
};

struct ValueNode {
  ScalarType type;
  std::variant<LiteralValue, ParamLeaf, UniformValue, RegisterValue, QueueSlotValue, LoadGlobal,
               LoadShared, UnaryValue, BinaryValue, CompareValue, SelectValue, CallValue, CastValue,
               GuardedValue, PatchElement, ShuffleValue, IndexValue>
      node;
};

/// Makes a value of any kind.
template <class Node> Value makeValue(ScalarType type, Node node);

// ---- statements -------------------------------------------------------------------------------

struct Statement;
using Body = std::vector<Statement>;

/// Makes local coordinate `local`.
struct LetIndex {
  unsigned local;
  Index value;
};
struct LetPointer {
  unsigned pointer; ///< number in Kernel::pointers
  std::vector<Index> index;
  bool isCarried = false; ///< a later loop carries it
  Layout layout = Layout::Strided;
};
struct Let {
  unsigned reg;
  Value value;
};
/// A register that Assign may change, with its first value.
struct LetMutable {
  unsigned reg;
  Value value;
};
struct Assign {
  unsigned reg;
  Value value;
};
struct AssignSlot {
  unsigned queue, slot;
  Value value;
};
/// Slot i takes the value of slot i+1.
struct Rotate {
  unsigned queue;
};
struct AssignElement {
  unsigned patch;
  std::vector<Index> at;
  Value value;
};
struct ShiftPatch {
  unsigned patch;
};
struct StoreGlobal {
  unsigned array;
  std::vector<Index> index;
  Value value;
};
struct StoreShared {
  unsigned tile;
  std::vector<Index> index;
  Value value;
};
/// `lanes` elements of a patch, consecutive along its last axis.
struct PatchRow {
  unsigned patch;
  std::vector<Index> at; ///< of the first
  unsigned lanes;        ///< 2 or 4
};
/// The row of the patch takes the elements at `index` and after it along the contiguous axis.
struct LoadVector {
  PatchRow row;
  unsigned array;
  std::vector<Index> index;
};
struct StoreVector {
  unsigned array;
  std::vector<Index> index;
  PatchRow row;
};
/// The same for a tile; along its last axis, `index` is a multiple of `lanes`.
struct LoadSharedVector {
  PatchRow row;
  unsigned tile;
  std::vector<Index> index;
};
struct StoreSharedVector {
  unsigned tile;
  std::vector<Index> index;
  PatchRow row;
};
/// Starts to copy 1, 2 or 4 (`lanes`) consecutive elements, 4, 8 or 16 bytes in all.
struct CopyAsync {
  unsigned tile;
  std::vector<Index> to;
  unsigned array;
  std::vector<Index> from;
  unsigned lanes;
};
struct CommitCopies {};
struct WaitCopies {
  unsigned pending;
};
/// `lanes` elements of the partner's tile, at `to` and after it, take those at `from` of the own
/// one, 8 or 16 bytes in all; see Clusters.
struct SendVector {
  unsigned tile;
  std::vector<Index> from, to;
  unsigned lanes;
  Index message;
};
struct AwaitMessage {
  Index message;
  unsigned bytes; ///< of it, in all
};
struct Barrier {
  std::optional<unsigned> group = {}; ///< number in Kernel::groups; none: the whole block
};
struct If {
  Box box;
  Body then, otherwise;
};
struct ReturnUnless {
  Box box;
};
/// How the turns of a loop may run. Those of the last three kinds are independent of one another.
enum class LoopKind {
  Serial,
  Unroll,
  Parallel,       ///< shared among threads
  Vector,         ///< neighbouring ones at once, in the lanes of vectors
  ParallelVector, ///< both
};
inline bool isParallel(LoopKind kind) {
  return kind == LoopKind::Parallel || kind == LoopKind::ParallelVector;
}
inline bool isVector(LoopKind kind) {
  return kind == LoopKind::Vector || kind == LoopKind::ParallelVector;
}
/// A pointer that a loop carries along, so that no turn computes it anew. It was made before the
/// loop, in the same Body, with the loop's begin as its index along `axis`; in the loop's body it
/// has the loop's local there, and after the loop it means nothing.
struct CarriedPointer {
  unsigned pointer, axis;
};
/// Says of a loop that threads spend their time in it, how early it loads, and what a turn is
/// worth. Of several, one after the other or in a branch each, all say so.
struct SteadyLoop {
  int phasesAhead = 0; ///< between the phase that loads a value and the first that uses it
  int phases = 1;      ///< of a turn: parts that wait for what they or earlier ones have loaded
  int planes = 1;      ///< of the slowest axis that a turn moves on
};
struct For {
  LoopKind kind;
  unsigned local;
  Index begin, end;
  int64_t step = 1;
  Body body;
  std::vector<CarriedPointer> carries = {};
  std::optional<SteadyLoop> steady = {};
};
/// What some of the block's warps do, while the others do something else.
struct Role {
  std::string name; ///< a comment for the reader
  unsigned firstWarp, warps;
  Body body;
};
struct Roles {
  std::vector<Role> roles; ///< by their first warp
};
/// A comment that opens a phase of the kernel.
struct Phase {
  std::string text;
};

/// A statement of any kind. What copies, moves and destroys one is compiled once, not wherever
/// bodies are at hand.
struct Statement {
  using Node =
      std::variant<LetIndex, LetPointer, Let, LetMutable, Assign, AssignSlot, Rotate, AssignElement,
                   ShiftPatch, StoreGlobal, StoreShared, LoadVector, StoreVector, LoadSharedVector,
                   StoreSharedVector, CopyAsync, CommitCopies, WaitCopies, SendVector, AwaitMessage,
                   Barrier, If, ReturnUnless, For, Roles, Phase>;
  template <class AnyNode> Statement(AnyNode node);
  Statement(const Statement &);
  Statement(Statement &&) noexcept;
  Statement &operator=(const Statement &);
  Statement &operator=(Statement &&) noexcept;
  ~Statement();

  Node node;
};

// ---- kernels ----------------------------------------------------------------------------------

constexpr unsigned kLanesPerWarp = 32;

enum class Access { Read, Write, ReadWrite };

/// In every row, the element whose contiguous index is `at` starts a piece of `elements` elements
/// that is aligned to its size. `at` is over constants and integer arguments.
struct Alignment {
  unsigned elements;
  Index at;
};

struct ArrayArgument {
  std::string name;
  ScalarType type;
  llvm::SmallVector<unsigned, 3> axes; ///< of the stencil, slowest first
  Widths ghost = {};                   ///< legal indices beyond the extents
  Access access = Access::Read;
  bool readOnlyPath = false; ///< loads may go through the read-only cache; Access::Read only
  bool asksForPath = false;  ///< each load asks for that in the text: `__ldg`
  std::optional<Alignment> alignment = {}; ///< what vector accesses rely on
  Layout layout = Layout::Strided;
  /// It has a value a step and no axes; its one index is a step's number: an integer argument and a
  /// constant.
  bool isOverTime = false;
  /// Of a list, which has no axes: elements along each of its dimensions, over extents, constants
  /// and integer arguments. A list of one dimension takes any list as it lies in memory.
  std::vector<Index> lengths = {};
  /// Of a ReadWrite argument: elements are read, too, that the launch does not write.
  bool isReadElsewhere = false;

  /// The axis of a grid of this rank along which its elements lie one after the other. What is over
  /// time stands at no place of the grid, and counts as one in a row of it.
  unsigned contiguousAxis(unsigned rank) const { return axes.empty() ? rank - 1 : axes.back(); }
};

/// An integer argument with what every launch promises of it. Bounds are over extents and
/// constants; a null bound promises nothing.
struct IntegerArgument {
  std::string name;
  Index atLeast, atMost;
  bool isWide = false; ///< 64 bits: a step's number, a param that bounds no region
};

struct Register {
  std::string name;
  ScalarType type;
};
struct Queue {
  std::string name;
  ScalarType type;
  std::vector<std::string> slots; ///< the name of each, from slot 0 on

  unsigned length() const { return slots.size(); }
};
struct Patch {
  std::string name;
  ScalarType type;
  std::vector<int> shape; ///< elements per axis
};
/// Warps that wait for each other at barriers of their own.
struct WarpGroup {
  std::string name;
  unsigned firstWarp, warps;
};
struct SharedTile {
  std::string name;
  ScalarType type;
  std::vector<int> shape; ///< elements per axis, slowest first
  int padding = 0;        ///< of a row's elements, those at its end that hold nothing
};

enum class Target { Device, Host };

/// A compile-time number with a name: `constexpr int kBlockX = 32;  // why`.
struct NamedConstant {
  std::string name;
  int64_t value;
  std::string comment;
};

struct Kernel {
  std::string name;
  Target target = Target::Device;
  std::vector<std::string> axes;        ///< of the stencil, slowest first
  std::array<int, 3> block = {1, 1, 1}; ///< threads along x, y, z; device only
  int cluster = 1;                      ///< 2: blocks are partners, two by two along y
  bool promisesResidency = false;       ///< to the compiler: the blocks per SM of the schedule
  /// Linear addresses have 32 bits: it is launched where ShortAddresses holds.
  bool hasShortAddresses = false;
  /// On a device that can: before the kernel before it has ended, for which it waits itself. Of
  /// those that use all registers nvcc spills some then.
  bool startsEarly = true;
  std::vector<std::string> comment;     ///< lines above the kernel: what it computes
  std::vector<NamedConstant> constants; ///< printed by name where an Index holds the value
  /// Along x, y, z, the number in `constants` of the points that a block advances: its threads, or
  /// what a thread marches through. Where that is the value, block shape and covers print its name.
  std::array<std::optional<unsigned>, 3> sides = {};
  std::vector<ArrayArgument> arrays;
  std::vector<unsigned> uniforms; ///< numbers in Program::uniforms, as scalar arguments
  std::vector<IntegerArgument> integers;
  /// Extents are at least this, per axis; launches of smaller grids are refused or left out.
  std::array<int64_t, kMaxRank> minimumExtent = {};
  std::vector<std::string> locals;
  std::vector<std::string> pointers;
  std::vector<Register> registers;
  std::vector<Queue> queues;
  std::vector<Patch> patches;
  std::vector<WarpGroup> groups; ///< at most 15
  std::vector<SharedTile> tiles;
  Body body;

  unsigned rank() const { return axes.size(); }
  int threads() const { return block[0] * block[1] * block[2]; }
  /// The last one may have fewer threads than lanes.
  unsigned warps() const { return (threads() + kLanesPerWarp - 1) / kLanesPerWarp; }
  bool isOfWholeWarps() const { return threads() % kLanesPerWarp == 0; }
};

/// Dimension of the block and grid (0 = x) that runs along `axis`: the contiguous axis is x.
inline unsigned dimensionOf(unsigned axis, unsigned rank) { return rank - 1 - axis; }

} // namespace stencilc
