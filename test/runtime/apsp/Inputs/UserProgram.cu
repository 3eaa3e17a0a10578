// A program that calls the solver; the kernels are in a file of their own.
#include "runtime/apsp/Device.h"

using namespace stencilc::apsp;

Status distances(const Problem<float> &problem, void *workspace, size_t bytes, cudaStream_t stream,
                 const device::LookAhead &ahead) {
  Plan plan;
  plan.range = WeightRange::NonNegative;
  size_t needed;
  if (Status status = device::workspaceBytes<MinPlus, float>(problem.n, problem.kind, plan, needed);
      status != Status::Ok || needed > bytes)
    return status;
  return device::solve<MinPlus>(problem, plan, workspace, bytes, stream, &ahead);
}
