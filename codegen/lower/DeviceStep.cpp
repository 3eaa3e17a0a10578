#include "codegen/lower/DeviceStep.h"
#include "codegen/lower/FrameCopy.h"

using namespace stencilc;

DeviceStep::DeviceStep(const Stencil &stencil, const Schedule &schedule)
    : stencil(stencil), schedule(schedule), stage(stencil.stages.front()),
      box(stageBox(stencil, stage)), program{signatureOf(stencil), Target::Device, {}, {}, {}, {}},
      formula(stencil, stage, program),
      builder(program, stencil.name + "_" + schedule.variant, Target::Device),
      arguments(addArguments(builder, stencil, stage, !schedule.hasFlag("plain"))) {
  builder.kernel.comment = describeStep(stage);
  builder.kernel.residency = schedule.residency;

  // The contiguous axis starts on a memory line, below its `begin`; the others start at theirs.
  const unsigned rank = stencil.rank();
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + rank);
  atLeast.back() = nullptr;
  auto threads = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  point = threads.point;
  firstArgument = threads.firstArgument;
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back({point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{inside}});
}

Program DeviceStep::finish() {
  Launch launch;
  launch.kernel = program.kernels.size();
  launch.comment = "One step of every point that is updated.";
  launch.arrays = arguments.buffers;
  launch.begin = box.begin;
  launch.end = box.end;
  launch.firstArgument = firstArgument;
  launch.alignTo = arguments.target[stage.updates.front().array];
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    launch.cover[axis] = schedule.block[dimensionOf(axis, stencil.rank())];
  launch.cover[0] *= schedule.chunk;
  program.kernels.push_back(builder.finish(std::move(body)));
  program.launches.push_back(std::move(launch));
  addFrameCopies(program, stencil, stage);
  return std::move(program);
}
