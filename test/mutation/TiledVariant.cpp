#include "codegen/lower/StageKernel.h"
#include "test/mutation/Subject.h"

using namespace stencilc;
using namespace stencilc::mutation;

static constexpr int kBlockY = 2, kBlockX = 8, kRadius = 1;
static constexpr int kTileY = kBlockY + 2 * kRadius, kTileX = kBlockX + 2 * kRadius;

static Schedule defaultSchedule(const Stencil &) {
  Schedule schedule;
  schedule.variant = "tiled";
  schedule.rank = 2;
  schedule.block = {kBlockX, kBlockY, 1};
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  if (schedule == defaultSchedule(stencil))
    return llvm::Error::success();
  return llvm::createStringError("`tiled` has one schedule");
}

/// Each thread stores every kBlockX * kBlockY-th element of the tile; outside the grid it holds 0.
static For tileFill(KernelBuilder &builder, unsigned source, unsigned tile) {
  Index thread = add(scale(coordinate(CoordinateKind::Thread, 1), kBlockX),
                     coordinate(CoordinateKind::Thread, 0));
  For fill{LoopKind::Serial,          builder.local("element"), thread,
           constant(kTileY * kTileX), kBlockX * kBlockY,        {}};
  Index element = coordinate(CoordinateKind::Local, fill.local);
  Index row = quotient(element, kTileX), column = remainder(element, kTileX);
  auto ofTile = [&](unsigned axis, int block, const Index &position) {
    // `first_y` and `first_x` are the kernel's first integers.
    Index first = coordinate(CoordinateKind::Argument, axis);
    Index number = coordinate(CoordinateKind::Block, dimensionOf(axis, 2));
    return add(add(add(first, scale(number, block)), position), -kRadius);
  };
  Index y = builder.letIndex(fill.body, "tile_y", ofTile(0, kBlockY, row));
  Index x = builder.letIndex(fill.body, "tile_x", ofTile(1, kBlockX, column));
  Value inside = builder.load(source, {y, x});
  Value outside = makeValue(inside->type, LiteralValue{0});
  Box grid = {{x, nullptr, extent(1)}, {y, nullptr, extent(0)}};
  fill.body.push_back({StoreShared{
      tile, {row, column}, makeValue(inside->type, GuardedValue{grid, inside, outside})}});
  return fill;
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  assert(stencil.rank() == 2 && stencil.arrays.size() == 1 && "made for one field on two axes");
  StepLowering step(stencil, Target::Device);
  StageKernel stage(step, 0, "tiled", /*readOnlyPath=*/true);
  KernelBuilder &builder = stage.builder;
  const ScalarType type = stencil.arrays[0].type;
  const unsigned tile = builder.tile("tile", type, {kTileY, kTileX});
  Body body;
  const Point point = builder.threads(body, schedule.block, {stage.box.begin.data(), 2});
  body.push_back({tileFill(builder, stage.arrays.argument(0, TimeLevel::Current), tile)});
  body.push_back({Barrier{}});
  body.push_back({ReturnUnless{
      {{point[1], nullptr, stage.box.end[1]}, {point[0], nullptr, stage.box.end[0]}}}});

  const auto inTile = [&](Body &, const Read &read) {
    const auto place = [&](unsigned axis) {
      return add(coordinate(CoordinateKind::Thread, dimensionOf(axis, 2)),
                 kRadius + read.offset[axis]);
    };
    return makeValue(type, LoadShared{tile, {place(0), place(1)}});
  };
  stage.appendUpdates(body, point, inTile);
  stage.finish(std::move(body), {.begin = {}, .end = {}, .points = {kBlockY, kBlockX, 1}});
  return step.finish();
}

const Variant mutation::tiledVariant = {"tiled", "neighbours meet in a shared tile",
                                        defaultSchedule, checkLegal, lower};
