// KernelBuilder: the idioms shared by all lowerings.
//
// It hands out numbers and unique names, so that a lowering reads as the kernel it builds. Names
// are unique within the kernel and avoid what the printed text uses for itself (n<axis>,
// stride_<axis>, row_<axis>, CUDA's and C's own names).
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/ADT/StringSet.h"

namespace stencilc {

/// Names in one scope; a name taken twice gets a number.
class UniqueNames {
public:
  void reserve(llvm::StringRef name) { taken.insert(name); }
  /// `wanted`, or `wanted_2`, `wanted_3`, ... if that is taken.
  std::string fresh(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> numbers; ///< the largest that was given to a name
};

/// One per axis, slowest first.
using Point = std::vector<Index>;

class KernelBuilder {
public:
  /// Starts a kernel for a program of this signature. All uniforms must exist by then.
  KernelBuilder(const Program &program, std::string name, Target target);

  /// Appends an argument; returns its number.
  unsigned array(ArrayArgument argument);
  /// ... of a buffer's name and shape.
  unsigned array(const Buffer &buffer, Access access, bool readOnlyPath = false);
  /// ... that the launch binds to a buffer of the program, by number.
  unsigned bind(unsigned buffer, Access access, bool readOnlyPath = false);
  unsigned integer(llvm::StringRef name, Index atLeast, Index atMost, IntegerBinding binding);
  /// The argument that holds a `param int`: where it bounds regions along the axis, with the
  /// promise that it leaves them on the grid; else of 64 bits.
  Index wholeParam(unsigned param, std::optional<unsigned> axis = {});
  /// The number of a step, `offset` after the first of the pass.
  Index stepNumber(const Index &offset);
  /// The value of an array over time, by number in the signature, for that step.
  Value overTime(unsigned array, const Index &offset);
  /// The box of an area, params that bound it as arguments.
  PointBox boxOf(const Area &area);
  unsigned local(llvm::StringRef name);
  /// A local whose name others that are wanted so have too: each lives in a body of its own, and in
  /// none of another's.
  unsigned localOfBody(llvm::StringRef name);
  /// Likewise for what loops count by: an axis of that name has another local.
  unsigned localOfLoop(llvm::StringRef name);
  unsigned reg(llvm::StringRef name, ScalarType type);
  unsigned patch(llvm::StringRef name, ScalarType type, std::vector<int> shape);
  unsigned tile(llvm::StringRef name, ScalarType type, std::vector<int> shape);
  unsigned group(llvm::StringRef name, unsigned firstWarp, unsigned warps);

  /// Makes a register with this value and returns it.
  Value let(Body &body, llvm::StringRef name, Value value);
  /// Names an index and returns the name as an Index.
  Index letIndex(Body &body, llvm::StringRef name, Index value);
  /// The same, or what names an equal index in the body already.
  Index letIndexOnce(Body &body, llvm::StringRef name, Index value);
  /// Makes a pointer to a point and returns its number.
  unsigned letPointer(Body &body, llvm::StringRef name, std::vector<Index> point,
                      bool isCarried = false, Layout layout = Layout::Strided);
  /// Appends an unrolled loop over begin .. end - 1, whose body `append` completes; of a single
  /// turn, that body; of an empty body or no turn, nothing. Loops beside each other share the
  /// local's name.
  void unroll(Body &body, llvm::StringRef name, int begin, int end,
              llvm::function_ref<void(Body &, const Index &)> append);
  /// A queue with one slot per name.
  unsigned queue(llvm::StringRef name, ScalarType type, std::vector<std::string> slots);
  /// The scalar argument for uniform `number` of the program; arguments are in order of first use.
  Value uniform(unsigned number);
  Value load(unsigned array, Point point);
  void store(Body &body, unsigned array, Point point, Value value);

  /// The coordinates of a device kernel's thread: `x = first_x + blockIdx.x * kBlockX +
  /// threadIdx.x` for each axis, contiguous axis first, each `first` an integer argument that is at
  /// least `atLeast[axis]` (null: no promise). Sets the block shape and Kernel::sides. With a
  /// `chunk` above 1, each thread has so many planes of the slowest axis to itself, and its
  /// coordinate there is the first of them (`z_begin`). `prefix` begins the names of the block's
  /// constants. With several points each, along x and y, the coordinates are those of a thread's
  /// first.
  Point threads(Body &body, std::array<int, 3> block, llvm::ArrayRef<Index> atLeast, int chunk = 1,
                llvm::StringRef prefix = "kBlock", std::array<int, 2> pointsEach = {1, 1});
  /// The planes that threads() gave each thread along the slowest axis, by the name they have.
  Index chunk() const;

  /// The kernel with this body, without the indices that it names and never uses.
  Kernel finish(Body body);

  Kernel kernel;
  std::vector<IntegerBinding> bindings; ///< of Kernel::integers, for the launch
  std::vector<unsigned> buffers;        ///< that bind() gave to Kernel::arrays, for the launch
  UniqueNames names;

private:
  const Program &program;
  std::map<std::pair<unsigned, int>, unsigned> wholeParams; ///< integers, by param and axis or -1
  std::optional<unsigned> step;                             ///< an integer
  std::map<unsigned, unsigned> arraysOverTime;              ///< arguments, by array
  /// Appends a local whose name is known by what was wanted.
  unsigned shared(llvm::StringMap<std::string> &known, llvm::StringRef name);
  llvm::StringMap<std::string> ofBodies, ofLoops; ///< names, by what was wanted
};

/// `body`, which does the same for every point, inside the host loop over `axis`: along the
/// contiguous axis in vectors, along the others (with one axis, along that one too) in parallel.
Body parallelLoop(unsigned rank, unsigned axis, unsigned local, Index begin, Index end, Body body);

/// The If that ends the body, to be continued, if this is its condition; else a new one.
If &branchOn(Body &body, const Box &box);

/// "X" of "x", "Lat" of "lat": an axis inside a constant's name.
std::string capitalised(llvm::StringRef name);

} // namespace stencilc
