// host: loops instead of threads, through the same IR: what runs where there is no GPU.
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StageKernel.h"
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

static void appendStage(StageKernel &stage) {
  const unsigned rank = stage.stencil.rank();
  std::vector<unsigned> locals;
  Point point;
  for (const std::string &axis : stage.stencil.axes) {
    locals.push_back(stage.builder.local(axis));
    point.push_back(coordinate(CoordinateKind::Local, locals.back()));
  }
  Body body;
  stage.letPointers(body, point);
  stage.appendUpdates(body, point, stage.readsAt({point}));
  for (unsigned axis = rank; axis-- > 0;)
    body = parallelLoop(rank, axis, locals[axis], stage.box.begin[axis], stage.box.end[axis],
                        std::move(body));
  stage.finish(std::move(body));
}

static Program lower(const Stencil &stencil, const Schedule &) {
  StepLowering step(stencil, Target::Host);
  for (unsigned part = 0; part < step.parts.size(); ++part) {
    StageKernel stage(step, part, "step", /*readOnlyPath=*/false);
    appendStage(stage);
  }
  return step.finish();
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
