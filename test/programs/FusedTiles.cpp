#include "codegen/lower/StageKernel.h"
#include "test/programs/HandKernel.h"
#include "test/programs/Programs.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

// Level k of each field lies in a tile as wide as the block and what the later levels need around
// it. The levels are made by the parts that variants are made of: their reads see tiles instead of
// memory, with the stencil's boundaries applied there.
class FusedTiles {
public:
  FusedTiles(StepLowering &step, int steps)
      : stage(step, 0, "tiles", /*readOnlyPath=*/false), builder(stage.builder), steps(steps) {}

  void append();

private:
  static constexpr int kBlock[] = {4, 8}; ///< along y and x
  static constexpr int kRadius = 1;

  bool isField(unsigned array) const {
    return stage.stencil.arrays[array].kind == ArrayKind::Field;
  }
  int margin(int level) const { return kRadius * (steps - level); }
  int width(unsigned axis, int level) const { return kBlock[axis] + 2 * margin(level); }

  void addTiles(int level);
  /// A point of the grid, and the cell of a level's tiles that it has.
  struct Cell {
    int level;
    Point point;
    std::vector<Index> at;
  };
  /// An array's value a level before that of a cell, at a point around it.
  Value valueAt(const Read &read, const Cell &cell, const Point &where);
  /// An update's value at a cell, made from the level before.
  Value make(unsigned update, Body &body, const Cell &cell);
  /// Gives a level's tiles their values.
  void fill(int level);
  void load(Body &body, const Cell &cell);
  void advance(Body &body, const Cell &cell);
  /// Stores the last level at the thread's own point.
  void store(const Cell &own);

  StageKernel stage;
  KernelBuilder &builder;
  const int steps;
  Body body;
  Point corner;                             ///< the block's first point
  std::vector<std::vector<unsigned>> tiles; ///< by level and array
};

void FusedTiles::addTiles(int level) {
  std::vector<unsigned> &ofLevel = tiles.emplace_back();
  for (const Array &array : stage.stencil.arrays)
    ofLevel.push_back(array.kind == ArrayKind::Field
                          ? builder.tile(fmt::format("{}_level{}", array.name, level), array.type,
                                         {width(0, level), width(1, level)})
                          : 0);
}

Value FusedTiles::valueAt(const Read &read, const Cell &cell, const Point &where) {
  if (!isField(read.array))
    return builder.load(stage.arrays.argument(read.array, read.level), where);
  std::vector<Index> before;
  for (unsigned axis : {0, 1}) {
    const Index away = add(where[axis], scale(cell.point[axis], -1));
    before.push_back(add(add(cell.at[axis], away), kRadius));
  }
  return makeValue(stage.stencil.arrays[read.array].type,
                   LoadShared{tiles[cell.level - 1][read.array], before});
}

Value FusedTiles::make(unsigned update, Body &body, const Cell &cell) {
  const StepFormula &formula = stage.step.formula;
  ReadSource reads =
      GridReads(builder, stage.stencil, formula, Here{cell.point, c(cell.level - 1)},
                [=, this](const Read &read, Point where) { return valueAt(read, cell, where); });
  return PointUpdate(stage.stencil, formula, {formula.result(0, update)})
      .append(builder, body, {cell.point, c(cell.level - 1)}, reads)
      .front();
}

void FusedTiles::fill(int level) {
  addTiles(level);
  For cells{LoopKind::Serial,
            builder.local("cell"),
            add(scale(thread(1), kBlock[1]), thread(0)),
            c(width(0, level) * width(1, level)),
            kBlock[0] * kBlock[1],
            {}};
  const Index number = coordinate(CoordinateKind::Local, cells.local);
  Cell cell{level, {}, {quotient(number, width(1, level)), remainder(number, width(1, level))}};
  for (unsigned axis : {0, 1})
    cell.point.push_back(builder.letIndex(cells.body,
                                          fmt::format("{}_{}", stage.stencil.axes[axis], level),
                                          add(add(corner[axis], cell.at[axis]), -margin(level))));
  if (level == 0)
    load(cells.body, cell);
  else
    advance(cells.body, cell);
  body.push_back({Phase{fmt::format("Level {}.", level)}});
  body.push_back({std::move(cells)});
  body.push_back({Barrier{}});
}

void FusedTiles::load(Body &body, const Cell &cell) {
  for (unsigned array = 0; array < stage.stencil.arrays.size(); ++array) {
    if (!isField(array))
      continue;
    const unsigned argument = stage.arrays.argument(array, TimeLevel::Current);
    const ArrayArgument &field = builder.kernel.arrays[argument];
    Box inside;
    for (unsigned axis : {0, 1})
      inside.push_back({cell.point[axis], c(-field.ghost[axis][Low]),
                        add(extent(axis), field.ghost[axis][High])});
    Value value = makeValue(field.type, GuardedValue{inside, builder.load(argument, cell.point),
                                                     makeValue(field.type, LiteralValue{0})});
    body.push_back({StoreShared{tiles[0][array], cell.at, std::move(value)}});
  }
}

void FusedTiles::advance(Body &body, const Cell &cell) {
  for (unsigned update = 0; update < stage.areas.size(); ++update) {
    const unsigned array = stage.stage.updates[update].array;
    const auto keep = [&](Body &body, Value value) {
      body.push_back({StoreShared{tiles[cell.level][array], cell.at, std::move(value)}});
    };
    If updated{conditionOf(stage.areas[update], cell.point, builder), {}, {}};
    keep(updated.then, make(update, updated.then, cell));
    keep(updated.otherwise, valueAt({array, TimeLevel::Current, {}}, cell, cell.point));
    body.push_back({std::move(updated)});
  }
}

void FusedTiles::store(const Cell &own) {
  for (unsigned update = 0; update < stage.areas.size(); ++update) {
    const unsigned target =
        stage.arrays.argument(stage.stage.updates[update].array, TimeLevel::Next);
    If updated{conditionOf(stage.areas[update], own.point, builder), {}, {}};
    builder.store(updated.then, target, own.point, make(update, updated.then, own));
    body.push_back({std::move(updated)});
  }
}

void FusedTiles::append() {
  const Point own = builder.threads(body, {kBlock[1], kBlock[0], 1}, {stage.box.begin.data(), 2});
  for (unsigned axis : {0, 1})
    corner.push_back(add(own[axis], scale(thread(dimensionOf(axis, 2)), -1)));
  for (int level = 0; level < steps; ++level)
    fill(level);
  store({steps, own, {thread(1), thread(0)}});
  stage.finish(std::move(body), {.begin = {}, .end = {}, .points = {kBlock[0], kBlock[1], 1}});
}

} // namespace

Program stencilc::fusedTiles(const Stencil &stencil, int steps) {
  StepLowering step(stencil, Target::Device);
  FusedTiles(step, steps).append();
  const Program fused = step.finish();
  Launch launch = std::get<Launch>(fused.plan.passes.front().actions.front().node);

  Program program = simpleProgram(stencil);
  program.kernels.push_back(fused.kernels[launch.kernel]);
  launch.kernel = program.kernels.size() - 1;
  addFusedPass(program, steps, {std::move(launch)});
  return program;
}
