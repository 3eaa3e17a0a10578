// host: loops instead of threads, through the same IR: what runs where there is no GPU.
#include "codegen/lower/PointBody.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StepPlan.h"
#include "codegen/lower/Variant.h"

using namespace stencilc;

static Schedule defaultSchedule(const Stencil &) {
  Schedule schedule;
  schedule.variant = "host";
  schedule.rank = 0;
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.block = false;
  return checkLimits(stencil, schedule, limits);
}

static Program lower(const Stencil &stencil, const Schedule &) {
  const Stage &stage = stencil.stages.front();
  const unsigned rank = stencil.rank();
  Program program = programOf(stencil, Target::Host);
  StepFormula formula(stencil, stage, program);

  KernelBuilder builder(program, stencil.name + "_step", Target::Host);
  builder.kernel.comment = describeStep(stage);
  StageArguments arguments = addArguments(builder, program, stencil, stage, /*readOnlyPath=*/false);
  std::vector<unsigned> locals;
  Point point;
  for (unsigned axis = 0; axis < rank; ++axis) {
    locals.push_back(builder.local(stencil.axes[axis]));
    point.push_back(coordinate(CoordinateKind::Local, locals[axis]));
  }
  Body body;
  PointBody each(builder, stencil, stage, formula, arguments, point);
  each.letPointer(body);
  each.append(body);
  StageBox box = stageBox(stencil, stage);
  for (unsigned axis = rank; axis-- > 0;)
    body = parallelLoop(rank, axis, locals[axis], box.begin[axis], box.end[axis], std::move(body));

  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = "One step of every point that is updated.",
                .buffers = arguments.buffers,
                .cover = {.begin = box.begin, .end = box.end},
                .integers = builder.bindings};
  program.kernels.push_back(builder.finish(std::move(body)));
  program.plan = planOfSteps(program, stencil, std::move(launch));
  return program;
}

namespace stencilc {
extern const Variant hostVariant;
const Variant hostVariant = {
    .name = "host",
    .summary = "loops for a CPU (--target=host)",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .target = Target::Host,
};
} // namespace stencilc
