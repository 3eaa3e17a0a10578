#include "codegen/lower/FrameCopy.h"
#include "codegen/lower/PointBody.h"
#include "test/mutation/Subject.h"

using namespace stencilc;
using namespace stencilc::mutation;

static constexpr int kBlockY = 2, kBlockX = 8, kRadius = 1;
static constexpr int kTileY = kBlockY + 2 * kRadius, kTileX = kBlockX + 2 * kRadius;

static Schedule defaultSchedule(const Stencil &) {
  Schedule schedule;
  schedule.variant = "tiled";
  schedule.block = {kBlockX, kBlockY, 1};
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  if (schedule == defaultSchedule(stencil))
    return llvm::Error::success();
  return llvm::createStringError("`tiled` has one schedule");
}

/// Each thread stores every kBlockX * kBlockY-th element of the tile; outside the grid it holds 0.
static For tileFill(KernelBuilder &builder, const KernelBuilder::Threads &threads, unsigned source,
                    unsigned tile) {
  Index thread = add(scale(coordinate(CoordinateKind::Thread, 1), kBlockX),
                     coordinate(CoordinateKind::Thread, 0));
  For fill{LoopKind::Serial,          builder.local("element"), thread,
           constant(kTileY * kTileX), kBlockX * kBlockY,        {}};
  Index element = coordinate(CoordinateKind::Local, fill.local);
  Index row = quotient(element, kTileX), column = remainder(element, kTileX);
  auto ofTile = [&](unsigned axis, int block, const Index &position) {
    Index first = coordinate(CoordinateKind::Argument, *threads.firstArgument[axis]);
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
  const Stage &stage = stencil.stages.front();
  Program program;
  program.signature = signatureOf(stencil);
  StepFormula formula(stencil, stage, program);

  KernelBuilder builder(program, stencil.name + "_tiled", Target::Device);
  builder.kernel.comment = describeStep(stage);
  StageArguments arguments = addArguments(builder, stencil, stage, /*readOnlyPath=*/true);
  const ScalarType type = stencil.arrays[0].type;
  builder.kernel.tiles = {{builder.names.fresh("tile"), type, {kTileY, kTileX}}};
  StageBox box = stageBox(stencil, stage);
  Body body;
  auto threads = builder.threads(body, schedule.block, {box.begin.data(), 2});
  body.push_back({tileFill(builder, threads, *arguments.source[0], 0)});
  body.push_back({Barrier{}});
  body.push_back({ReturnUnless{
      {{threads.point[1], nullptr, box.end[1]}, {threads.point[0], nullptr, box.end[0]}}}});

  PointBody::Known known;
  for (ExprId id = 0; id < formula.size(); ++id)
    if (auto *read = std::get_if<Read>(&formula[id].node)) {
      auto place = [&](unsigned axis) {
        return add(coordinate(CoordinateKind::Thread, dimensionOf(axis, 2)),
                   kRadius + read->offset[axis]);
      };
      known[id] = makeValue(type, LoadShared{0, {place(0), place(1)}});
    }
  PointBody(builder, stencil, stage, formula, arguments, threads.point).append(body, known);

  Launch launch;
  launch.kernel = program.kernels.size();
  launch.comment = "one step of every point";
  launch.arrays = arguments.buffers;
  launch.begin = box.begin;
  launch.end = box.end;
  launch.firstArgument = threads.firstArgument;
  launch.cover = {kBlockY, kBlockX, 1};
  program.kernels.push_back(builder.finish(std::move(body)));
  program.launches.push_back(std::move(launch));
  addFrameCopies(program, stencil, stage);
  return program;
}

const Variant mutation::tiledVariant = {"tiled", "neighbours meet in a shared tile",
                                        defaultSchedule, checkLegal, lower};
