// baseline: one thread brings one point to its next level.
//
// Su et al. 2015, section 2.2, is this kernel with loads through the read-only path; with the flag
// `plain` it is the BASE version of Nasciutti & Panetta 2017. Neighbouring threads meet again in
// the caches; nothing is kept in registers or shared memory from one point to the next.
#include "codegen/FrameCopy.h"
#include "codegen/PointBody.h"
#include "codegen/ScheduleLimits.h"
#include "codegen/Variant.h"

using namespace stencilc;

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "baseline";
  switch (stencil.rank()) {
  case 1:
    schedule.block = {256, 1, 1};
    break;
  case 2:
    schedule.block = {32, 8, 1};
    break;
  default:
    schedule.block = {32, 4, 2};
  }
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.flags = {"plain"};
  return checkLimits(stencil, schedule, limits);
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  const Stage &stage = stencil.stages.front();
  Program program;
  program.signature = signatureOf(stencil);
  StepFormula formula(stencil, stage, program);

  KernelBuilder builder(program, stencil.name + "_baseline", Target::Device);
  builder.kernel.comment = describeStep(stage);
  builder.kernel.residency = schedule.residency;
  StageArguments arguments =
      addArguments(builder, stencil, stage, /*readOnlyPath=*/!schedule.hasFlag("plain"));

  // The contiguous axis starts on a memory line, below `begin`; the others start at `begin`.
  StageBox box = stageBox(stencil, stage);
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + stencil.rank());
  atLeast.back() = nullptr;
  Body body;
  auto threads = builder.threads(body, schedule.block, atLeast);
  Box inside;
  for (unsigned axis = stencil.rank(); axis-- > 0;)
    inside.push_back({threads.point[axis], axis + 1 == stencil.rank() ? box.begin[axis] : nullptr,
                      box.end[axis]});
  body.push_back({ReturnUnless{inside}});
  PointBody each(builder, stencil, stage, formula, arguments, threads.point);
  each.nameAddress(body);
  each.append(body);

  Launch launch;
  launch.kernel = program.kernels.size();
  launch.comment = "one step of every point";
  launch.arrays = arguments.buffers;
  launch.begin = box.begin;
  launch.end = box.end;
  launch.firstArgument = threads.firstArgument;
  launch.alignTo = arguments.target[stage.updates.front().field];
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    launch.cover[axis] = schedule.block[dimensionOf(axis, stencil.rank())];
  program.kernels.push_back(builder.finish(std::move(body)));
  program.launches.push_back(std::move(launch));
  addFrameCopies(program, stencil, stage);
  return program;
}

namespace stencilc {
extern const Variant baselineVariant;
const Variant baselineVariant = {"baseline", "one thread, one point", defaultSchedule, checkLegal,
                                 lower};
} // namespace stencilc
