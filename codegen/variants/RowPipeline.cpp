#include "codegen/variants/RowPipeline.h"

#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

using namespace stencilc;

// ---- set-up -------------------------------------------------------------------------------------

static Index c(int64_t value) { return constant(value); }
static Index lane() { return coordinate(CoordinateKind::Thread, 0); }
static Index warp() { return coordinate(CoordinateKind::Thread, 1); }
static Index minus(const Index &left, const Index &right) { return add(left, scale(right, -1)); }

RowPipeline::RowPipeline(const FusedState &state, const Schedule &schedule, bool isAligned,
                         std::vector<int> begins)
    : stencil(state.form().stencil), stage(stencil.stages.front()), formula(state.form().formula),
      schedule(schedule), isAligned(isAligned), begins(std::move(begins)), shape(stencil, schedule),
      reach(stencil), partial(stencil, formula),
      builder(state.form().program, stencil.name + (isAligned ? "_fused_in_vectors" : "_fused"),
              Target::Device),
      arrays(builder, state.form().program, stencil),
      ofSteps(builder, stencil, formula, shape.steps),
      area(state.form().areas.updates.front().front()), bounds(builder.boxOf(area)) {
  Kernel &kernel = builder.kernel;
  kernel.block = schedule.block;
  kernel.promisesResidency = isAligned;
  kernel.startsEarly = false;
  kernel.hasShortAddresses = isAligned;
  kernel.comment = {std::to_string(shape.fused()) + " steps of"};
  makeFields();
  for (const auto &[field, update] : llvm::zip_equal(fields, stage.updates)) {
    field.isPrevious = state.isPrevious(update.array);
    if (!field.isPrevious)
      kernel.comment.push_back("  " + update.text);
  }
  makeKept();
}

void RowPipeline::makeFields() {
  for (const Update &update : stage.updates) {
    const Array &array = stencil.arrays[update.array];
    Field field;
    field.array = update.array;
    field.lanes = isAligned ? 16 / int(sizeInBytes(array.type)) : 1;
    field.ring =
        builder.tile(array.name + "_chunks", array.type, {shape.slots, shape.rows, shape.width});
    field.around = builder.patch(array.name + "_row", array.type, {shape.points + 2 * shape.x});
    field.made = builder.patch(array.name + "_made", array.type, {shape.points});
    field.leaving = builder.patch(array.name + "_done", array.type,
                                  {shape.rows, piecesOfThread(field), field.lanes});
    fields.push_back(std::move(field));
  }
}

void RowPipeline::makeKept() {
  for (int plane = partial.lowest; plane < partial.highest; ++plane) {
    std::vector<Kept> &values = states.emplace_back();
    for (ExprId id : partial.keptAfter(plane))
      values.push_back({id, formula[id].type});
    // Values that also keep something for a field, each for one.
    std::vector<bool> isTaken(values.size());
    const auto carrierFor = [&](const Field &field) {
      unsigned number = 0;
      while (number < values.size() && (isTaken[number] || values[number].type != typeOf(field)))
        ++number;
      if (number == values.size()) {
        values.push_back({std::nullopt, typeOf(field)});
        isTaken.push_back(false);
      }
      isTaken[number] = true;
      return number;
    };
    for (Field &field : fields)
      if (plane >= 0 &&
          !field.isPrevious) // the rows in question have come: points outside are kept
        field.carriers.push_back(carrierFor(field));
      else if (plane == -1 && clamps(field, 0, High))
        field.last = carrierFor(field);
  }
  std::map<ScalarType, int> slots;
  for (std::vector<Kept> &values : states)
    for (Kept &value : values)
      value.slot = slots[value.type]++;
  for (auto [type, count] : slots) {
    const unsigned patch = builder.patch("waiting", type, {count, shape.steps, shape.points});
    for (std::vector<Kept> &values : states)
      for (Kept &value : values)
        if (value.type == type)
          value.patch = patch;
  }
}

// ---- small parts --------------------------------------------------------------------------------

Index RowPipeline::name(Body &body, llvm::StringRef wanted, Index value) {
  const unsigned number = builder.localOfBody(wanted);
  body.push_back({LetIndex{number, std::move(value)}});
  return coordinate(CoordinateKind::Local, number);
}

Value RowPipeline::element(ScalarType type, unsigned patch, std::vector<Index> at) const {
  return makeValue(type, PatchElement{patch, std::move(at)});
}

Value RowPipeline::kept(const Kept &state, const Index &step, const Index &i) const {
  return element(state.type, state.patch, {c(state.slot), step, i});
}

std::vector<int> RowPipeline::placesOutside(Side side) const {
  std::vector<int> places;
  if (isPeriodicAlong(1))
    return places;
  for (int beyond = 1; beyond <= shape.x; ++beyond) {
    if (side == High) {
      places.push_back(shape.points - beyond);
      continue;
    }
    for (int begin : begins) {
      const int64_t inTile = leftOut(area[1], Low) - begin + shape.margin - beyond;
      const int place = euclideanRemainder(inTile, shape.points);
      if (!llvm::is_contained(places, place))
        places.push_back(place);
    }
  }
  return places;
}

int64_t RowPipeline::leastWidth() const {
  if (isPeriodicAlong(1))
    return std::max<int64_t>(shape.margin, 1); // an index is mapped into it
  return shape.width - shape.x - shape.margin + *llvm::max_element(begins) + leftOut(area[1], High);
}

int64_t RowPipeline::leastHeight() const {
  const int64_t updatedRow = leftOut(area[0], Low) + leftOut(area[0], High) + 1;
  return std::max<int64_t>(
      {isPeriodicAlong(0) ? imagesAlong(stencil, schedule, 0) : updatedRow, 1, shape.rows});
}

// ---- the march ----------------------------------------------------------------------------------

Body RowPipeline::turns(const Index &from, const Index &to, Ends ends) {
  const unsigned number = builder.localOfLoop("turn");
  turn = coordinate(CoordinateKind::Local, number);
  For march{LoopKind::Serial, number, from, to, 1, {}};
  Body &body = march.body;
  body.push_back({WaitCopies{unsigned(shape.ahead) - 1}});
  body.push_back({Barrier{}});
  body.push_back({Phase{"Stores the chunk that is finished."}});
  leave(body, ends);
  body.push_back({Phase{"Each warp makes its steps of a chunk, which takes its place."}});
  advance(body, ends);
  body.push_back({Phase{"Starts to copy a chunk of the state."}});
  takeIn(body, add(turn, shape.ahead), ends);
  march.steady = SteadyLoop{shape.ahead, 1, shape.rows};
  return {{std::move(march)}};
}

void RowPipeline::appendStart() {
  builder.unroll(body, "step", 0, shape.steps, [&](Body &body, const Index &step) {
    builder.unroll(body, "i", 0, shape.points, [&](Body &body, const Index &i) {
      for (const std::vector<Kept> &values : states)
        for (const Kept &value : values)
          body.push_back({AssignElement{
              value.patch, {c(value.slot), step, i}, makeValue(value.type, LiteralValue{0})}});
    });
  });
  for (const Field &field : fields) {
    const Value zero = makeValue(typeOf(field), LiteralValue{0});
    builder.unroll(body, "i", 0, field.lanes, [&](Body &body, const Index &i) {
      body.push_back({AssignElement{field.leaving, {c(0), c(0), i}, zero}});
    });
    // Later warps begin with chunks before the first, and so does what leaves.
    builder.unroll(body, "slot", 0, shape.warps, [&](Body &body, const Index &slot) {
      builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
        forEachPiece(body, field.lanes, [&](Body &body, const Index &at) {
          if (field.lanes == 1)
            body.push_back({StoreShared{field.ring, {slot, row, at}, zero}});
          else
            body.push_back(
                {StoreSharedVector{field.ring,
                                   {slot, row, at},
                                   {field.leaving, {c(0), c(0), c(0)}, unsigned(field.lanes)}}});
        });
      });
    });
  }
  builder.unroll(body, "chunk", 0, shape.ahead, [&](Body &body, const Index &chunk) {
    takeIn(body, chunk, {/*ofRows=*/true, /*ofMarch=*/true});
  });
}

Index RowPipeline::rowsBefore(const Index &number) const {
  // Of so many blocks from the first that share the chunks of some tiles.
  const auto rowsOf = [&](const Index &blocks, int all, int tiles) {
    const int64_t rows = int64_t(shape.chunk) * tiles;
    return minimum(scale(blocks, llvm::divideCeil(rows, all)), c(rows));
  };
  const int inside = shape.blocks - 2 * shape.atEnds;
  if (shape.atEnds == 0)
    return rowsOf(number, shape.blocks, shape.tiles);
  const Index first = minimum(number, c(shape.atEnds)),
              behind = maximum(add(number, -shape.atEnds), c(0)),
              last = maximum(add(number, shape.atEnds - shape.blocks), c(0));
  return add(add(rowsOf(first, shape.atEnds, 1),
                 rowsOf(minimum(behind, c(inside)), inside, shape.tiles - 2)),
             rowsOf(last, shape.atEnds, 1));
}

void RowPipeline::appendMarches(const std::vector<Index> &origin) {
  if (shape.blocks == 1) {
    nameCoordinates(origin[1], origin[0], nullptr);
    appendMarch();
    return;
  }
  const std::string &axisY = stencil.axes[0];
  const int64_t chunk = shape.chunk;
  std::string shared =
      fmt::format("The rows of {} tiles, one behind the other, are shared by {} blocks",
                  shape.tiles, shape.blocks);
  if (shape.atEnds > 0)
    shared += fmt::format(", of which {} have the first tile and {} the last", shape.atEnds,
                          shape.atEnds);
  body.push_back({Phase{shared + "."}});
  const Index share = builder.letIndex(
      body, "share", quotient(minus(origin[0], bounds.begin[0]), shape.rowsOfShare()));
  const Index chunkY = builder.letIndex(
      body, "chunk_" + axisY, add(bounds.begin[0], scale(quotient(share, shape.blocks), chunk)));
  const Index number = builder.letIndex(body, "number", remainder(share, shape.blocks));
  const Index from = builder.letIndex(body, "rows_begin", rowsBefore(number));
  const Index to = builder.letIndex(body, "rows_end", rowsBefore(add(number, 1)));
  const unsigned local = builder.localOfLoop("tile");
  const Index tile = coordinate(CoordinateKind::Local, local);
  For tiles{
      LoopKind::Serial, local, quotient(from, chunk), quotient(add(to, chunk - 1), chunk), 1, {}};
  std::swap(body, tiles.body);
  const Index ownX =
      builder.letIndex(body, "own_" + stencil.axes[1], add(origin[1], scale(tile, shape.right())));
  nameCoordinates(ownX, add(chunkY, maximum(add(from, scale(tile, -chunk)), c(0))),
                  add(chunkY, minimum(add(to, scale(tile, -chunk)), c(chunk))));
  If isThere{{{begin, nullptr, end}, {ownX, nullptr, bounds.end[1]}}, {}, {}};
  std::swap(body, isThere.then);
  appendMarch();
  body.push_back({Phase{"Before the next tile, what was copied ahead has come."}});
  body.push_back({WaitCopies{0}});
  body.push_back({Barrier{}});
  std::swap(body, isThere.then);
  body.push_back({std::move(isThere)});
  std::swap(body, tiles.body);
  body.push_back({std::move(tiles)});
}

void RowPipeline::nameCoordinates(const Index &ownX, const Index &firstRow, const Index &endRow) {
  const std::string &axisX = stencil.axes[1], &axisY = stencil.axes[0];
  tileX = builder.letIndex(body, "tile_" + axisX, add(ownX, -shape.margin));
  left = tileX;
  if (!isPeriodicAlong(1)) {
    // So far that the area ends before the last places of a lane.
    const Index most = c(shape.width - shape.x);
    const Index inTile = minimum(minus(bounds.end[1], tileX), most);
    left =
        builder.letIndex(body, "left", minus(tileX, remainder(minus(most, inTile), shape.points)));
  }
  x = builder.letIndex(body, axisX, add(left, scale(lane(), shape.points)));
  ownBegin =
      builder.letIndex(body, axisX + "_begin", maximum(add(tileX, shape.margin), bounds.begin[1]));
  ownEnd = builder.letIndex(body, axisX + "_end",
                            minimum(add(tileX, shape.width - shape.margin), bounds.end[1]));
  begin = builder.letIndex(body, axisY + "_begin", firstRow);
  end = builder.letIndex(body, axisY + "_end",
                         minimum(endRow ? endRow : add(begin, shape.chunk), bounds.end[0]));
  first = builder.letIndex(body, axisY + "_first", add(begin, shape.fused() * shape.lowest));
  thread = builder.letIndex(body, "thread", add(scale(warp(), int(kLanesPerWarp)), lane()));
}

void RowPipeline::loadValues() {
  if (ofSteps.hasLists() || ofSteps.asksStep())
    before = builder.letIndex(body, "steps_before",
                              add(c((shape.warps - 1) * shape.steps), scale(warp(), -shape.steps)));
  if (!ofSteps.hasLists())
    return;
  body.push_back({Phase{"What arrays over time have for the steps of a warp."}});
  Body ofWarp;
  for (int number = 0; number < shape.warps; ++number) { // the last one is asked first
    Body loads;
    ofSteps.load(loads, (shape.warps - 1 - number) * shape.steps);
    if (number == 0)
      ofWarp = std::move(loads);
    else
      ofWarp = {{If{{{warp(), c(number), nullptr}}, std::move(loads), std::move(ofWarp)}}};
  }
  llvm::move(ofWarp, std::back_inserter(body));
}

void RowPipeline::appendMarch() {
  const auto turnsOf = [&](const Index &rows) { return quotient(rows, shape.rows); };
  const auto turnsAround = [&](const Index &rows) { return turnsOf(add(rows, shape.rows - 1)); };
  const Index all = builder.letIndex(
      body, "turns", add(turnsAround(add(minus(end, begin), shape.rowsAround())), shape.warps));
  // From `start` on, all rows that a turn copies are on the grid and all that it makes in the area;
  // from `middle` on, some are not again: those of turn `last` in the first place.
  Index start, toArea;
  const Index toGrid = add(turnsOf(minus(extent(0), first)), -shape.ahead);
  if (isPeriodicAlong(0)) {
    start = add(turnsAround(scale(first, -1)), -shape.ahead);
    toArea = toGrid;
  } else {
    start = add(turnsAround(add(minus(bounds.begin[0], first), shape.fused() * shape.highest)),
                shape.warps - 1);
    toArea = minimum(turnsOf(minus(bounds.end[0], first)), toGrid);
  }
  start = builder.letIndex(body, "start", maximum(minimum(all, start), c(0)));
  const Index last = builder.letIndex(body, "last", toArea);
  const Index middle = builder.letIndex(body, "middle", maximum(start, minimum(all, last)));
  body.push_back({Phase{"Nothing is known of rows before the first."}});
  appendStart();
  body.push_back({Phase{"Turns in which some rows lie before the area."}});
  llvm::move(turns(c(0), start, {true, true}), std::back_inserter(body));
  body.push_back({Phase{"In the middle of the march, tiles inside ask nothing about ends."}});
  Box isInside = {{tileX, bounds.begin[1], nullptr},
                  {add(tileX, shape.width - 1), nullptr, bounds.end[1]}};
  Body inside = turns(start, middle, {false, false}), atEnds = turns(start, middle, {true, false});
  body.push_back({If{std::move(isInside), std::move(inside), std::move(atEnds)}});
  body.push_back({Phase{"Turns with rows behind the area."}});
  llvm::move(turns(middle, all, {true, true}), std::back_inserter(body));
}

Launch RowPipeline::addTo(Program &program) {
  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = std::to_string(shape.fused()) + " steps of every point that is updated.",
                .buffers = {},
                .cover = {},
                .integers = {}};
  const int leastX = *llvm::min_element(begins);
  const Index chunks =
      quotient(add(minus(bounds.end[0], bounds.begin[0]), shape.chunk - 1), shape.chunk);
  std::vector<Index> origin;
  for (unsigned axis : {0, 1}) {
    launch.cover.begin[axis] = axis == 1 ? c(leastX) : bounds.begin[axis];
    launch.cover.end[axis] = bounds.end[axis];
    if (axis == 0 && shape.blocks > 1) // whole chunks: each has all the blocks that share it
      launch.cover.end[axis] =
          add(bounds.begin[0], scale(chunks, shape.blocks * shape.rowsOfShare()));
    launch.cover.points[axis] = axis == 0 ? shape.rowsOfShare() : shape.tiles * shape.right();
    const Index firstOf =
        coordinate(CoordinateKind::Argument,
                   builder.integer("first_" + stencil.axes[axis], launch.cover.begin[axis], nullptr,
                                   FirstOf{axis}));
    if (axis == 1 && isAligned)
      for (const Field &field : fields)
        for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
          builder.kernel.arrays[arrays.argument(field.array, level)].alignment =
              Alignment{unsigned(field.lanes), firstOf};
    origin.push_back(add(firstOf, scale(coordinate(CoordinateKind::Block, dimensionOf(axis, 2)),
                                        launch.cover.points[axis])));
  }
  std::array<int64_t, kMaxRank> &least = builder.kernel.minimumExtent;
  least[0] = std::max(least[0], leastHeight());
  least[1] = std::max(least[1], leastWidth());

  loadValues();
  appendMarches(origin);
  launch.buffers = builder.buffers;
  launch.integers = builder.bindings;
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}
