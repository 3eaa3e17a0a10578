#include "codegen/lower/StepPlan.h"

#include "codegen/lower/FrameCopy.h"

using namespace stencilc;

Program stencilc::programOf(const Stencil &stencil, Target target) {
  Program program;
  program.signature = signatureOf(stencil);
  program.target = target;
  program.buffers = callerBuffers(program.signature);
  return program;
}

Plan stencilc::planOfSteps(Program &program, const Stencil &stencil, Launch launch) {
  Pass pass;
  pass.actions.push_back({std::move(launch)});
  for (When &copies : frameCopies(program, stencil))
    pass.actions.push_back({std::move(copies)});
  if (Rename rename = rotation(program.signature); !rename.pairs.empty())
    pass.actions.push_back({std::move(rename)});
  pass.owed = owedBy(stencil, program.signature);
  Plan plan;
  plan.passes.push_back(std::move(pass));
  return plan;
}
