#include "codegen/variants/FusedLine.h"

#include "codegen/lower/GridReads.h"
#include "codegen/lower/PointUpdate.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/lower/Window.h"
#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

// ---- schedules ----------------------------------------------------------------------------------

static constexpr int kLanes = kLanesPerWarp;
static constexpr unsigned kAxis = 0;

LineShape::LineShape(const Stencil &stencil, const Schedule &schedule)
    : beside(0), warps(schedule.block[0] / kLanes), points(schedule.pointsPerThread[0]) {
  int ofStep = 0;
  for (const Stage &stage : stencil.stages) {
    int ofStage = 0;
    for (const Update &update : stage.updates)
      forEachRead(update.formula, [&](const Read &read) {
        if (stencil.arrays[read.array].kind != ArrayKind::Const)
          ofStage = std::max(ofStage, std::abs(read.offset[kAxis]));
      });
    ofStep += ofStage;
    beside = std::max(beside, ofStage);
  }
  margin = llvm::alignTo(schedule.fuse * ofStep, widestPiece(stencil, schedule));
}

int LineShape::width() const { return kLanes * points; }

llvm::Error stencilc::checkLine(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.fuse = limits.pointsPerThread = true;
  limits.mostPoints = 16;
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  const auto refuse = [](const char *format, auto... args) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), format, args...);
  };
  const LineShape shape(stencil, schedule);
  if (schedule.fuse < 2 && stencil.stages.size() == 1)
    return refuse("`temporal` fuses two steps or more: ask for /t2");
  if (schedule.block[0] % kLanes != 0)
    return refuse("a block of `temporal` is of whole warps, not of %d threads", schedule.block[0]);
  if (shape.points == 1)
    return refuse("a thread of `temporal` has two points of a row or more, not 1");
  if (shape.points < shape.beside)
    return refuse("a thread of `temporal` has as many points of a row as reads go beyond it, %d, "
                  "or more, not %d",
                  shape.beside, shape.points);
  if (shape.right() < 1)
    return refuseEmptyTile(stencil, schedule, kAxis);
  return llvm::Error::success();
}

// ---- set-up -------------------------------------------------------------------------------------

static Index c(int64_t value) { return constant(value); }

FusedLine::FusedLine(const FusedState &state, const Schedule &schedule, bool isAligned,
                     std::vector<int> begins)
    : stencil(state.form().stencil), formula(state.form().formula), schedule(schedule),
      isAligned(isAligned), begins(std::move(begins)), shape(stencil, schedule), reach(stencil),
      builder(state.form().program, stencil.name + (isAligned ? "_fused_in_vectors" : "_fused"),
              Target::Device),
      arrays(builder, state.form().program, stencil),
      ofSteps(builder, stencil, formula, schedule.fuse), around(areaAround(state.form().areas, 1)) {
  Kernel &kernel = builder.kernel;
  kernel.block = schedule.block;
  kernel.promisesResidency = true;
  kernel.startsEarly = false;
  kernel.comment = {stepsOf(schedule.fuse) + " of"};
  makeFields(state);
  addReads();
}

void FusedLine::makeFields(const FusedState &state) {
  for (auto [number, stage] : llvm::enumerate(stencil.stages)) {
    if (number > 0)
      builder.kernel.comment.push_back("and then");
    for (auto [update, area] : llvm::zip(stage.updates, state.form().areas.updates[number])) {
      const Array &array = stencil.arrays[update.array];
      Field field;
      field.array = update.array;
      field.stage = number;
      field.isTemp = array.kind == ArrayKind::Temp;
      field.isPrevious = state.isPrevious(update.array);
      field.area = area;
      field.lanes = isAligned ? lanesFor(array.type, shape.points) : 1;
      const std::vector<int> cells = {shape.points + 2 * shape.beside};
      if (!field.isTemp)
        field.state.patch = builder.patch(array.name + "_row", array.type, cells);
      field.made.patch = builder.patch(array.name + "_made", array.type, cells);
      if (!field.isPrevious)
        builder.kernel.comment.push_back("  " + update.text);
      fields.push_back(std::move(field));
    }
  }
}

void FusedLine::addReads() {
  forEachUpdate(stencil, [&](const Update &update) {
    forEachRead(update.formula, [&](const Read &read) {
      const auto field =
          llvm::find_if(fields, [&](const Field &field) { return field.array == read.array; });
      if (field == fields.end())
        return; // a coefficient
      Row &row = read.level == TimeLevel::Next ? field->made : field->state;
      for (const Side side : {Low, High}) {
        const int far = std::max(distance(read.offset[kAxis], side), 0);
        row.reads[side] = std::max(row.reads[side], far);
        // Mirrors show what is on the other side.
        if (isMirror(stencil.arrays[read.array].boundary[kAxis][side].kind))
          row.reads[1 - side] = std::max(row.reads[1 - side], far);
      }
    });
  });
}

int FusedLine::bytesOfPieces() const {
  int bytes = 0;
  for (const Field &field : fields)
    if (!field.isTemp)
      bytes = std::max(bytes, field.lanes * int(sizeInBytes(typeOf(field))));
  return bytes;
}

std::vector<unsigned> FusedLine::movedBuffers() const {
  std::vector<unsigned> buffers;
  for (const Field &field : fields)
    for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
      if (!field.isTemp)
        buffers.push_back(builder.buffers[arrays.argument(field.array, level)]);
  return buffers;
}

Value FusedLine::cell(const Field &field, const Row &row, const Index &at) const {
  return makeValue(typeOf(field), PatchElement{row.patch, {at}});
}

// ---- memory -------------------------------------------------------------------------------------

void FusedLine::takeIn() {
  If isWhole{{{x, c(0), add(extent(kAxis), 1 - shape.points)}}, {}, {}};
  for (const Field &field : fields) {
    if (field.isTemp)
      continue;
    const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
    for (int i = 0; i < shape.points; i += field.lanes) {
      const std::vector<Index> to = {c(shape.beside + i)};
      if (field.lanes > 1)
        isWhole.then.push_back(
            {LoadVector{{field.state.patch, to, unsigned(field.lanes)}, argument, pointAt(c(i))}});
      else
        isWhole.then.push_back(
            {AssignElement{field.state.patch, to, builder.load(argument, pointAt(c(i)))}});
    }
    builder.unroll(isWhole.otherwise, "i", 0, shape.points, [&](Body &body, const Index &i) {
      const Index from = placeInTile(stencil, schedule, field.array, kAxis, add(x, i));
      body.push_back({AssignElement{
          field.state.patch, {add(i, shape.beside)}, builder.load(argument, {from})}});
    });
  }
  body.push_back({std::move(isWhole)});
}

void FusedLine::store(const Field &field) {
  if (field.isTemp)
    return;
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  const PointBox box = builder.boxOf(field.area);
  const Index begin = builder.letIndex(body, stencil.axes[kAxis] + "_begin",
                                       maximum(add(tile, shape.margin), box.begin[kAxis])),
              end = builder.letIndex(
                  body, stencil.axes[kAxis] + "_end",
                  minimum(add(tile, shape.width() - shape.margin), box.end[kAxis]));
  If isWhole{{{x, begin, add(end, 1 - shape.points)}}, {}, {}};
  for (int i = 0; i < shape.points; i += field.lanes) {
    const std::vector<Index> from = {c(shape.beside + i)};
    isWhole.then.push_back(
        field.lanes > 1
            ? Statement{StoreVector{
                  argument, pointAt(c(i)), {field.state.patch, from, unsigned(field.lanes)}}}
            : Statement{StoreGlobal{argument, pointAt(c(i)), cell(field, field.state, from[0])}});
  }
  builder.unroll(isWhole.otherwise, "i", 0, shape.points, [&](Body &body, const Index &i) {
    const Value right = cell(field, field.state, add(i, shape.beside));
    body.push_back(
        {If{{{add(x, i), begin, end}}, {{StoreGlobal{argument, pointAt(i), right}}}, {}}});
  });
  body.push_back({std::move(isWhole)});
}

// ---- beyond the ends ----------------------------------------------------------------------------

void FusedLine::atEnds(Body &body, Body work) const {
  if (room && !work.empty())
    body.push_back({If{{{room, nullptr, c(0)}}, std::move(work), {}}});
}

void FusedLine::surround(Body &body, const Field &field, const Row &row) {
  if (row.reads == std::array{0, 0})
    return;
  const int first = shape.beside, end = shape.beside + shape.points;
  const auto take = [&](int to, ShuffleFrom lane, int from) {
    body.push_back({AssignElement{
        row.patch,
        {c(to)},
        makeValue(typeOf(field), ShuffleValue{lane, 1, cell(field, row, c(from))})}});
  };
  for (int away = 1; away <= row.reads[Low]; ++away)
    take(first - away, ShuffleFrom::LowerLane, end - away);
  for (int away = 1; away <= row.reads[High]; ++away)
    take(end - 1 + away, ShuffleFrom::HigherLane, first - 1 + away);
  Body folds;
  for (const Side side : {Low, High})
    foldEnd(folds, field, row, side);
  atEnds(body, std::move(folds));
}

void FusedLine::foldEnd(Body &body, const Field &field, const Row &row, Side side) {
  const ScalarType type = typeOf(field);
  const Boundary &end = stencil.arrays[field.array].boundary[kAxis][side];
  const int inwards = side == Low ? 1 : -1;
  const auto fold = [&](Body &body, const Index &at, Range isThere, Value there, Value elsewhere) {
    body.push_back({AssignElement{
        row.patch,
        {at},
        makeValue(type,
                  GuardedValue{{std::move(isThere)}, std::move(there), std::move(elsewhere)})}});
  };
  // From the innermost that may lie beyond the end outwards: of a lane's points, one may not.
  const int own = shape.beside + (side == Low ? shape.points - 1 : 0);
  const int count = shape.points + row.reads[side];
  if (end.kind == BoundaryKind::Value || end.kind == BoundaryKind::Clamp)
    builder.unroll(body, "i", 1, count, [&](Body &body, const Index &away) {
      const Index at = add(scale(away, -inwards), own);
      const Value there =
          end.kind == BoundaryKind::Clamp
              ? cell(field, row, add(at, inwards))
              : formula.tree(builder, formula.outside(field.array, kAxis, side), Here{});
      fold(body, at, isOnGrid(kAxis, {add(x, add(at, -shape.beside)), side}), cell(field, row, at),
           there);
    });
  if (!isMirror(end.kind))
    return;
  for (int away = 1; away < count; ++away)
    for (int beyond = 1; beyond <= row.reads[side]; ++beyond) {
      const int at = own - inwards * away;
      const int from = at + inwards * (beyond + seenBehind(end.kind, beyond));
      if (from < shape.beside - row.reads[Low] ||
          from >= shape.beside + shape.points + row.reads[High])
        continue; // no point of the grid sees this one
      const Index where = add(x, at - shape.beside);
      fold(body, c(at),
           side == Low ? Range{where, c(-beyond), c(1 - beyond)}
                       : Range{where, add(extent(kAxis), beyond - 1), add(extent(kAxis), beyond)},
           timesFactor(type, end, cell(field, row, c(from))), cell(field, row, c(at)));
    }
}

void FusedLine::keep(Body &body, const Field &field) {
  // What stands beyond some ends takes its place where it is read.
  const auto isKnown = [&](Side side) {
    const BoundaryKind kind = stencil.arrays[field.array].boundary[kAxis][side].kind;
    return leftOut(field.area[kAxis], side) == 0 &&
           (keepsNoneBeyond(kind) || kind == BoundaryKind::Value);
  };
  if (isKnown(Low) && isKnown(High))
    return;
  Body kept;
  builder.unroll(kept, "i", 0, shape.points, [&](Body &body, const Index &i) {
    Box updated = conditionOf(field.area, pointAt(i), builder);
    for (Range &range : updated) {
      if (isKnown(Low))
        range.lower = nullptr;
      if (isKnown(High))
        range.upper = nullptr;
    }
    const Index at = add(i, shape.beside);
    body.push_back({AssignElement{
        field.made.patch,
        {at},
        makeValue(typeOf(field), GuardedValue{std::move(updated), cell(field, field.made, at),
                                              cell(field, field.state, at)})}});
  });
  atEnds(body, std::move(kept));
}

// ---- steps --------------------------------------------------------------------------------------

std::vector<Value> FusedLine::valuesOf(Body &body, unsigned stage, const Index &step,
                                       const Index &i) {
  std::vector<ExprId> wanted;
  for (unsigned update = 0; update < stencil.stages[stage].updates.size(); ++update)
    wanted.push_back(formula.result(stage, update));
  Here here{pointAt(i), step};
  Point nearest = here.point;
  const bool mapsPosition = ofSteps.asksPosition(kAxis) && isPeriodic(stencil, kAxis);
  if (reach.readsConstants() || mapsPosition)
    nearest = {builder.letIndex(
        body, stencil.axes[kAxis] + "_within",
        nearestUpdated(stencil, schedule, builder.boxOf(around), kAxis, here.point[kAxis]))};
  if (mapsPosition)
    here.point = nearest;
  GridReads constants(builder, stencil, formula, {nearest, step},
                      [&](const Read &read, Point where) {
                        return builder.load(arrays.argument(read.array, read.level),
                                            onMemory(stencil, around, read, std::move(where)));
                      });
  ReadSource reads = [&](Body &body, const Read &read) {
    if (stencil.arrays[read.array].kind == ArrayKind::Const)
      return constants.within(around, std::nullopt, body, read);
    const auto field =
        llvm::find_if(fields, [&](const Field &field) { return field.array == read.array; });
    return cell(*field, read.level == TimeLevel::Next ? field->made : field->state,
                add(i, shape.beside + read.offset[kAxis]));
  };
  return PointUpdate(stencil, formula, std::move(wanted))
      .append(builder, body, here, reads, ofSteps.at(step));
}

void FusedLine::makeStage(Body &body, unsigned stage, const Index &step) {
  const auto ofStage =
      llvm::make_filter_range(fields, [&](const Field &field) { return field.stage == stage; });
  builder.unroll(body, "i", 0, shape.points, [&](Body &body, const Index &i) {
    for (auto [field, value] : llvm::zip(ofStage, valuesOf(body, stage, step, i)))
      body.push_back({AssignElement{field.made.patch, {add(i, shape.beside)}, value}});
  });
  for (const Field &field : ofStage) {
    if (!field.isTemp && !field.isPrevious)
      keep(body, field);
    surround(body, field, field.made);
  }
}

void FusedLine::makeStep(Body &body, const Index &step) {
  for (const Field &field : fields)
    if (!field.isTemp)
      surround(body, field, field.state);
  for (unsigned stage = 0; stage < stencil.stages.size(); ++stage)
    makeStage(body, stage, step);
  builder.unroll(
      body, "i", shape.beside, shape.beside + shape.points, [&](Body &body, const Index &i) {
        for (const Field &field : fields)
          if (!field.isTemp)
            body.push_back({AssignElement{field.state.patch, {i}, cell(field, field.made, i)}});
      });
}

Launch FusedLine::addTo(Program &program) {
  const PointBox box = builder.boxOf(around);
  const int right = shape.right();
  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = stepsOf(schedule.fuse) + " of every point that is updated.",
                .buffers = {},
                .cover = {},
                .integers = {}};
  launch.cover.begin[kAxis] = c(*llvm::min_element(begins));
  launch.cover.end[kAxis] = box.end[kAxis];
  launch.cover.points[kAxis] = shape.warps * right;
  const std::string &axis = stencil.axes[kAxis];
  const Index first = coordinate(
      CoordinateKind::Argument,
      builder.integer("first_" + axis, launch.cover.begin[kAxis], nullptr, FirstOf{kAxis}));
  int64_t &least = builder.kernel.minimumExtent[kAxis];
  least = std::max<int64_t>(
      {least, 1, isPeriodic(stencil, kAxis) ? imagesAlong(stencil, schedule, kAxis) : 0});
  if (isAligned)
    for (const Field &field : fields)
      for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
        if (!field.isTemp)
          builder.kernel.arrays[arrays.argument(field.array, level)].alignment =
              Alignment{unsigned(field.lanes), first};

  if (reach.readsConstants()) // at points of the area alone: it has some
    body.push_back({ReturnUnless{{{box.begin[kAxis], nullptr, box.end[kAxis]}}}});
  tile = add(first, scale(coordinate(CoordinateKind::Block, 0), shape.warps * right));
  Index lane = coordinate(CoordinateKind::Thread, 0);
  if (shape.warps > 1) {
    tile = add(tile, scale(coordinate(CoordinateKind::Warp, 0), right));
    lane = coordinate(CoordinateKind::Lane, 0);
  }
  tile = builder.letIndex(body, "tile_" + axis, add(tile, -shape.margin));
  x = builder.letIndex(body, axis, add(tile, scale(lane, shape.points)));
  if (!isPeriodic(stencil, kAxis)) {
    int64_t low = shape.beside, high = shape.beside;
    for (const Field &field : fields) {
      low = std::max(low, shape.beside + leftOut(field.area[kAxis], Low));
      high = std::max(high, shape.beside + leftOut(field.area[kAxis], High));
    }
    const Index toHigh = add(add(extent(kAxis), -(high + shape.points)), scale(x, -1));
    room = builder.letIndex(body, axis + "_room", minimum(add(x, -low), toHigh));
  }
  if (ofSteps.hasLists())
    body.push_back({Phase{"What arrays over time have for each step."}});
  ofSteps.load(body, 0);
  body.push_back({Phase{"Takes in the state; beyond the ends, some point of it."}});
  takeIn();
  body.push_back(
      {Phase{"Makes the steps; what is beside a lane's points comes from other lanes."}});
  builder.unroll(body, "step", 0, schedule.fuse,
                 [&](Body &body, const Index &step) { makeStep(body, step); });
  body.push_back({Phase{"Stores what is right after the last step."}});
  for (const Field &field : fields)
    store(field);
  launch.buffers = builder.buffers;
  launch.integers = builder.bindings;
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}
