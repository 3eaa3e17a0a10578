#include "codegen/lower/DeviceStep.h"
#include "codegen/lower/StepPlan.h"

using namespace stencilc;

DeviceStep::DeviceStep(const Stencil &stencil, const Schedule &schedule)
    : stencil(stencil), schedule(schedule), stage(stencil.stages.front()),
      box(stageBox(stencil, stage)), program(programOf(stencil, Target::Device)),
      formula(stencil, stage, program),
      builder(program, stencil.name + "_" + schedule.variant, Target::Device),
      arguments(addArguments(builder, program, stencil, stage, !schedule.hasFlag("plain"))) {
  builder.kernel.comment = describeStep(stage);
  builder.kernel.promisesResidency = true;

  // The contiguous axis starts on a memory line, below its `begin`; the others start at theirs.
  const unsigned rank = stencil.rank();
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + rank);
  atLeast.back() = nullptr;
  point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back({point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{inside}});
}

Program DeviceStep::finish() {
  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = "One step of every point that is updated.",
                .buffers = arguments.buffers,
                .cover = {.begin = box.begin, .end = box.end},
                .integers = builder.bindings};
  launch.cover.alignTo = arguments.target[stage.updates.front().array];
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    launch.cover.points[axis] = schedule.block[dimensionOf(axis, stencil.rank())];
  launch.cover.points[0] *= schedule.chunk;
  program.kernels.push_back(builder.finish(std::move(body)));
  program.plan = planOfSteps(program, stencil, std::move(launch));
  return std::move(program);
}
