#include "codegen/variants/FusedState.h"

#include "codegen/lower/NextInWorkspace.h"
#include "codegen/lower/Renumbering.h"
#include "codegen/variants/MarchReach.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

std::string stencilc::stepsOf(int steps) {
  return steps == 1 ? "One step" : std::to_string(steps) + " steps";
}

// ---- previous levels as fields ------------------------------------------------------------------

/// The formula with reads of other arrays' current levels in place of those of previous ones.
static Formula withoutPrevious(const Formula &formula, llvm::ArrayRef<unsigned> previous) {
  Formula result;
  std::vector<ExprId> numbers;
  for (const Expr &expr : formula.exprs) {
    Expr::Node node = withOperands(expr.node, numbers);
    if (auto *read = std::get_if<Read>(&node); read && read->level == TimeLevel::Previous)
      *read = {previous[read->array], TimeLevel::Current, read->offset};
    numbers.push_back(result.add(expr.type, std::move(node)));
    Expr &copy = result.exprs[numbers.back()];
    copy.name = expr.name;
    copy.shift = expr.shift;
  }
  result.result = numbers[formula.result];
  return result;
}

/// The fields whose previous level is read.
static std::vector<unsigned> fieldsWithPrevious(const Stencil &stencil) {
  std::vector<unsigned> fields;
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    if (array.kind == ArrayKind::Field && readsPrevious(stencil, number))
      fields.push_back(number);
  return fields;
}

/// Ends that no read looks beyond are as those of other fields: of several, marches know best what
/// is alike.
static void takeOthersEnds(Stencil &stencil) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    for (const Side side : {Low, High}) {
      const auto anyIs = [&, axis = axis](BoundaryKind kind) {
        return llvm::any_of(stencil.arrays, [&](const Array &array) {
          return array.kind == ArrayKind::Field && array.boundary[axis][side].kind == kind;
        });
      };
      const BoundaryKind kind = isPeriodic(stencil, axis)    ? BoundaryKind::Periodic
                                : anyIs(BoundaryKind::Clamp) ? BoundaryKind::Clamp
                                                             : BoundaryKind::None;
      for (Array &array : stencil.arrays)
        if (Boundary &end = array.boundary[axis][side];
            array.kind == ArrayKind::Field && end.kind == BoundaryKind::None)
          end.kind = kind;
    }
}

Stencil stencilc::marchedForm(const Stencil &stencil) {
  Stencil result = stencil;
  takeOthersEnds(result);
  const std::vector<unsigned> fields = fieldsWithPrevious(stencil);
  if (fields.empty())
    return result;
  const StencilAreas areas = areasOf(stencil);
  std::vector<unsigned> previous(stencil.arrays.size());
  for (unsigned field : fields) {
    const Array array = result.arrays[field];
    previous[field] = result.arrays.size();
    result.arrays.push_back(array);
    result.arrays.back().name += "_prev";
    Update update;
    update.array = previous[field];
    update.formula.result =
        update.formula.add(array.type, Read{field, TimeLevel::Current, Offset{}});
    for (auto [stage, ofStage] : llvm::zip_equal(result.stages, areas.updates)) {
      const auto own =
          llvm::find_if(stage.updates, [&](const Update &other) { return other.array == field; });
      if (own == stage.updates.end())
        continue;
      const Area &area = ofStage[own - stage.updates.begin()];
      for (unsigned axis = 0; axis < stencil.rank(); ++axis)
        update.region[axis] = {area[axis].from.front(), area[axis].to.front()};
      stage.updates.push_back(std::move(update));
      break;
    }
  }
  for (Stage &stage : result.stages)
    for (Update &update : stage.updates)
      update.formula = withoutPrevious(update.formula, previous);
  for (Reduction &reduction : result.reductions)
    reduction.formula = withoutPrevious(reduction.formula, previous);
  return result;
}

// ---- buffers ------------------------------------------------------------------------------------

namespace {

/// Memory of the workspace that takes the place of other buffers, in a program that grows by it.
class Twins {
public:
  explicit Twins(Program &program) : program(program) {
    for (const Buffer &buffer : program.buffers)
      names.reserve(buffer.name);
  }
  unsigned add(unsigned buffer, const std::string &name) {
    program.buffers.push_back(twinOf(program.buffers[buffer], names.fresh(name)));
    return program.buffers.size() - 1;
  }

private:
  Program &program;
  UniqueNames names;
};

} // namespace

bool stencilc::keepsLevelsInWorkspace(const Program &program) {
  return llvm::any_of(program.buffers, [](const Buffer &buffer) {
    const auto *owner = std::get_if<WorkspaceMemory>(&buffer.owner);
    return owner && !owner->temp && hasStrides(buffer.layout) && !buffer.axes.empty();
  });
}

FusedState::FusedState(StepLowering &step)
    : written(step.stencil.arrays.size()), stencil(marchedForm(step.stencil)),
      own(std::make_unique<StepLowering>(stencil, step.program.target)) {
  Program &program = own->program;
  const Signature &outer = step.program.signature;
  const std::vector<unsigned> previous = fieldsWithPrevious(step.stencil);
  const auto fieldOf = [&](unsigned array) {
    return isPrevious(array) ? previous[array - written] : array;
  };
  program.signature.minimumExtent = outer.minimumExtent;
  for (auto [number, array] : llvm::enumerate(program.signature.arrays)) {
    array.hasNext = array.isField();
    array.ghost = outer.arrays[fieldOf(number)].ghost;
  }
  program.buffers = callerBuffers(program.signature);
  assert(program.uniforms.size() == step.program.uniforms.size() && "both have the same numbers");
  program.uniforms = step.program.uniforms;

  Twins twins(step.program);
  for (const Buffer &buffer : program.buffers) {
    const auto *owner = std::get_if<CallerMemory>(&buffer.owner);
    if (!owner) { // results come last
      numbers.push_back(callerBuffers(outer).size() + numbers.size() - program.buffers.size());
      continue;
    }
    const unsigned field = fieldOf(owner->array);
    const SignatureArray &array = outer.arrays[field];
    const TimeLevel level = isPrevious(owner->array) ? TimeLevel::Previous : TimeLevel::Current;
    if (owner->level == TimeLevel::Current) {
      numbers.push_back(bufferOf(outer, field, level));
      continue;
    }
    const bool hasOwn = level == TimeLevel::Current && array.hasNext;
    numbers.push_back(hasOwn ? bufferOf(outer, field, TimeLevel::Next)
                             : twins.add(bufferOf(outer, field, level), buffer.name));
    if (!hasOwn && array.hasNext) // takes turns with all three of the caller's
      for (TimeLevel other : {TimeLevel::Current, TimeLevel::Previous, TimeLevel::Next})
        aways.push_back({field, other, numbers.back()});
    else if (!hasOwn)
      aways.push_back({field, level, numbers.back()});
    // The caller's `u_prev` becomes a target in the second pass.
    targets.push_back({field, numbers.back(), level == TimeLevel::Previous ? 2 : 1});
  }
  frames = step.frames.into(targets, 0);
  rowEnds = step.frames.into(targets, 0, Slabs::RowEnds);
  besideRows = step.frames.into(targets, 0, Slabs::BesideRows);
}

/// Adds the copies behind launches of all kernels but one.
static void followOthers(Actions &actions, unsigned one, llvm::ArrayRef<When> copies) {
  bool launchesOther = false;
  for (Action &action : actions)
    if (auto *when = std::get_if<When>(&action.node)) {
      followOthers(when->then, one, copies);
      followOthers(when->otherwise, one, copies);
    } else if (const auto *launch = std::get_if<Launch>(&action.node)) {
      launchesOther |= launch->kernel != one;
    }
  if (launchesOther)
    actions.insert(actions.end(), copies.begin(), copies.end());
}

Pass FusedState::pass(int steps, Actions actions, std::optional<unsigned> storesRowEnds) const {
  Pass pass{steps, std::move(actions)};
  pass.actions.push_back({rotation(own->program.signature)});
  pass.owed = owedBy(stencil, own->program.buffers);
  Renumbering(numbers).apply(pass);
  if (storesRowEnds)
    followOthers(pass.actions, *storesRowEnds, rowEnds);
  for (const When &copies : storesRowEnds ? besideRows : frames)
    pass.actions.insert(pass.actions.end() - 1, {copies});
  return pass;
}

void FusedState::bringHome(Program &program) const { stencilc::bringHome(program, aways); }
