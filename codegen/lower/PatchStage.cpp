#include "codegen/lower/PatchStage.h"

#include "codegen/lower/MadeInParts.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <map>

using namespace stencilc;

bool stencilc::isPatched(const Schedule &schedule) {
  return schedule.pointsPerThread != std::array{1, 1} || schedule.prefetch > 0;
}

/// Where rows may be aligned, as remainders of the columns: recommended layouts align the first
/// updated point, others mostly point 0. Patches that then begin before `first`, which is made, and
/// before the grid would read what is not there.
static std::vector<int> placesToAlign(int firstUpdated, int first, int columns) {
  if (columns == 1)
    return {};
  std::vector<int> places;
  for (int point : {firstUpdated, 0}) {
    const int place = euclideanRemainder(point, columns);
    const int begin = first - int(euclideanRemainder(first - place, columns));
    if (begin >= std::min(first, 0) && !llvm::is_contained(places, place))
      places.push_back(place);
  }
  if (places.empty())
    places.push_back(euclideanRemainder(first, columns));
  return places;
}

/// Pieces that begin with the first point that is made stick out nowhere, if any do not.
static std::vector<int> placesOfPieces(int lineStart, const AxisSpan &along,
                                       const PatchShape &shape) {
  const int first = leftOut(along, Low);
  return shape.isWhole ? std::vector{int(euclideanRemainder(first, shape.columns))}
                       : placesToAlign(lineStart, first, shape.columns);
}

static PatchShape shapeFor(const Schedule &schedule, unsigned rank, bool isWhole) {
  PatchShape shape =
      patchShape(rank, schedule.pointsPerThread, schedule.chunk > 1, schedule.prefetch);
  shape.isWhole = isWhole;
  return shape;
}

PatchStage::PatchStage(StepLowering &step, unsigned part, const Schedule &schedule, bool isWhole)
    : StageKernel(step, part, schedule.variant + (isWhole ? "_whole" : ""),
                  !schedule.hasFlag("plain")),
      schedule(schedule), shape(shapeFor(schedule, stencil.rank(), isWhole)),
      alignedAt(placesOfPieces(step.program.signature.lineStart, area[stencil.rank() - 1], shape)) {
  builder.kernel.promisesResidency = true;
  const unsigned rank = stencil.rank(), x = rank - 1;
  std::vector<Index> atLeast;
  for (unsigned axis = 0; axis < rank; ++axis)
    atLeast.push_back(constant(leftOut(area[axis], Low)));
  leastX = leftOut(area[x], Low);
  for (int aligned : alignedAt)
    leastX = std::min(leastX, beginFor(aligned));
  atLeast[x] = alignedAt.empty() ? nullptr : constant(leastX);

  point = builder.threads(body, schedule.block, atLeast, schedule.chunk, "kBlock",
                          schedule.pointsPerThread);
  for (ArrayArgument &array : builder.kernel.arrays)
    if (const int lanes = lanesFor(array.type, shape.columns);
        lanes > 1 && hasStrides(array.layout))
      array.alignment = Alignment{unsigned(lanes), firstOf(x)};
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back({firstAlong(axis), axis == x && alignedAt.empty() ? box.begin[x] : nullptr,
                      shape.isWhole ? add(box.end[axis], 1 - pointsAlong(axis)) : box.end[axis]});
  body.push_back({ReturnUnless{inside}});
  if (shape.columns > 1)
    for (unsigned update = 0; update < stage.updates.size(); ++update) {
      const ArrayArgument &array = builder.kernel.arrays[target(update)];
      std::vector<int> extents = {shape.rows, shape.columns};
      if (shape.rows == 1)
        extents = {shape.columns};
      newValues.push_back(builder.patch(array.name + "_row", array.type, extents));
    }
  shape.marches ? appendMarch() : appendPoints();
}

int PatchStage::pointsAlong(unsigned axis) const {
  if (hasTile() && axis != shape.planeAxis)
    return pointsOfBlock(schedule, stencil.rank())[axis];
  return axis == shape.columnAxis              ? shape.columns
         : axis == shape.rowAxis               ? shape.rows
         : axis == shape.planeAxis && isFlat() ? schedule.chunk
                                               : 1;
}

Index PatchStage::firstAlong(unsigned axis) const {
  if (!hasTile() || axis == shape.planeAxis)
    return point[axis];
  return blockBegin(axis, pointsAlong(axis));
}

int PatchStage::beginFor(int aligned) const {
  const int first = leftOut(area[stencil.rank() - 1], Low);
  return first - int(euclideanRemainder(first - aligned, shape.columns));
}

// ---- bodies -------------------------------------------------------------------------------------

void PatchStage::appendPoints() {
  letPointers(body, point);
  WindowLoads loads(*this, shape, point, leastX, body);
  body.push_back({Phase{"What the points read."}});
  loads.appendStart(body);
  body.push_back({Phase{"Their new values."}});
  appendUpdates(body, point, loads);
}

void PatchStage::appendMarch() {
  const std::string &axis = stencil.axes[0], plane = stencil.rank() == 2 ? "row" : "plane";
  const Index begin = point[0];
  const Index chunkEnd = add(begin, builder.chunk());
  For march{LoopKind::Unroll, builder.local(axis), begin, chunkEnd, 1, {}};
  if (!isFlat()) {
    march.kind = LoopKind::Serial;
    march.end = builder.letIndex(body, axis + "_end", minimum(chunkEnd, box.end[0]));
    march.steady = SteadyLoop{schedule.prefetch};
  }
  for (unsigned pointer : letPointers(body, point, /*areCarried=*/true))
    march.carries.push_back({pointer, 0});
  const Index z = coordinate(CoordinateKind::Local, march.local);

  std::optional<BlockPoints> shared;
  if (hasTile())
    shared = pointsOfBlock(schedule, stencil.rank());
  WindowLoads loads(*this, shape, point, leastX, body, shared);
  if (loads.movesPlanes())
    body.push_back(
        {Phase{fmt::format("What the first point reads, but for the newest {}.", plane)}});
  loads.appendStart(body, march.end);
  march.body.push_back(
      {Phase{fmt::format("The newest {}, and what lies around this one.", plane)}});
  loads.appendTurn(march.body, z, march.end);
  march.body.push_back({Phase{"The new values."}});
  Point each = point;
  each[0] = z;
  appendUpdates(march.body, each, loads);
  if (loads.movesPlanes())
    march.body.push_back({Phase{fmt::format("All move up one {}.", plane)}});
  loads.appendShifts(march.body);
  body.push_back({Phase{isFlat() ? fmt::format("Up through the chunk, all {}s in one go.", plane)
                                 : fmt::format("Up through the chunk, one {} a turn.", plane)}});
  body.push_back({std::move(march)});
}

void PatchStage::appendUpdates(Body &body, const Point &first, const WindowLoads &loads) {
  std::vector<ExprId> wanted;
  for (unsigned update = 0; update < stage.updates.size(); ++update)
    wanted.push_back(step.formula.result(part.stage, part.updates[update]));
  const PointUpdate update(stencil, step.formula, std::move(wanted));

  if (shape.columns == 1) {
    eachRow(body, first, [&](Body &row, const Index &j, const Point &point) {
      ReadSource reads = loads.readsAt(j, constant(0));
      const std::vector<Value> values = update.append(builder, row, {point}, reads);
      for (auto [number, value] : llvm::enumerate(values))
        appendIfMade(row, number, point, {{StoreGlobal{target(number), point, value}}});
    });
    return;
  }
  // All values first: where they are stored, threads at the ends of rows go another way.
  eachRow(body, first, [&](Body &row, const Index &j, const Point &point) {
    builder.unroll(row, "i", 0, shape.columns, [&](Body &column, const Index &i) {
      ReadSource reads = loads.readsAt(j, i);
      Point at = point;
      at.back() = add(at.back(), i);
      for (auto [patch, value] :
           llvm::zip(newValues, update.append(builder, column, {std::move(at)}, reads)))
        column.push_back({AssignElement{patch, elementOf(j, i), std::move(value)}});
    });
  });
  appendStores(body, first);
}

void PatchStage::eachRow(
    Body &body, const Point &first,
    llvm::function_ref<void(Body &, const Index &j, const Point &point)> append) {
  builder.unroll(body, "j", 0, shape.rows, [&](Body &row, const Index &j) {
    Point point = first;
    if (shape.rowAxis)
      point[*shape.rowAxis] = add(point[*shape.rowAxis], j);
    append(row, j, point);
  });
}

std::vector<Index> PatchStage::elementOf(const Index &j, const Index &i) const {
  return shape.rows > 1 ? std::vector{j, i} : std::vector{i};
}

unsigned PatchStage::target(unsigned update) const {
  return arrays.argument(stage.updates[update].array, TimeLevel::Next);
}

void PatchStage::appendIfMade(Body &body, unsigned update, const Point &point, Body stores) {
  const unsigned x = stencil.rank() - 1;
  const PointBox made = builder.boxOf(areas[update]);
  Box box;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    if (axis == x && shape.columns > 1)
      continue;
    const bool isSmaller = areas[update][axis] != area[axis];
    const bool isPatched = axis == shape.rowAxis && shape.rows > 1 && !shape.isWhole;
    if (isSmaller || isPatched)
      box.push_back({point[axis], isSmaller ? made.begin[axis] : nullptr, made.end[axis]});
  }
  if (box.empty())
    llvm::move(stores, std::back_inserter(body));
  else
    body.push_back({If{std::move(box), std::move(stores), {}}});
}

void PatchStage::appendStores(Body &body, const Point &first) {
  const unsigned x = stencil.rank() - 1;
  for (unsigned update = 0; update < stage.updates.size(); ++update) {
    const PointBox box = builder.boxOf(areas[update]);
    const ScalarType type = builder.kernel.arrays[target(update)].type;
    const int lanes = lanesFor(type, shape.columns);
    const Index begin = leftOut(areas[update][x], Low) > leastX ? box.begin[x] : nullptr;
    const bool isWhole = shape.isWhole && areas[update][x] == area[x];
    If *branch = isWhole ? nullptr
                         : &branchOn(body, {{first[x], begin, add(box.end[x], 1 - shape.columns)}});
    eachRow(branch ? branch->then : body, first,
            [&](Body &row, const Index &j, const Point &point) {
              Body stores;
              for (int column = 0; column < shape.columns; column += lanes) {
                Point at = point;
                at[x] = add(at[x], column);
                stores.push_back({StoreVector{
                    target(update),
                    at,
                    {newValues[update], elementOf(j, constant(column)), unsigned(lanes)}}});
              }
              appendIfMade(row, update, point, std::move(stores));
            });
    if (!branch)
      continue;
    eachRow(branch->otherwise, first, [&](Body &row, const Index &j, const Point &point) {
      Body stores;
      builder.unroll(stores, "i", 0, shape.columns, [&](Body &column, const Index &i) {
        Point at = point;
        at[x] = add(at[x], i);
        If one{{{at[x], begin, box.end[x]}}, {}, {}};
        one.then.push_back(
            {StoreGlobal{target(update), at,
                         makeValue(type, PatchElement{newValues[update], elementOf(j, i)})}});
        column.push_back({std::move(one)});
      });
      appendIfMade(row, update, point, std::move(stores));
    });
  }
}

// ---- launches -----------------------------------------------------------------------------------

std::optional<WholePieces> PatchStage::wholePieces() const {
  const PointBox covered =
      stencilc::boxOf(area, stencil.rank(), step.program.signature.paramRanges);
  WholePieces pieces;
  for (unsigned axis = stencil.rank(); axis-- > 0;) {
    const LinearIndex begin = linear(covered.begin[axis]);
    const Index points = add(covered.end[axis], -begin.constant);
    const bool isGivenPart = constantDifference(points, extent(axis)).has_value();
    const int each = pointsAlong(axis);
    if (!begin.terms.empty() || (each > 1 && !isGivenPart))
      return std::nullopt;
    if (each > 1 && !leavesRest(axis))
      pieces.axes.push_back({axis, points, each});
  }
  return pieces;
}

Index PatchStage::endOfWhole(unsigned axis) const {
  const PointBox covered =
      stencilc::boxOf(area, stencil.rank(), step.program.signature.paramRanges);
  const Index &begin = covered.begin[axis];
  Index points = add(covered.end[axis], -linear(begin).constant);
  if (linear(points).constant < 0) // a grid may have fewer than are left out
    points = maximum(points, constant(0));
  const int each = pointsAlong(axis);
  return add(begin, scale(quotient(points, each), each));
}

std::vector<Launch> PatchStage::besideWhole(const Launch &bounded) const {
  std::vector<Launch> launches;
  Launch rest = bounded;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (leavesRest(axis)) {
      const Index end = endOfWhole(axis);
      rest.comment = axis == shape.planeAxis ? "The planes that are no whole chunk."
                                             : "The rows that are in no whole patch.";
      rest.cover.begin[axis] = end;
      launches.push_back(rest);
      rest.cover.begin[axis] = bounded.cover.begin[axis];
      rest.cover.end[axis] = end;
    }
  return launches;
}

Launch PatchStage::launch() {
  const unsigned rank = stencil.rank();
  Cover cover;
  llvm::copy(llvm::ArrayRef(pointsOfBlock(schedule, rank)).take_front(rank), cover.points.begin());
  cover.points[0] *= schedule.chunk;
  if (alignedAt.empty())
    cover.alignTo = arrays.argument(stage.updates.front().array, TimeLevel::Next);
  return StageKernel::launch(std::move(body), std::move(cover));
}

Actions PatchStage::finish(PatchStage *whole, llvm::function_ref<Launch()> otherwise) {
  const unsigned x = stencil.rank() - 1;
  // Arrays of wider elements may ask for wider pieces.
  std::map<int64_t, std::vector<unsigned>> aligned; // buffers, by the bytes of their pieces
  for (auto [argument, buffer] : llvm::zip_equal(builder.kernel.arrays, builder.buffers))
    if (argument.alignment)
      aligned[argument.alignment->elements * sizeInBytes(argument.type)].push_back(buffer);
  const auto beginsWhole = [&](int at) { return whole && beginFor(at) == whole->leastX; };
  // Arrays too large for short addresses take the kernel for any grid where whole patches have one
  // of their own, and else that of single points.
  const bool isShort = !whole && !alignedAt.empty() && stencil.rank() > 1;
  builder.kernel.hasShortAddresses = isShort;
  std::optional<Launch> ofWhole;
  if (llvm::any_of(alignedAt, beginsWhole)) {
    whole->builder.kernel.hasShortAddresses = true;
    ofWhole = whole->launch();
  }
  Launch launch = this->launch();
  if (alignedAt.empty())
    return {{std::move(launch)}};

  Actions actions = {{otherwise()}};
  for (int at : llvm::reverse(alignedAt)) {
    launch.cover.begin[x] = constant(beginFor(at));
    Actions then = {{launch}};
    if (beginsWhole(at)) {
      Actions wholeAndRest = {{*ofWhole}};
      for (Launch &rest : whole->besideWhole(launch))
        wholeAndRest.push_back({std::move(rest)});
      Actions onWhole = {{When{*whole->wholePieces(), std::move(wholeAndRest), then}}};
      then = {{When{ShortAddresses{}, std::move(onWhole), std::move(then)}}};
    }
    if (isShort)
      then = {{When{ShortAddresses{}, std::move(then), actions}}};
    for (const auto &[bytes, buffers] : aligned)
      then = {{When{Aligned{bytes, at, buffers}, std::move(then), actions}}};
    actions = std::move(then);
  }
  return actions;
}

/// True if a temp is made beyond an end of the grid from what lies all before its points: a patch
/// holds points further out, of which no memory is there.
static bool readsBehindGhosts(const StepLowering &step, const StagePart &part) {
  const Stage &stage = step.stencil.stages[part.stage];
  std::map<std::tuple<unsigned, TimeLevel, unsigned, Side>, int> furthest;
  for (unsigned number : part.updates)
    for (unsigned axis = 0; axis < step.stencil.rank(); ++axis)
      for (Side side : {Low, High})
        if (leftOut(step.areas.updates[part.stage][number][axis], side) < 0)
          forEachRead(stage.updates[number].formula, [&](const Read &read) {
            const int beyond = distance(read.offset[axis], side);
            const auto [known, isNew] =
                furthest.try_emplace({read.array, read.level, axis, side}, beyond);
            known->second = std::max(known->second, beyond);
          });
  return llvm::any_of(furthest, [](const auto &read) { return read.second < 0; });
}

/// True of a part whose patches hold nothing that the launch writes for others, nor points of a
/// temp that are not made, and begin at one place on all grids, before which memory lies.
static bool suitsPatches(const StepLowering &step, const StagePart &part) {
  const Stage &stage = step.stencil.stages[part.stage];
  if (readsBehindGhosts(step, part))
    return false;
  return llvm::all_of(part.updates, [&](unsigned number) {
    const Area &area = step.areas.updates[part.stage][number];
    bool readsMade = false, readsPart = false;
    forEachRead(stage.updates[number].formula, [&](const Read &read) {
      readsMade |= read.level == TimeLevel::Next && llvm::any_of(part.updates, [&](unsigned other) {
                     return stage.updates[other].array == read.array;
                   });
      readsMade |= isMadeInParts(step.stencil, read);
      readsPart |= !isWhole(step.areas.temps[read.array]);
    });
    const auto &along = area[step.stencil.rank() - 1];
    return !readsMade && !readsPart && leftOut(along, Low) >= 0 &&
           llvm::all_of(along.from,
                        [](const auto &bound) { return bound.base == AxisBound::Base::Start; });
  });
}

Program stencilc::lowerInPatches(const Stencil &stencil, const Schedule &schedule,
                                 llvm::function_ref<void(ThreadedStage &)> append) {
  Schedule scalar = schedule;
  scalar.pointsPerThread = {1, 1};
  scalar.prefetch = 0;
  // Without the tile of whole patches, planes that come ahead only take registers.
  Schedule patches = schedule;
  if (schedule.hasFlag(kTileFlag))
    patches.prefetch = 0;
  StepLowering step(stencil, Target::Device);
  for (unsigned part = 0; part < step.parts.size(); ++part) {
    const auto byPoints = [&](llvm::StringRef suffix) {
      ThreadedStage stage(step, part, scalar, suffix);
      append(stage);
      return stage.launch();
    };
    if (!suitsPatches(step, step.parts[part])) {
      step.add({{byPoints("")}});
      continue;
    }
    std::optional<PatchStage> whole;
    if (schedule.hasFlag(kWholeFlag) || schedule.hasFlag(kFlatFlag)) {
      whole.emplace(step, part, schedule, /*isWhole=*/true);
      if (!whole->wholePieces())
        whole.reset();
    }
    step.add(
        PatchStage(step, part, whole ? patches : schedule).finish(whole ? &*whole : nullptr, [&] {
          return byPoints("_unaligned");
        }));
  }
  return step.finish();
}
