#include "ir/verify/LaunchVerifier.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

bool stencilc::isOverExtents(const Index &index, unsigned rank,
                             llvm::ArrayRef<SignatureParam> params) {
  if (std::holds_alternative<IndexMap>(index->node))
    return false;
  if (const auto *node = std::get_if<Coordinate>(&index->node)) {
    if (node->kind == CoordinateKind::WholeParam)
      return node->number < params.size() && params[node->number].type == ScalarType::Int;
    return node->kind == CoordinateKind::Extent && node->number < rank;
  }
  bool areAll = true;
  forEachOperand(*index, [&](const Index &operand) {
    areAll = areAll && isOverExtents(operand, rank, params);
  });
  return areAll;
}

DifferenceConstraints stencilc::knownOfRuns(const Signature &signature) {
  std::array<int64_t, kMaxRank> least = signature.minimumExtent;
  for (int64_t &extent : least)
    extent = std::max<int64_t>(extent, 1);
  DifferenceConstraints known(signature.rank(), least);
  for (const auto &[place, range] : signature.paramRanges) {
    const auto [axis, number] = place;
    const Index param = coordinate(CoordinateKind::WholeParam, number);
    known.assumeAtMost(constant(-range.least), param);
    known.assumeAtMost(add(param, range.most), extent(axis));
  }
  return known;
}

KernelUses::KernelUses(const Kernel &kernel) : blocks(blockUses(kernel)) {
  forEachValue(kernel.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      const auto *load = std::get_if<LoadGlobal>(&part.node);
      if (!load || !kernel.arrays[load->array].isOverTime)
        return;
      const LinearIndex step = linear(load->index.front());
      steps.push_back(
          {load->array, std::get<Coordinate>(step.terms.front().atom->node).number, step.constant});
    });
  });
}

namespace {

class LaunchVerifier {
public:
  LaunchVerifier(const Program &program, const Launch &launch, const KernelUses &uses,
                 const LaunchPlace &place, VerifierFault &fault)
      : program(program), launch(launch), kernel(program.kernels[launch.kernel]), uses(uses),
        pass(place.pass),
        mayBeEmpty(!pass && !place.hasPoints && !program.signature.results.empty()),
        steps(pass ? pass->steps : 0), aligned(place.aligned), whole(place.whole),
        isShort(place.isShort), fault(fault), rank(program.signature.rank()) {}

  void verify() {
    if (kernel.hasShortAddresses && !isShort)
      report("it has addresses of 32 bits, and stands where arrays may be larger");
    if (!fault)
      checkBuffers();
    if (!fault)
      checkBox();
    if (!fault)
      known.emplace(knownExtents());
    if (!fault && kernel.target == Target::Device)
      checkBlocks();
    if (!fault)
      checkIntegers();
    if (!fault)
      checkAlignment();
    if (!fault)
      checkSteps();
    if (!fault)
      checkExtents();
    if (!fault && kernel.target == Target::Device)
      checkCover();
  }

private:
  template <class... Arguments>
  void report(fmt::format_string<Arguments...> seen, Arguments &&...arguments) {
    fault.report("launch", kernel.name, seen, std::forward<Arguments>(arguments)...);
  }

  void checkBuffers() {
    if (launch.buffers.size() != kernel.arrays.size()) {
      report("{} buffers for {} arrays", launch.buffers.size(), kernel.arrays.size());
      return;
    }
    for (auto [argument, buffer] : llvm::zip_equal(kernel.arrays, launch.buffers))
      checkBuffer(argument, buffer);
    for (auto [number, argument] : llvm::enumerate(kernel.arrays))
      if (argument.access != Access::Read &&
          llvm::count(launch.buffers, launch.buffers[number]) > 1)
        report("the buffer that `{}` writes is bound twice", argument.name);
  }

  void checkBuffer(const ArrayArgument &argument, unsigned number) {
    if (number >= program.buffers.size()) {
      report("`{}` is bound to buffer {}, which does not exist", argument.name, number);
      return;
    }
    const Buffer &buffer = program.buffers[number];
    if (argument.type != buffer.type)
      report("`{}` is {} and bound to `{}` of {}", argument.name, spelling(argument.type).str(),
             buffer.name, spelling(buffer.type).str());
    if (argument.axes != buffer.axes)
      report("`{}` and `{}` have different axes", argument.name, buffer.name);
    if (argument.isOverTime != buffer.isOverTime)
      fault.report("time", kernel.name, "one of `{}` and `{}` is over time", argument.name,
                   buffer.name);
    if (!isSameList(argument, number))
      fault.report("list", kernel.name, "`{}` and `{}` have different lengths", argument.name,
                   buffer.name);
    if (argument.ghost != buffer.ghost)
      report("`{}` and `{}` have different ghost widths", argument.name, buffer.name);
    if (argument.layout != buffer.layout)
      report("`{}` and `{}` lie differently in memory", argument.name, buffer.name);
    const auto *owner = std::get_if<CallerMemory>(&buffer.owner);
    if (owner && !program.signature.arrays[owner->array].isField() &&
        argument.access != Access::Read)
      report("`{}` writes `{}`, which is const", argument.name, buffer.name);
  }

  /// Of the same lengths, or of one that is the number of the list's elements.
  bool isSameList(const ArrayArgument &argument, unsigned number) const {
    const Buffer &buffer = program.buffers[number];
    if (argument.lengths.size() == 1 && !buffer.lengths.empty())
      if (const auto *node = std::get_if<Coordinate>(&argument.lengths.front()->node);
          node && node->kind == CoordinateKind::Argument && node->number < launch.integers.size() &&
          launch.integers[node->number] == IntegerBinding(ElementsOf{number}))
        return true;
    return llvm::equal(argument.lengths, buffer.lengths,
                       [](const Index &one, const Index &other) { return equal(one, other); });
  }

  void checkBox() {
    for (unsigned axis = 0; axis < rank; ++axis) {
      checkBound(axis, launch.cover.begin[axis]);
      checkBound(axis, launch.cover.end[axis]);
    }
  }

  void checkBound(unsigned axis, const Index &bound) {
    if (!bound || !isOverExtents(bound, rank, program.signature.params))
      report("the box along {} is not given by extents, constants and whole params",
             program.signature.axes[axis]);
  }

  void checkBlocks() {
    const Cover &cover = launch.cover;
    for (unsigned axis = 0; axis < rank; ++axis)
      if (cover.points[axis] < 1)
        report("a block covers {} points along {}", cover.points[axis],
               program.signature.axes[axis]);
    if (!cover.alignTo)
      return;
    if (*cover.alignTo >= kernel.arrays.size()) {
      report("alignment names array {}, which does not exist", *cover.alignTo);
      return;
    }
    const ArrayArgument &array = kernel.arrays[*cover.alignTo];
    if (array.axes.empty() || array.axes.back() != rank - 1)
      report("alignment names `{}`, which lacks the contiguous axis", array.name);
    for (auto [integer, binding] : llvm::zip(kernel.integers, launch.integers))
      if (binding == IntegerBinding(FirstOf{rank - 1}) && integer.atLeast)
        report("`{}` promises a lower bound but moves down to a memory line", integer.name);
  }

  /// Every integer argument takes a value, which keeps its promises.
  void checkIntegers() {
    if (launch.integers.size() != kernel.integers.size()) {
      report("{} values for {} integer arguments", launch.integers.size(), kernel.integers.size());
      return;
    }
    for (auto [number, binding] : llvm::enumerate(launch.integers))
      if (!fault)
        std::visit([&, number = unsigned(number)](const auto &node) { checkInteger(number, node); },
                   binding);
  }

  bool axisExists(unsigned number, unsigned axis) {
    if (axis >= rank)
      report("`{}` takes a bound along axis {}, which does not exist", kernel.integers[number].name,
             axis);
    return axis < rank;
  }

  void checkInteger(unsigned number, const FirstOf &binding) {
    if (!axisExists(number, binding.axis))
      return;
    // Slabs start anywhere in the box, at its last point at most; the host has none, nor have rows.
    const Index &begin = launch.cover.begin[binding.axis];
    const bool startsThere =
        kernel.target == Target::Host || boundOf(coordinate(CoordinateKind::Argument, number));
    checkPromises(number, begin, startsThere ? begin : add(launch.cover.end[binding.axis], -1));
  }

  void checkInteger(unsigned number, const EndOf &binding) {
    if (!axisExists(number, binding.axis))
      return;
    const Index &end = launch.cover.end[binding.axis];
    checkPromises(number, end, end);
  }

  void checkInteger(unsigned number, const WholeParam &binding) {
    const Index param = coordinate(CoordinateKind::WholeParam, binding.param);
    if (!isOverExtents(param, rank, program.signature.params)) {
      report("`{}` takes param {}, which is no whole number or does not exist",
             kernel.integers[number].name, binding.param);
      return;
    }
    const bool isBounded = llvm::any_of(program.signature.paramRanges, [&](const auto &range) {
      return range.first.second == binding.param;
    });
    if (!isBounded && !kernel.integers[number].isWide)
      fault.report("wide", kernel.name, "`{}` has 32 bits for a param that may have more",
                   kernel.integers[number].name);
    checkPromises(number, param, param);
  }

  void checkInteger(unsigned number, const StepNumber &binding) {
    const IntegerArgument &integer = kernel.integers[number];
    if (!program.signature.countsSteps)
      report("`{}` takes the number of a step, which the caller does not keep", integer.name);
    if (binding.offset < 0 || binding.offset >= steps)
      report("`{}` takes step {} of a pass of {}", integer.name, binding.offset, steps);
    if (!integer.isWide)
      fault.report("wide", kernel.name, "`{}` has 32 bits for a step's number", integer.name);
    if (integer.atLeast || integer.atMost)
      report("`{}` promises bounds of a step's number", integer.name);
  }

  void checkInteger(unsigned number, const ElementsOf &binding) {
    if (binding.buffer >= program.buffers.size() || program.buffers[binding.buffer].lengths.empty())
      report("`{}` takes the elements of what is no list", kernel.integers[number].name);
    else
      checkPromises(number, constant(0), constant(program.signature.mostRuns()));
  }

  /// What is read of arrays over time are values that a run is checked to have.
  void checkSteps() {
    for (const KernelUses::StepRead &read : uses.steps) {
      const std::string &name = kernel.arrays[read.array].name;
      const auto *step = std::get_if<StepNumber>(&launch.integers[read.integer]);
      const auto *owner =
          std::get_if<CallerMemory>(&program.buffers[launch.buffers[read.array]].owner);
      if (!step || !owner) {
        fault.report("time", kernel.name, "`{}` is read at what is no step's number", name);
        continue;
      }
      const StepSpan &span = *program.signature.arrays[owner->array].overTime;
      const int64_t at = step->offset + read.offset;
      if (at < span.first || at >= span.last + steps)
        fault.report("time", kernel.name, "`{}` is read at step {} of a pass", name, at);
    }
  }

  void checkPromises(unsigned number, const Index &least, const Index &greatest) {
    const IntegerArgument &integer = kernel.integers[number];
    if (integer.atLeast && !known->provesAtMost(integer.atLeast, least))
      report("`{}` may fall below {}", integer.name, toString(integer.atLeast, kernel));
    if (integer.atMost && !known->provesAtMost(greatest, integer.atMost))
      report("`{}` may pass {}", integer.name, toString(integer.atMost, kernel));
  }

  /// A condition around the launch keeps what the kernel is promised of rows.
  void checkAlignment() {
    for (auto [argument, buffer] : llvm::zip_equal(kernel.arrays, launch.buffers)) {
      if (!argument.alignment)
        continue;
      const Alignment &promised = *argument.alignment;
      const int64_t bytes = promised.elements * sizeInBytes(argument.type);
      if (llvm::none_of(aligned, [&, buffer = buffer](const Aligned &known) {
            return llvm::is_contained(known.buffers, buffer) && known.bytes % bytes == 0 &&
                   isMultiple(promised.at, known.at, promised.elements);
          }))
        report("rows of `{}` may not be aligned in {}s at {}", argument.name, promised.elements,
               toString(promised.at, kernel));
    }
  }

  /// True if what the launch makes of `at` is whole pieces of `elements` away from `origin`.
  bool isMultiple(const Index &at, int64_t origin, int64_t elements) const {
    const LinearIndex given = linear(at);
    Index distance = constant(given.constant - origin);
    for (const LinearIndex::Term &term : given.terms) {
      const Index bound = boundOf(term.atom);
      if (!bound && term.factor % elements != 0)
        return false;
      if (bound)
        distance = add(distance, scale(bound, term.factor));
    }
    const LinearIndex left = linear(distance);
    return left.constant % elements == 0 &&
           llvm::all_of(left.terms, [&](const auto &term) { return term.factor % elements == 0; });
  }

  /// What an integer argument is in every launch over extents and constants; null if slabs and
  /// lines decide.
  Index boundOf(const Index &atom) const {
    const auto *argument = std::get_if<Coordinate>(&atom->node);
    if (!argument || argument->kind != CoordinateKind::Argument)
      return nullptr;
    const IntegerBinding &binding = launch.integers[argument->number];
    if (const auto *end = std::get_if<EndOf>(&binding))
      return launch.cover.end[end->axis];
    if (binding == IntegerBinding(FirstOf{rank - 1}) && !launch.cover.alignTo)
      return launch.cover.begin[rank - 1];
    return nullptr;
  }

  void checkExtents() {
    for (unsigned axis = 0; axis < rank; ++axis)
      if (!known->provesAtMost(constant(kernel.minimumExtent[axis]), extent(axis)))
        report("n{} may be below {}, the kernel's least", program.signature.axes[axis],
               kernel.minimumExtent[axis]);
  }

  /// Blocks stand where the cover says: see CoverVerifier.h.
  void checkCover() {
    if (launch.cover.cluster != kernel.cluster)
      report("{} of its blocks stand at one place, and {} are partners", launch.cover.cluster,
             kernel.cluster);
    for (unsigned axis = 0; axis < rank; ++axis) {
      const int points = launch.cover.points[axis];
      const std::string &name = program.signature.axes[axis];
      if (known->provesAtMost(launch.cover.end[axis], add(launch.cover.begin[axis], points)))
        continue; // one block covers it
      if (uses.blocks[dimensionOf(axis, rank)].empty())
        fault.report("cover", kernel.name, "blocks along {} all do the same", name);
      for (const BlockUse &use : uses.blocks[dimensionOf(axis, rank)])
        if (!use.first || launch.integers[*use.first] != IntegerBinding(FirstOf{axis}))
          fault.report("cover", kernel.name, "a block along {} is not counted from the first",
                       name);
        else if (use.points != points)
          fault.report("cover", kernel.name,
                       "a block along {} advances {} points, and the launch covers {}", name,
                       use.points, points);
    }
  }

  /// What holds whenever the launch happens: the box of a device's is not empty, and no extent is 0
  /// unless a number is reduced from nothing.
  DifferenceConstraints knownExtents() const {
    const auto assumeBox = [&](DifferenceConstraints &known) {
      if (kernel.target == Target::Device)
        for (unsigned axis = 0; axis < rank; ++axis)
          known.assumeAtMost(launch.cover.begin[axis], launch.cover.end[axis], 1);
    };
    if (mayBeEmpty) {
      constexpr std::array<int64_t, kMaxRank> none = {};
      DifferenceConstraints known(rank, none);
      assumeBox(known);
      for (unsigned axis = 0; axis < rank; ++axis)
        if (!known.provesAtMost(constant(1), extent(axis)))
          return known;
    }
    DifferenceConstraints known = knownOfRuns(program.signature);
    for (unsigned axis = 0; pass && axis < rank; ++axis)
      known.assumeAtMost(constant(pass->minimumExtent[axis]), extent(axis));
    for (const WholePieces::Along &along : whole)
      known.assumeAtMost(constant(along.least), along.points);
    assumeBox(known);
    return known;
  }

  const Program &program;
  const Launch &launch;
  const Kernel &kernel;
  const KernelUses &uses;
  const Pass *const pass; ///< null outside any
  const bool mayBeEmpty;  ///< a number is reduced from nothing too
  const int steps;        ///< of the pass, or 0
  const llvm::ArrayRef<Aligned> aligned;
  const llvm::ArrayRef<WholePieces::Along> whole;
  const bool isShort;
  VerifierFault &fault;
  unsigned rank;
  std::optional<DifferenceConstraints> known; ///< knownExtents(), once the box is sound
};

} // namespace

void stencilc::verifyLaunch(const Program &program, const Launch &launch, const KernelUses &uses,
                            const LaunchPlace &place, VerifierFault &fault) {
  LaunchVerifier(program, launch, uses, place, fault).verify();
}
