#include "ir/verify/KernelVerifier.h"

#include "ir/kernel/CudaLimits.h"
#include "ir/kernel/ValueTypes.h"
#include "ir/verify/BodyVerifier.h"
#include "ir/verify/LaunchVerifier.h"
#include "ir/verify/MeetingVerifier.h"
#include "ir/verify/PlanVerifier.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;

static void verifyUniformValue(const Program &program, unsigned number, const Value &value,
                               VerifierFault &fault) {
  const std::string &name = program.uniforms[number].name;
  std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &) {},
          [&](const ParamLeaf &node) {
            if (node.param >= program.signature.params.size())
              fault.report("definition", name, "there is no param {}", node.param);
            else if (program.signature.params[node.param].type != value->type)
              fault.report("type", name, "param `{}` is used as {}",
                           program.signature.params[node.param].name, spelling(value->type).str());
          },
          [&](const UniformValue &node) {
            if (node.argument >= number)
              fault.report("uniform", name, "it is made from a uniform that does not precede it");
            else if (program.uniforms[node.argument].type != value->type)
              fault.report("type", name, "uniform `{}` is used as {}",
                           program.uniforms[node.argument].name, spelling(value->type).str());
          },
          [&](const auto &node) {
            using Node = std::decay_t<decltype(node)>;
            constexpr bool isLocal =
                llvm::is_one_of<Node, RegisterValue, QueueSlotValue, LoadGlobal, LoadShared,
                                GuardedValue, PatchElement, ShuffleValue, IndexValue>::value;
            if (isLocal)
              fault.report("uniform", name, "it is made from what belongs to a thread");
            else
              forEachOperand(*value, [&](const Value &operand) {
                verifyUniformValue(program, number, operand, fault);
              });
          }),
      value->node);
  if (fault)
    return;
  if (std::string seen = typeFault(*value); !seen.empty())
    fault.report("type", name, "{}", seen);
}

static void verifyUniform(const Program &program, unsigned number, VerifierFault &fault) {
  const Uniform &uniform = program.uniforms[number];
  verifyUniformValue(program, number, uniform.value, fault);
  if (uniform.type != uniform.value->type)
    fault.report("type", uniform.name, "it is {} and takes a value of {}",
                 spelling(uniform.type).str(), spelling(uniform.value->type).str());
}

static bool isOverIntegers(const Index &index, const Kernel &kernel) {
  bool isOver = true;
  evaluate(index, [&](const Coordinate &node) -> int64_t {
    isOver &= node.kind == CoordinateKind::Argument && node.number < kernel.integers.size();
    return 1;
  });
  return isOver;
}

/// Lengths of lists are over extents, constants and integer arguments.
static bool isLength(const Index &index, const Kernel &kernel) {
  return index && !anyCoordinate(index, [&](const Coordinate &node) {
           const bool isExtent = node.kind == CoordinateKind::Extent && node.number < kernel.rank();
           const bool isArgument =
               node.kind == CoordinateKind::Argument && node.number < kernel.integers.size();
           return !isExtent && !isArgument;
         });
}

static void verifyAlignment(const Kernel &kernel, const ArrayArgument &array,
                            VerifierFault &fault) {
  if (!array.alignment || array.type == ScalarType::Bool)
    return;
  const unsigned elements = array.alignment->elements;
  if ((elements != 2 && elements != 4) || elements * sizeInBytes(array.type) > 16)
    fault.report("vector", kernel.name, "`{}` is aligned in {}s, which no access needs", array.name,
                 elements);
  if (!isOverIntegers(array.alignment->at, kernel))
    fault.report("vector", kernel.name,
                 "the alignment of `{}` is not over constants and integer arguments", array.name);
}

static void verifyArrays(const Kernel &kernel, VerifierFault &fault) {
  for (const ArrayArgument &array : kernel.arrays) {
    if (array.type == ScalarType::Bool)
      fault.report("type", kernel.name, "`{}` holds truth values", array.name);
    bool ascending = std::adjacent_find(array.axes.begin(), array.axes.end(),
                                        std::greater_equal<>()) == array.axes.end();
    if (!ascending || (!array.axes.empty() && array.axes.back() >= kernel.rank()))
      fault.report("definition", kernel.name, "the axes of `{}` are not axes in order", array.name);
    if (array.isOverTime && (!array.axes.empty() || array.access != Access::Read))
      fault.report("time", kernel.name, "`{}` has axes or is written", array.name);
    if (!array.lengths.empty() &&
        (!array.axes.empty() || array.isOverTime || array.lengths.size() > kMaxRank ||
         !llvm::all_of(array.lengths,
                       [&](const Index &length) { return isLength(length, kernel); })))
      fault.report("type", kernel.name, "`{}` is no list", array.name);
    if (array.readOnlyPath && array.access != Access::Read)
      fault.report("access", kernel.name, "`{}` is written and on the read-only path", array.name);
    verifyAlignment(kernel, array, fault);
  }
}

static void verifyTiles(const Kernel &kernel, VerifierFault &fault) {
  int64_t bytes = kernel.cluster > 1 ? cuda::kMailBytes : 0;
  for (const SharedTile &tile : kernel.tiles) {
    if (tile.type == ScalarType::Bool) {
      fault.report("type", kernel.name, "tile `{}` holds truth values", tile.name);
      return;
    }
    int64_t size = sizeInBytes(tile.type);
    for (int elements : tile.shape) {
      if (elements < 1)
        fault.report("tile", kernel.name, "tile `{}` has an axis of {} elements", tile.name,
                     elements);
      size *= elements;
    }
    bytes += size;
  }
  if (bytes > cuda::kMaxSharedBytesPerBlock)
    fault.report("target", kernel.name, "tiles take {} bytes of {}", bytes,
                 cuda::kMaxSharedBytesPerBlock);
}

static void verifyPatches(const Kernel &kernel, VerifierFault &fault) {
  for (const Patch &patch : kernel.patches) {
    if (patch.type == ScalarType::Bool)
      fault.report("type", kernel.name, "patch `{}` holds truth values", patch.name);
    if (patch.shape.empty() || llvm::any_of(patch.shape, [](int length) { return length < 1; }))
      fault.report("patch", kernel.name, "patch `{}` has no elements", patch.name);
  }
}

static void verifyGroups(const Kernel &kernel, VerifierFault &fault) {
  if (kernel.groups.empty())
    return;
  if (kernel.target == Target::Host)
    fault.report("target", kernel.name, "a host kernel has no groups of warps");
  if (kernel.groups.size() > cuda::kMaxWarpGroups)
    fault.report("target", kernel.name, "a block has no more than {} groups of warps",
                 cuda::kMaxWarpGroups);
  if (!kernel.isOfWholeWarps())
    fault.report("roles", kernel.name, "a block of {} threads is not of whole warps",
                 kernel.threads());
  for (const WarpGroup &group : kernel.groups)
    if (group.warps == 0 || group.firstWarp + group.warps > kernel.warps())
      fault.report("roles", kernel.name, "group `{}` holds warps that are not there", group.name);
}

static void verifyCluster(const Kernel &kernel, VerifierFault &fault) {
  if (kernel.cluster == 1)
    return;
  if (kernel.cluster != 2)
    fault.report("message", kernel.name, "{} blocks are no partners", kernel.cluster);
  if (kernel.target == Target::Host)
    fault.report("target", kernel.name, "a host kernel has no blocks that are partners");
  if (kernel.rank() != 3 || !kernel.isOfWholeWarps())
    fault.report("message", kernel.name, "blocks of {} threads on {} axes are no partners",
                 kernel.threads(), kernel.rank());
}

static void verifyDeclarations(const Program &program, const Kernel &kernel, VerifierFault &fault) {
  if (kernel.target != program.target)
    fault.report("target", kernel.name, "it is made for another target than its program");
  if (kernel.axes != program.signature.axes)
    fault.report("definition", kernel.name, "its axes are not the program's");
  if (llvm::any_of(kernel.block, [](int threads) { return threads < 1; }) ||
      kernel.threads() > cuda::kMaxThreadsPerBlock || kernel.block[2] > cuda::kMaxBlockZ)
    fault.report("target", kernel.name, "no block is {} threads", fmt::join(kernel.block, "x"));
  for (unsigned uniform : kernel.uniforms)
    if (uniform >= program.uniforms.size())
      fault.report("definition", kernel.name, "there is no uniform {}", uniform);
  for (const IntegerArgument &integer : kernel.integers)
    for (const Index &bound : {integer.atLeast, integer.atMost})
      if (bound && !isOverExtents(bound, kernel.rank()))
        fault.report("launch", kernel.name, "the promise of `{}` is not over extents and constants",
                     integer.name);
  for (const Queue &queue : kernel.queues) {
    if (queue.slots.empty())
      fault.report("queue", kernel.name, "queue `{}` has no slots", queue.name);
    if (queue.type == ScalarType::Bool)
      fault.report("type", kernel.name, "queue `{}` holds truth values", queue.name);
  }
  for (const std::optional<unsigned> &side : kernel.sides)
    if (side && *side >= kernel.constants.size())
      fault.report("definition", kernel.name, "there is no constant {}", *side);
  verifyArrays(kernel, fault);
  verifyTiles(kernel, fault);
  verifyPatches(kernel, fault);
  verifyGroups(kernel, fault);
  verifyCluster(kernel, fault);
}

/// What extents are multiples of at all launches of a kernel among these actions.
static void restrict(Multiples &whole, llvm::ArrayRef<Action> actions, const Multiples &here,
                     unsigned kernel) {
  for (const Action &action : actions) {
    const auto *when = std::get_if<When>(&action.node);
    const auto *launch = std::get_if<Launch>(&action.node);
    if (launch && launch->kernel == kernel)
      for (auto [all, one] : llvm::zip(whole, here))
        all = std::gcd(all, one);
    if (!when)
      continue;
    Multiples inside = here;
    if (const auto *pieces = std::get_if<WholePieces>(&when->condition))
      for (const WholePieces::Along &along : pieces->axes)
        if (along.axis < kMaxRank && along.points &&
            constantDifference(along.points, extent(along.axis)) == 0)
          inside[along.axis] = std::lcm(inside[along.axis], along.each);
    restrict(whole, when->then, inside, kernel);
    restrict(whole, when->otherwise, here, kernel);
  }
}

static Multiples wholeAt(const Plan &plan, unsigned kernel) {
  constexpr Multiples all = {1, 1, 1};
  Multiples whole = {};
  restrict(whole, plan.prologue, all, kernel);
  for (const Pass &pass : plan.passes)
    restrict(whole, pass.actions, all, kernel);
  restrict(whole, plan.epilogue, all, kernel);
  return whole[0] == 0 ? all : whole;
}

static void verifyBody(const Program &program, const Kernel &kernel, VerifierFault &fault) {
  const std::vector<WarpRange> kinds = warpKinds(kernel);
  const Multiples whole = wholeAt(program.plan, &kernel - program.kernels.data());
  for (const WarpRange &kind : kinds)
    if (!fault)
      BodyVerifier(kernel, program.uniforms, whole, kind, fault).verify();
  if (!fault && kinds.size() > 1)
    verifyMeetings(kernel, kinds, fault);
}

static void verifyResidency(const Program &program, VerifierFault &fault) {
  const int blocks = program.schedule.residency;
  for (const Kernel &kernel : program.kernels)
    if (kernel.promisesResidency && (blocks < 0 || blocks > cuda::kMaxBlocksPerSm ||
                                     blocks * kernel.threads() > cuda::kMaxThreadsPerSm))
      fault.report("residency", kernel.name, "no SM holds {} blocks of {} threads", blocks,
                   kernel.threads());
}

static void verifyProgram(const Program &program, VerifierFault &fault) {
  verifyBuffers(program, fault);
  for (unsigned number = 0; number < program.uniforms.size() && !fault; ++number)
    verifyUniform(program, number, fault);
  for (const Kernel &kernel : program.kernels) {
    if (!fault)
      verifyDeclarations(program, kernel, fault);
    if (!fault)
      verifyBody(program, kernel, fault);
  }
  if (!fault)
    verifyPlan(program, fault);
  if (!fault)
    verifyResidency(program, fault);
}

llvm::Expected<VerifiedProgram> KernelVerifier::verify(Program program) {
  VerifierFault fault;
  verifyProgram(program, fault);
  if (fault)
    return llvm::createStringError(fault.text);
  return VerifiedProgram(std::move(program));
}

llvm::Error KernelVerifier::promise(VerifiedProgram &program, int residency) {
  VerifierFault fault;
  const int before = std::exchange(program.program.schedule.residency, residency);
  verifyResidency(*program, fault);
  if (fault)
    program.program.schedule.residency = before;
  return fault ? llvm::createStringError(fault.text) : llvm::Error::success();
}
