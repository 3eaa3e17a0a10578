// temporal: several time steps in one pass over the arrays.
//
// Overlapped tiles stream along the slowest axis with a plane of every time level in registers
// (FusedMarch.h). This is the 3.5D blocking of Nguyen et al. 2010 with patches of points in
// registers, and a generalisation of Maruyama & Aoki 2014's TEMP to any number of steps; by the
// flag `tile` it is TEMP itself, of two steps with a tile in shared memory (FusedTile.h). A step
// may have several stages, all of which a march makes, with temps that no memory holds; then one
// step a pass is legal, too. Steps that are left over are made one at a time, one thread a point
// and one launch a stage.
//
// Where steps read `u[t-1]`, that level is a part of the state that a pass advances (FusedState.h).
// Positions, the step's number and values over time are those of each level (StepValues.h).
//
// On one axis there is nothing to march along: each warp makes all steps of a tile in registers
// (FusedLine.h).
//
// In two dimensions, a block of several warps is another kernel: they hold successive steps of one
// stage, and hand rows on (RowPipeline.h). A schedule then says how many points of a row a lane
// has, how many rows make a chunk, and how many chunks are copied ahead: 32x4/c1024/t12/v13x2/p3
// are four warps of three steps each, 416 points wide, which hand on two rows at once.
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StageKernel.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/lower/Variant.h"
#include "codegen/lower/Window.h"
#include "codegen/variants/FusedCandidates.h"
#include "codegen/variants/FusedLine.h"
#include "codegen/variants/FusedMarch.h"
#include "codegen/variants/FusedTile.h"
#include "codegen/variants/RowPipeline.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static constexpr int kLanes = 32;
/// Points of a row that a thread has at most, unless warps hand rows on.
static constexpr int kMostOfRow = 16;
static constexpr VariantFlag kFlags[] = {
    {kApartFlag, "tiles lie as far apart as they are right, though they then begin within sectors"},
    {kClusterFlag, "two blocks of a cluster have a tile together"},
    {kFusedTileFlag, "two steps of one stage through a plane in shared memory, a thread a point"}};

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "temporal";
  schedule.rank = stencil.rank();
  schedule.fuse = stencil.stages.size() > 1 ? 1 : 2;
  if (stencil.rank() == 1) {
    schedule.block = {4 * kLanes, 1, 1};
    schedule.pointsPerThread = {
        std::max(8, int(llvm::alignTo(LineShape(stencil, schedule).beside, 2))), 1};
    return schedule;
  }
  schedule.chunk = 64;
  schedule.prefetch = 1;
  schedule.pointsPerThread = {4, 1};
  schedule.block = {kLanes, 1, 1};
  if (stencil.rank() == 3) {
    schedule.block[1] = 8;
    const Stencil state = marchedForm(stencil);
    schedule.pointsPerThread[1] = std::max(2, StepReach(state).y);
    while (schedule.threads() > kLanes &&
           sharedBytes(state, schedule) > cuda::kMaxSharedBytesPerBlock)
      schedule.block[schedule.block[0] > 8 ? 0 : 1] /= 2;
  }
  // Of more fields, there is room for fewer points.
  schedule.pointsPerThread[0] =
      std::max(stencil.stages.size() > 1 ? 2 : 4, int(llvm::alignTo(StepReach(stencil).x, 2)));
  return schedule;
}

/// Steps are not fused if what an array has beyond the ends of the grid is another number in each.
static llvm::Error checkValues(const Array &array) {
  for (unsigned axis : array.axes)
    for (const Boundary &boundary : array.boundary[axis])
      if (dependsOnStep(boundary.value))
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "`temporal` does not fuse steps between which the number beyond an end changes, as one "
            "of `%s` does",
            array.name.c_str());
  return llvm::Error::success();
}

/// Why steps cannot be fused with what a field of the state, or a temp, has beyond the ends of the
/// grid; success if they can.
static llvm::Error checkEnds(const Stencil &stencil, unsigned made) {
  const Array &array = stencil.arrays[made];
  const bool isTemp = array.kind == ArrayKind::Temp;
  const auto refuse = [&](const char *reason) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), reason, array.name.c_str());
  };
  for (unsigned axis : array.axes)
    for (const Boundary &boundary : array.boundary[axis])
      if (isPeriodic(stencil, axis) && boundary.kind != BoundaryKind::Periodic &&
          !(isTemp && boundary.kind == BoundaryKind::None))
        return refuse("`temporal` fuses steps along an axis that is periodic for every field, or "
                      "for none; `%s` is not as another one");
  return llvm::Error::success();
}

/// Where temps are made at ghost points, const arrays are read at points near those, of which they
/// must know what stands around.
static llvm::Error checkGhosts(const Stencil &stencil, const StencilAreas &areas) {
  const auto makesGhosts = [&](unsigned axis, Side side) {
    return llvm::any_of(areas.updates, [&](const std::vector<Area> &ofStage) {
      return llvm::any_of(ofStage, [&](const Area &area) { return leftOut(area[axis], side) < 0; });
    });
  };
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    for (const Side side : {Low, High}) {
      const Array *unknown = nullptr;
      forEachUpdate(stencil, [&](const Update &update) {
        forEachRead(update.formula, [&](const Read &read) {
          const Array &array = stencil.arrays[read.array];
          const BoundaryKind kind = array.boundary[axis][side].kind;
          // A mirror at the other end sends all indices somewhere, if they are not too far away.
          if (array.kind == ArrayKind::Const && read.offset[axis] != 0 &&
              ((kind != BoundaryKind::Halo && kind != BoundaryKind::None) ||
               isMirror(array.boundary[axis][1 - side].kind)))
            unknown = &array;
        });
      });
      if (unknown && makesGhosts(axis, side))
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "`temporal` makes no temps at ghost points along `%s` where a const array is read "
            "there that has none, as `%s` is",
            stencil.axes[axis].c_str(), unknown->name.c_str());
    }
  return llvm::Error::success();
}

/// Why steps of this stencil are not fused; success if they can be.
static llvm::Error checkStencil(const Stencil &stencil) {
  const auto refuse = [](const char *format, const auto &...args) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), format, args...);
  };
  const StencilAreas areas = areasOf(stencil);
  std::vector<int> updates(stencil.arrays.size());
  std::vector<bool> hasRegion(stencil.arrays.size());
  forEachUpdate(stencil, [&](const Update &update) {
    ++updates[update.array];
    hasRegion[update.array] = hasRegion[update.array] || update.region != Region{};
  });
  for (const auto &[number, array] : llvm::enumerate(stencil.arrays)) {
    const char *name = array.name.c_str();
    if (llvm::Error error = checkValues(array))
      return error;
    if (array.kind == ArrayKind::Const || (array.kind == ArrayKind::Temp && updates[number] == 0))
      continue;
    if (updates[number] != 1 || hasRegion[number])
      return refuse("`temporal` fuses steps that update every %s on the whole grid; `%s` is not",
                    array.kind == ArrayKind::Temp ? "temp" : "field", name);
  }
  if (llvm::Error error = checkGhosts(stencil, areas))
    return error;
  for (const auto &[stage, ofStage] : llvm::zip_equal(stencil.stages, areas.updates))
    for (const auto &[update, area] : llvm::zip_equal(stage.updates, ofStage)) {
      for (unsigned axis = 0; axis < stencil.rank(); ++axis)
        if (isPeriodic(stencil, axis) && !(area[axis].isOpen(Low) && area[axis].isOpen(High)))
          return refuse("`temporal` has no frame along an axis that is periodic, as `%s` leaves "
                        "one along `%s`",
                        stencil.arrays[update.array].name.c_str(), stencil.axes[axis].c_str());
    }
  return llvm::Error::success();
}

/// Why the state that steps advance cannot be marched through; success if it can.
static llvm::Error checkState(const Stencil &stencil, const Stencil &state) {
  std::vector<const Update *> updates;
  forEachUpdate(state, [&](const Update &update) { updates.push_back(&update); });
  for (const Update *update : updates) {
    if (llvm::Error error = checkEnds(state, update->array))
      return error;
    if (update->array < stencil.arrays.size())
      continue;
    // What is beyond an end in the level before has come from the one after it.
    const unsigned field = std::get<Read>(update->formula[update->formula.result].node).array;
    const Widths before = ghostWidths(state, update->array), after = ghostWidths(state, field);
    for (unsigned axis = 0; axis < state.rank(); ++axis)
      for (const Side side : {Low, High})
        if (state.arrays[field].boundary[axis][side].kind == BoundaryKind::Halo &&
            before[axis][side] > after[axis][side])
          return llvm::createStringError(
              llvm::inconvertibleErrorCode(),
              "`temporal` reads `%s[t-1]` no further beyond a boundary `halo` than `%s`",
              state.arrays[field].name.c_str(), state.arrays[field].name.c_str());
  }
  return llvm::Error::success();
}

/// Warps of a block hold successive steps.
static bool isPipeline(const Stencil &stencil, const Schedule &schedule) {
  return stencil.rank() == 2 && schedule.block[1] > 1;
}

/// A thread looks at those beside it alone: no schedule lets it read further than they have points.
static llvm::Error checkFarReads(const Stencil &stencil) {
  const StepReach reach(stencil);
  const unsigned x = stencil.rank() - 1;
  for (const auto &[axis, far, most] :
       {std::tuple(x, reach.x, kMostOfRow), {1, reach.y, kMostRows}})
    if (far > most)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "`temporal` reads at most %d points away along `%s`, as many as a thread has; `%s` reads "
          "%d",
          most, stencil.axes[axis].c_str(), stencil.name.c_str(), far);
  return llvm::Error::success();
}

/// Why a schedule cannot be lowered for a state; success if it can.
static llvm::Error checkSchedule(const Stencil &stencil, const Schedule &schedule) {
  if (schedule.hasFlag(kFusedTileFlag))
    return checkFusedTile(stencil, schedule);
  if (isPipeline(stencil, schedule))
    return checkPipeline(stencil, schedule);
  if (llvm::Error error = checkFarReads(stencil))
    return error;
  if (stencil.rank() == 1)
    return checkLine(stencil, schedule);
  ScheduleLimits limits;
  limits.chunk = limits.fuse = limits.pointsPerThread = limits.prefetch = true;
  limits.mostPoints = kMostOfRow;
  if (stencil.rank() == 3)
    limits.flags = namesOf(kFlags);
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  const auto refuse = [](const char *format, auto... args) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), format, args...);
  };
  const MarchReach reach(stencil);
  const auto points = schedule.pointsPerThread[0], rows = schedule.pointsPerThread[1];
  if (schedule.fuse < 2 && stencil.stages.size() == 1)
    return refuse("`temporal` fuses two steps or more: ask for /t2");
  const int width = schedule.block[0];
  if (stencil.rank() == 2 ? width != kLanes : width != 8 && width != 16 && width != kLanes)
    return refuse("a block of `temporal` is %s threads wide, not %d",
                  stencil.rank() == 2 ? "32" : "8, 16 or 32", width);
  if (width * schedule.block[1] % kLanes != 0 || schedule.block[2] != 1)
    return refuse("a block of `temporal` is of whole warps, and one thread deep along `%s`",
                  stencil.axes[0].c_str());
  if (points == 1)
    return refuse("a thread of `temporal` has two points of a row or more, not 1");
  if (points < reach.x)
    return refuse("a thread of `temporal` has as many points of a row as reads go beyond it, %d, "
                  "or more, not %d",
                  reach.x, points);
  if (stencil.rank() == 2 ? rows != 1 : rows < std::max(1, reach.y))
    return refuse("a thread of `temporal` has %s %d rows, not %d",
                  stencil.rank() == 2 ? "exactly" : "at least", std::max(1, reach.y), rows);
  if (blocksOfTile(schedule) > 1) {
    if (reach.y == 0)
      return refuse("blocks of a cluster have nothing to send each other: no read goes beyond a "
                    "point along `%s`",
                    stencil.axes[1].c_str());
    if (width != kLanes)
      return refuse("blocks of a cluster are 32 threads wide, not %d", width);
    if (schedule.band != 0)
      return refuse("blocks of a cluster go in no bands; leave out /b%d", schedule.band);
    for (const auto &[made, shown] : llvm::zip_equal(reach.made, reach.shown)) {
      const Array &array = stencil.arrays[made.array];
      if (shown.rows > 0 && lanesFor(array.type, points) * sizeInBytes(array.type) < 8)
        return refuse("blocks of a cluster send each other pieces of 8 or 16 bytes; /v%dx%d has "
                      "smaller ones of `%s`",
                      points, rows, array.name.c_str());
    }
  }
  const std::array<int, kMaxRank> right = rightPoints(stencil, schedule);
  for (unsigned axis = 1; axis < stencil.rank(); ++axis)
    if (right[axis] < 1)
      return refuseEmptyTile(stencil, schedule, axis);
  if (const int64_t bytes = sharedBytes(stencil, schedule); bytes > cuda::kMaxSharedBytesPerBlock)
    return refuse("the rows that warps of a block read of each other take %s bytes of shared "
                  "memory, of %d that a block has: smaller blocks, or fewer steps, take less",
                  std::to_string(bytes).c_str(), cuda::kMaxSharedBytesPerBlock);
  return llvm::Error::success();
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  if (llvm::Error error = checkStencil(stencil))
    return error;
  const Stencil state = marchedForm(stencil);
  if (llvm::Error error = checkState(stencil, state))
    return error;
  return checkSchedule(state, schedule);
}

/// Where tiles may begin in a row so that their pieces are aligned: recommended layouts align the
/// first updated point, others mostly point 0.
static std::vector<int> beginsOfPieces(int firstUpdated, int first, int lanes) {
  std::vector<int> begins;
  for (int aligned : {firstUpdated, 0})
    if (const int begin = first - int(euclideanRemainder(first - aligned, lanes));
        !llvm::is_contained(begins, begin))
      begins.push_back(begin);
  return begins;
}

/// Tiles overlap: what one reads of the old state another must not have stored over. The level
/// before a field's is the state's own field (FusedState.h).
static std::vector<unsigned> fieldsInPlace(const Stencil &stencil) {
  std::vector<unsigned> fields;
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    if (array.kind == ArrayKind::Field && !needsNextBuffer(stencil, number) &&
        !readsPrevious(stencil, number))
      fields.push_back(number);
  return fields;
}

/// What is right of a tile of a march could be stored in whole sectors.
static bool hasWholeSectors(const Stencil &stencil, const Schedule &schedule) {
  return rightPoints(stencil, schedule)[stencil.rank() - 1] % pointsOfSector(stencil) == 0;
}

/// How many points lower than from this begin on tiles of a march lie so that what each stores
/// begins with a sector: to store parts of them costs more than to load parts
/// (test/gpu/results/h100_sectors.json). 0 where what is right of a tile is not whole sectors, as
/// then the next one's would not, or that is not wanted.
static int lowerToSectors(const Stencil &stencil, const Schedule &schedule, int begin,
                          int aligned) {
  const unsigned x = stencil.rank() - 1;
  if (schedule.hasFlag(kApartFlag) || !hasWholeSectors(stencil, schedule))
    return 0;
  const int sector = pointsOfSector(stencil);
  return int(euclideanRemainder(
      begin + marginAlong(stencil, StepReach(stencil), schedule, x, Low) - aligned, sector));
}

/// One step a pass, a launch a stage, one thread a point.
static void addSingleSteps(StepLowering &step) {
  Schedule single;
  single.rank = step.stencil.rank();
  constexpr std::array<int, 3> blocks[] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
  single.block = blocks[single.rank - 1];
  for (unsigned part = 0; part < step.parts.size(); ++part) {
    ThreadedStage stage(step, part, single);
    stage.builder.kernel.promisesResidency = false;
    stage.appendPoint();
    step.add({{stage.launch()}});
  }
}

/// The program begins with passes that make all steps of the schedule by these actions.
static void addFusedPass(Program &program, const FusedState &state, const Schedule &schedule,
                         Actions actions, const std::array<int64_t, kMaxRank> &minimumExtent,
                         std::optional<unsigned> storesRowEnds = {}) {
  Pass fused = state.pass(schedule.fuse, std::move(actions), storesRowEnds);
  fused.minimumExtent = minimumExtent;
  program.plan.passes.insert(program.plan.passes.begin(), std::move(fused));
  state.bringHome(program);
}

static Program lower(const Stencil &written, const Schedule &schedule) {
  const Stencil stencil = marchedForm(written);
  std::array<int64_t, kMaxRank> minimumExtent = {};
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (isPeriodic(stencil, axis))
      minimumExtent[axis] = imagesAlong(stencil, schedule, axis);
  // One step a pass on every grid leaves none over.
  const bool leavesSteps =
      schedule.fuse > 1 || llvm::any_of(minimumExtent, [](int64_t least) { return least > 0; });
  StepLowering step(written, Target::Device, fieldsInPlace(written), /*storesTemps=*/leavesSteps);
  if (leavesSteps)
    addSingleSteps(step);
  else
    for (unsigned part = 0; part < step.parts.size(); ++part)
      step.add(Actions());
  const FusedState state(step);
  Program program = step.finish();
  if (schedule.hasFlag(kFusedTileFlag)) {
    const Launch launch = FusedTile(state, schedule).addTo(program);
    addFusedPass(program, state, schedule, {{launch}}, minimumExtent);
    return program;
  }

  const unsigned x = stencil.rank() - 1;
  const bool isLine = stencil.rank() == 1, inPipeline = isPipeline(stencil, schedule);
  int first = leftOut(areaAround(step.areas, stencil.rank())[x], Low);
  const bool marches = !isLine && !inPipeline;
  if (marches)
    first -= marginAtEnd(stencil, StepReach(stencil), schedule, x, Low, first);
  // Whole sectors of memory, or pieces.
  const int piece =
      inPipeline ? PipelineShape(stencil, schedule).sector : widestPiece(stencil, schedule);
  std::vector<int> begins = beginsOfPieces(program.signature.firstUpdated, first, piece);
  // The tile at the low end has fewest points before those that it is for.
  if (marches && *llvm::max_element(begins) != begins.front())
    program.signature.lineStart = 0;
  if (keepsLevelsInWorkspace(program))
    llvm::erase_if(begins, [&](int begin) {
      return euclideanRemainder(begin - program.signature.lineStart, piece) != 0;
    });
  std::optional<WholePieces> fittingGrids;
  const auto whole = llvm::find_if(begins, [&](int begin) { return begin % piece == 0; });
  const int fittingBegin = llvm::is_contained(begins, 0) ? 0
                           : whole != begins.end()       ? *whole
                                                         : begins.front();
  // Recommended layouts align the first updated point.
  const auto lowerBy = [&](int begin) {
    const int updated = program.signature.firstUpdated;
    const bool alignsUpdated = euclideanRemainder(begin - updated, piece) == 0;
    return marches ? lowerToSectors(stencil, schedule, begin, alignsUpdated ? updated : 0) : 0;
  };
  std::optional<Launch> fitting; // on those, of tiles from there on
  std::optional<unsigned> storesRowEnds;
  Actions actions;
  const auto addFused = [&](auto &inVectors, auto &inElements) {
    Launch aligned = inVectors.addTo(program);
    actions = {{inElements.addTo(program)}};
    for (int begin : llvm::reverse(begins)) {
      aligned.cover.begin[x] = constant(begin - lowerBy(begin));
      Actions then = {{aligned}};
      if (fitting && begin == fittingBegin) {
        Actions onFitting = {{When{*fittingGrids, {{*fitting}}, then}}};
        then = {{When{ShortAddresses{}, std::move(onFitting), std::move(then)}}};
      } else if (program.kernels[aligned.kernel].hasShortAddresses)
        then = {{When{ShortAddresses{}, std::move(then), actions}}};
      const int64_t place = euclideanRemainder(begin, piece);
      actions = {{When{Aligned{inVectors.bytesOfPieces(), place, inVectors.movedBuffers()},
                       std::move(then), std::move(actions)}}};
    }
  };
  if (isLine) {
    FusedLine inVectors(state, schedule, /*isAligned=*/true, begins),
        inElements(state, schedule, /*isAligned=*/false, {first});
    addFused(inVectors, inElements);
  } else if (inPipeline) {
    RowPipeline inVectors(state, schedule, /*isAligned=*/true, begins),
        inElements(state, schedule, /*isAligned=*/false, {first});
    minimumExtent[x] = std::max(inVectors.leastWidth(), inElements.leastWidth());
    minimumExtent[0] = inVectors.leastHeight();
    addFused(inVectors, inElements);
  } else {
    using Form = FusedMarch::Form;
    std::vector<FusedMarch::Row> ways;
    for (int begin : begins)
      ways.push_back({begin, lowerBy(begin)});
    FusedMarch onFitting(state, schedule, Form::Fitting, {{fittingBegin, lowerBy(fittingBegin)}});
    fittingGrids = onFitting.grids();
    if (fittingGrids)
      fitting = onFitting.addTo(program);
    if (fitting && onFitting.storesKept())
      storesRowEnds = fitting->kernel;
    FusedMarch inVectors(state, schedule, fittingGrids ? Form::BesideFitting : Form::InVectors,
                         ways),
        inElements(state, schedule, Form::InElements, {{first, 0}});
    addFused(inVectors, inElements);
  }
  if (!leavesSteps)
    program.plan.passes.clear();
  addFusedPass(program, state, schedule, std::move(actions), minimumExtent, storesRowEnds);
  return program;
}

static std::vector<Schedule> candidates(const Stencil &stencil) {
  std::vector<Schedule> legal;
  if (llvm::errorToBool(checkStencil(stencil)))
    return legal;
  const Stencil state = marchedForm(stencil);
  for (Schedule &candidate : fusedCandidates(state, defaultSchedule(stencil)))
    if (!llvm::is_contained(legal, candidate) &&
        !llvm::errorToBool(checkSchedule(state, candidate)))
      legal.push_back(std::move(candidate));
  return legal;
}

static std::vector<Schedule> besides(const Stencil &stencil, const Schedule &schedule) {
  if (stencil.rank() < 3 || !schedule.flags.empty() ||
      !hasWholeSectors(marchedForm(stencil), schedule))
    return {};
  Schedule apart = schedule;
  apart.flags = {kApartFlag.str()};
  return {std::move(apart)};
}

namespace stencilc {
extern const Variant temporalVariant;
const Variant temporalVariant = {
    .name = "temporal",
    .summary = "several time steps in one march, overlapped tiles in registers",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .candidates = candidates,
    .besides = besides,
    .flags = kFlags,
    .fuses = true,
};
} // namespace stencilc
