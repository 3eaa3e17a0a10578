#include "ir/verify/PlanVerifier.h"

#include "ir/verify/LaunchVerifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace stencilc;

static bool sameShape(const Buffer &left, const Buffer &right) {
  return left.type == right.type && left.axes == right.axes && left.ghost == right.ghost &&
         left.layout == right.layout && left.isOverTime == right.isOverTime &&
         llvm::equal(left.lengths, right.lengths,
                     [](const Index &one, const Index &other) { return equal(one, other); });
}

static bool sameOwner(const Owner &left, const Owner &right) {
  const auto *a = std::get_if<CallerMemory>(&left), *b = std::get_if<CallerMemory>(&right);
  if (a && b)
    return a->array == b->array && a->level == b->level;
  const auto *one = std::get_if<CallerResult>(&left), *other = std::get_if<CallerResult>(&right);
  return one && other && one->result == other->result;
}

// ---- buffers ----------------------------------------------------------------------------------

static void verifyWorkspace(const Program &program, const Buffer &buffer, VerifierFault &fault) {
  const unsigned rank = program.signature.rank();
  const std::string &name = program.signature.name;
  const auto *owner = std::get_if<WorkspaceMemory>(&buffer.owner);
  if (!owner)
    fault.report("buffer", name, "`{}` is not one that the caller passes", buffer.name);
  else if (owner->temp && (*owner->temp >= program.signature.arrays.size() ||
                           program.signature.arrays[*owner->temp].kind != ArrayKind::Temp))
    fault.report("buffer", name, "`{}` holds array {}, which is no temp", buffer.name,
                 *owner->temp);
  if (buffer.isOverTime)
    fault.report("buffer", name, "`{}` is over time and not the caller's", buffer.name);
  if (buffer.type == ScalarType::Bool)
    fault.report("buffer", name, "`{}` holds truth values", buffer.name);
  const bool ascending = std::adjacent_find(buffer.axes.begin(), buffer.axes.end(),
                                            std::greater_equal<>()) == buffer.axes.end();
  if (!ascending || (!buffer.axes.empty() && buffer.axes.back() >= rank))
    fault.report("buffer", name, "the axes of `{}` are not axes in order", buffer.name);
  for (const Index &length : buffer.lengths)
    if (!buffer.axes.empty() || buffer.layout != Layout::Dense || !length ||
        !isOverExtents(length, rank))
      fault.report("list", name, "`{}` is no list", buffer.name);
  if (fault || !hasStrides(buffer.layout))
    return;
  if (buffer.axes.size() != rank)
    fault.report("buffer", name, "`{}` follows strides and lacks an axis", buffer.name);
  if (buffer.layout == Layout::Rows)
    return;
  const Widths widest = widestGhosts(program.signature);
  bool fits = true;
  for (unsigned axis = 0; axis < rank; ++axis)
    for (Side side : {Low, High})
      fits &= buffer.ghost[axis][side] <= widest[axis][side];
  if (!fits)
    fault.report("buffer", name, "the caller's strides have no room for `{}`", buffer.name);
}

void stencilc::verifyBuffers(const Program &program, VerifierFault &fault) {
  const std::string &name = program.signature.name;
  const std::vector<Buffer> given = callerBuffers(program.signature);
  if (program.buffers.size() < given.size()) {
    fault.report("buffer", name, "{} buffers, of {} that the caller passes", program.buffers.size(),
                 given.size());
    return;
  }
  llvm::StringSet<> names;
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (!names.insert(buffer.name).second)
      fault.report("buffer", name, "two buffers are called `{}`", buffer.name);
    if (number >= given.size())
      verifyWorkspace(program, buffer, fault);
    else if (!sameShape(buffer, given[number]) || buffer.name != given[number].name ||
             !sameOwner(buffer.owner, given[number].owner))
      fault.report("buffer", name, "`{}` is not what the caller passes as `{}`", buffer.name,
                   given[number].name);
  }
}

// ---- plan -------------------------------------------------------------------------------------

namespace {

class PlanVerifier {
public:
  PlanVerifier(const Program &program, VerifierFault &fault) : program(program), fault(fault) {
    for (const Kernel &kernel : program.kernels)
      uses.emplace_back(kernel);
  }

  void verify() {
    const Plan &plan = program.plan;
    if (plan.passes.empty() || plan.passes.back().steps != 1)
      report("the last kind of pass does not make one step");
    for (size_t i = 1; i < plan.passes.size(); ++i)
      if (plan.passes[i].steps > plan.passes[i - 1].steps)
        report("passes are not in the order of falling steps");
    if (!plan.passes.empty() &&
        llvm::any_of(plan.passes.back().minimumExtent, [](int64_t least) { return least > 0; }))
      report("the last kind of pass is not for every grid");
    check(plan.prologue);
    for (const Pass &pass : plan.passes) {
      current = &pass;
      check(pass.actions);
      for (const Owed &owed : pass.owed)
        check(owed);
      current = nullptr;
    }
    check(plan.epilogue);
  }

private:
  template <class... Arguments>
  void report(fmt::format_string<Arguments...> seen, Arguments &&...arguments) {
    fault.report("plan", program.signature.name, seen, std::forward<Arguments>(arguments)...);
  }

  bool exists(unsigned buffer) {
    if (buffer >= program.buffers.size())
      report("there is no buffer {}", buffer);
    return buffer < program.buffers.size();
  }

  void check(const Actions &actions) {
    const std::vector<Aligned> before = aligned;
    for (const Action &action : actions)
      if (!fault)
        std::visit([&](const auto &node) { check(node); }, action.node);
    aligned = before;
  }

  void check(const Launch &launch) {
    if (launch.kernel >= program.kernels.size())
      fault.report("launch", program.signature.name, "there is no kernel {}", launch.kernel);
    else
      verifyLaunch(program, launch, uses[launch.kernel],
                   {current, aligned, whole, hasPoints, isShort}, fault);
  }

  /// Every name that another takes takes one itself.
  void check(const Rename &rename) {
    std::vector<unsigned> firsts, seconds;
    for (auto [first, second] : rename.pairs) {
      if (!exists(first) || !exists(second))
        return;
      if (!sameShape(program.buffers[first], program.buffers[second]))
        report("`{}` cannot stand for the memory of `{}`", program.buffers[first].name,
               program.buffers[second].name);
      if (isConst(first) && first != second)
        report("`{}`, which is const, is renamed", program.buffers[first].name);
      firsts.push_back(first);
      seconds.push_back(second);
    }
    llvm::sort(firsts);
    llvm::sort(seconds);
    if (firsts != seconds || std::adjacent_find(firsts.begin(), firsts.end()) != firsts.end())
      report("names are not exchanged one for one");
    for (Aligned &known : aligned)
      for (unsigned &buffer : known.buffers)
        for (auto [first, second] : rename.pairs)
          if (buffer == second) {
            buffer = first;
            break;
          }
  }

  bool isConst(unsigned buffer) const {
    const auto *owner = std::get_if<CallerMemory>(&program.buffers[buffer].owner);
    return owner && !program.signature.arrays[owner->array].isField();
  }

  void check(const When &when) {
    std::visit([&](const auto &node) { check(node); }, when.condition);
    const auto *asked = std::get_if<Aligned>(&when.condition);
    if (asked)
      aligned.push_back(*asked);
    const size_t wholeBefore = whole.size();
    if (const auto *pieces = std::get_if<WholePieces>(&when.condition))
      llvm::append_range(whole, pieces->axes);
    const bool hadPoints = hasPoints, wasShort = isShort;
    hasPoints |= std::holds_alternative<HasPoints>(when.condition);
    isShort |= std::holds_alternative<ShortAddresses>(when.condition);
    check(when.then);
    hasPoints = hadPoints;
    isShort = wasShort;
    if (asked)
      aligned.pop_back();
    whole.resize(wholeBefore);
    check(when.otherwise);
  }

  void check(const FirstPasses &condition) {
    if (condition.count < 1)
      report("the first {} passes are none", condition.count);
  }
  void check(const Aligned &condition) {
    for (unsigned buffer : condition.buffers)
      if (exists(buffer) &&
          (condition.bytes < 1 || condition.bytes % sizeInBytes(program.buffers[buffer].type) != 0))
        report("{} bytes are no whole elements of `{}`", condition.bytes,
               program.buffers[buffer].name);
  }
  void check(const Away &condition) { exists(condition.buffer); }
  void check(const HasPoints &) {}
  void check(const ShortAddresses &) {}
  void check(const WholePieces &condition) {
    for (const WholePieces::Along &along : condition.axes)
      if (along.each < 1 || along.axis >= program.signature.rank() || !along.points ||
          !constantDifference(along.points, extent(along.axis)))
        report("pieces of {} points are of no part of axis {} that grows with it", along.each,
               along.axis);
  }
  void check(const Wanted &condition) {
    if (exists(condition.buffer) &&
        !std::holds_alternative<CallerResult>(program.buffers[condition.buffer].owner))
      report("`{}` is no result", program.buffers[condition.buffer].name);
  }

  void check(const Owed &owed) {
    if (!exists(owed.buffer))
      return;
    for (const PointBox &box : owed.boxes)
      for (unsigned axis : program.buffers[owed.buffer].axes)
        for (const Index &bound : {box.begin[axis], box.end[axis]})
          if (!bound || !isOverExtents(bound, program.signature.rank(), program.signature.params))
            report("what is owed of `{}` is not given by extents, constants and whole params",
                   program.buffers[owed.buffer].name);
    for (size_t second = 1; second < owed.boxes.size() && !fault; ++second)
      for (size_t first = 0; first < second; ++first)
        if (!areApart(owed.boxes[first], owed.boxes[second]))
          report("points of `{}` may be owed twice", program.buffers[owed.buffer].name);
  }

  /// Runs in which two boxes have a point in common are refused, or there are none; a box that is
  /// empty on all grids has none.
  bool areApart(const PointBox &left, const PointBox &right) const {
    const Signature &signature = program.signature;
    DifferenceConstraints known = knownOfRuns(signature);
    for (unsigned axis = 0; axis < signature.rank(); ++axis)
      if (known.provesAtMost(left.end[axis], right.begin[axis]) ||
          known.provesAtMost(right.end[axis], left.begin[axis]) ||
          known.provesAtMost(left.end[axis], left.begin[axis]) ||
          known.provesAtMost(right.end[axis], right.begin[axis]))
        return true;
    const auto isBox = [&](const Area &area, const PointBox &box) {
      const PointBox own = boxOf(area, signature.rank(), signature.paramRanges);
      for (unsigned axis = 0; axis < signature.rank(); ++axis)
        if (!equal(own.begin[axis], box.begin[axis]) || !equal(own.end[axis], box.end[axis]))
          return false;
      return true;
    };
    return llvm::any_of(signature.apart, [&](const std::pair<Area, Area> &pair) {
      return (isBox(pair.first, left) && isBox(pair.second, right)) ||
             (isBox(pair.first, right) && isBox(pair.second, left));
    });
  }

  const Program &program;
  VerifierFault &fault;
  std::vector<KernelUses> uses;          ///< per kernel
  const Pass *current = nullptr;         ///< that is checked; none: outside any
  std::vector<Aligned> aligned;          ///< what holds of the names where a check stands
  std::vector<WholePieces::Along> whole; ///< ... of extents
  bool hasPoints = false;                ///< the grid has points there
  bool isShort = false;                  ///< no array has long addresses there
};

} // namespace

void stencilc::verifyPlan(const Program &program, VerifierFault &fault) {
  PlanVerifier(program, fault).verify();
}
