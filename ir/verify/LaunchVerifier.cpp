#include "ir/verify/LaunchVerifier.h"

#include "ir/verify/DifferenceConstraints.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

bool stencilc::isOverExtents(const Index &index, unsigned rank) {
  auto all = [&](const auto &...operands) { return (isOverExtents(operands, rank) && ...); };
  return std::visit(
      llvm::makeVisitor([](const IndexConstant &) { return true; },
                        [&](const Coordinate &node) {
                          return node.kind == CoordinateKind::Extent && node.number < rank;
                        },
                        [&](const IndexSum &node) { return all(node.left, node.right); },
                        [&](const IndexScale &node) { return all(node.index); },
                        [&](const IndexQuotient &node) { return all(node.index); },
                        [&](const IndexRemainder &node) { return all(node.index); },
                        [&](const IndexMin &node) { return all(node.left, node.right); },
                        [&](const IndexMax &node) { return all(node.left, node.right); },
                        [](const IndexMap &) { return false; }),
      index->node);
}

namespace {

class LaunchVerifier {
public:
  LaunchVerifier(const Program &program, const Launch &launch, VerifierFault &fault)
      : program(program), launch(launch), kernel(program.kernels[launch.kernel]), fault(fault),
        rank(program.signature.rank()) {}

  void verify() {
    checkBuffers();
    if (!fault)
      checkBox();
    if (!fault && kernel.target == Target::Device)
      checkBlocks();
    if (!fault)
      checkIntegers();
    if (!fault)
      checkExtents();
  }

private:
  template <class... Arguments>
  void report(fmt::format_string<Arguments...> seen, Arguments &&...arguments) {
    fault.report("launch", kernel.name, seen, std::forward<Arguments>(arguments)...);
  }

  void checkBuffers() {
    if (launch.arrays.size() != kernel.arrays.size()) {
      report("{} buffers for {} arrays", launch.arrays.size(), kernel.arrays.size());
      return;
    }
    for (auto [argument, buffer] : llvm::zip_equal(kernel.arrays, launch.arrays))
      checkBuffer(argument, buffer);
    for (auto [number, argument] : llvm::enumerate(kernel.arrays))
      if (argument.access != Access::Read && llvm::count(launch.arrays, launch.arrays[number]) > 1)
        report("the buffer that `{}` writes is bound twice", argument.name);
  }

  void checkBuffer(const ArrayArgument &argument, const BufferRef &buffer) {
    if (buffer.array >= program.signature.arrays.size()) {
      report("`{}` is bound to array {}, which does not exist", argument.name, buffer.array);
      return;
    }
    const SignatureArray &array = program.signature.arrays[buffer.array];
    if (argument.type != array.type)
      report("`{}` is {} and bound to `{}` of {}", argument.name, spelling(argument.type).str(),
             array.name, spelling(array.type).str());
    if (argument.axes != array.axes)
      report("`{}` and `{}` have different axes", argument.name, array.name);
    if (argument.ghost != array.ghost)
      report("`{}` and `{}` have different ghost widths", argument.name, array.name);
    if (buffer.role == BufferRole::Previous && !array.hasPrevious)
      report("`{}` has no previous level", array.name);
    if (buffer.role == BufferRole::Target && !array.hasNext)
      report("`{}` has no target buffer", array.name);
    if (!array.isField && argument.access != Access::Read)
      report("`{}` writes `{}`, which is const", argument.name, array.name);
  }

  void checkBox() {
    for (unsigned axis = 0; axis < rank; ++axis) {
      bool isDevice = kernel.target == Target::Device;
      if (isDevice || launch.firstArgument[axis])
        checkBound(axis, launch.begin[axis]);
      if (isDevice || launch.endArgument[axis])
        checkBound(axis, launch.end[axis]);
    }
  }

  void checkBound(unsigned axis, const Index &bound) {
    if (!bound || !isOverExtents(bound, rank))
      report("the box along {} is not given by extents and constants",
             program.signature.axes[axis]);
  }

  void checkBlocks() {
    for (unsigned axis = 0; axis < rank; ++axis)
      if (launch.cover[axis] < 1)
        report("a block covers {} points along {}", launch.cover[axis],
               program.signature.axes[axis]);
    if (!launch.alignTo)
      return;
    if (*launch.alignTo >= kernel.arrays.size()) {
      report("alignment names array {}, which does not exist", *launch.alignTo);
      return;
    }
    const ArrayArgument &array = kernel.arrays[*launch.alignTo];
    if (array.axes.empty() || array.axes.back() != rank - 1)
      report("alignment names `{}`, which lacks the contiguous axis", array.name);
    std::optional<unsigned> first = launch.firstArgument[rank - 1];
    if (first && *first < kernel.integers.size() && kernel.integers[*first].atLeast)
      report("`{}` promises a lower bound but moves down to a memory line",
             kernel.integers[*first].name);
  }

  /// Every integer argument takes exactly one value, which keeps its promises.
  void checkIntegers() {
    DifferenceConstraints known = knownExtents();
    llvm::BitVector given(kernel.integers.size());
    for (unsigned axis = 0; axis < rank; ++axis) {
      // Slabs start anywhere in the box, at its last point at most; the host has none.
      if (std::optional<unsigned> first = launch.firstArgument[axis]; first && take(given, *first))
        checkPromises(known, *first, launch.begin[axis],
                      kernel.target == Target::Device ? add(launch.end[axis], -1)
                                                      : launch.begin[axis]);
      if (std::optional<unsigned> end = launch.endArgument[axis]; end && take(given, *end))
        checkPromises(known, *end, launch.end[axis], launch.end[axis]);
      if (fault)
        return;
    }
    if (int missing = given.find_first_unset(); missing >= 0)
      report("`{}` is given no value", kernel.integers[missing].name);
  }

  bool take(llvm::BitVector &given, unsigned integer) {
    if (integer >= kernel.integers.size())
      report("there is no integer argument {}", integer);
    else if (given[integer])
      report("`{}` is given two values", kernel.integers[integer].name);
    if (fault)
      return false;
    given.set(integer);
    return true;
  }

  void checkPromises(DifferenceConstraints &known, unsigned number, const Index &least,
                     const Index &greatest) {
    const IntegerArgument &integer = kernel.integers[number];
    if (integer.atLeast && !known.provesAtMost(integer.atLeast, least))
      report("`{}` may fall below {}", integer.name, toString(integer.atLeast, kernel));
    if (integer.atMost && !known.provesAtMost(greatest, integer.atMost))
      report("`{}` may pass {}", integer.name, toString(integer.atMost, kernel));
  }

  void checkExtents() {
    DifferenceConstraints known = knownExtents();
    for (unsigned axis = 0; axis < rank; ++axis)
      if (!known.provesAtMost(constant(kernel.minimumExtent[axis]), extent(axis)))
        report("n{} may be below {}, the kernel's least", program.signature.axes[axis],
               kernel.minimumExtent[axis]);
  }

  /// What holds whenever the launch happens: no extent is 0, and the box of a device's is not
  /// empty.
  DifferenceConstraints knownExtents() const {
    std::array<int64_t, kMaxRank> least = program.signature.minimumExtent;
    for (int64_t &extent : least)
      extent = std::max<int64_t>(extent, 1);
    DifferenceConstraints known(rank, least);
    if (kernel.target == Target::Device)
      for (unsigned axis = 0; axis < rank; ++axis)
        known.assumeAtMost(launch.begin[axis], launch.end[axis], 1);
    return known;
  }

  const Program &program;
  const Launch &launch;
  const Kernel &kernel;
  VerifierFault &fault;
  unsigned rank;
};

} // namespace

void stencilc::verifyLaunch(const Program &program, const Launch &launch, VerifierFault &fault) {
  if (launch.kernel >= program.kernels.size()) {
    fault.report("launch", program.signature.name, "there is no kernel {}", launch.kernel);
    return;
  }
  LaunchVerifier(program, launch, fault).verify();
}
