// Stands after the text of InStagesWithGhosts: what its launcher says of workspaces. The strides of
// the temps are the launcher's own.
#include "workspace_answers.h"

#include <initializer_list>

extern "C" const char *answers() {
  Answers answers;
  flow_args args = flow_args_default();
  args.nz = 5;
  args.ny = 4;
  args.nx = 33;
  alignas(256) static double u[3000];
  alignas(256) static char room[18000];
  int64_t lead, elements;
  flow_layout(&args, &lead, &elements);
  args.u = u + lead;
  const auto run = [&](void *workspace, size_t bytes) {
    return flow_run(&args, 1, workspace, bytes, nullptr);
  };
  // `across` has a plane before the first, `along` two points before a row: rows of 48 elements.
  const size_t exact = ((5 + 1) * 4 * 48 + 16 + 5 * 4 * 48) * sizeof(double);
  answers.expect(flow_workspace_bytes(&args, 1) == exact + 255, "bytes");
  Workspace laidOut = {};
  answers.expect(lay_out(args, 1024, &laidOut) == exact, "bytes from a multiple of 256 on");
  answers.expect(laidOut.row_z == 4 * 48 && laidOut.row_y == 48, "strides");
  const auto addressOf = [](const double *point) { return reinterpret_cast<uintptr_t>(point); };
  answers.expect(addressOf(laidOut.across) == 1024 + 4 * 48 * 8, "where `across` is");
  answers.expect(addressOf(laidOut.along) == 1024 + (5 + 1) * 4 * 48 * 8 + 16 * 8,
                 "where `along` is");
  answers.expect(run(nullptr, 0) == FLOW_WORKSPACE, "none");
  answers.expect(run(nullptr, exact + 255) == FLOW_NULL, "a null pointer");
  answers.expect(run(room, exact - 1) == FLOW_WORKSPACE, "a byte less");
  answers.expect(run(room, exact) == FLOW_OK, "just enough");
  answers.expect(run(room + 8, exact + 247) == FLOW_WORKSPACE, "a byte less from anywhere");
  answers.expect(run(room + 8, exact + 248) == FLOW_OK, "just enough from anywhere");
  answers.expect(run(u + 1, exact + 255) == FLOW_OVERLAP, "the array");

  // Independent of the caller's strides.
  args.stride_z *= 2;
  answers.expect(flow_workspace_bytes(&args, 1) == exact + 255, "bytes of other strides");
  // The caller's array could be addressed; with its own padding the workspace could not.
  args.nz = 1;
  args.ny = int64_t{1} << 27;
  args.nx = 2000000000;
  args.stride_y = args.nx + 3;
  args.stride_z = args.ny * args.stride_y;
  answers.expect(run(room, exact) == FLOW_TOO_LARGE, "too large");
  for (int64_t extent : {int64_t{-1}, int64_t{1} << 40, INT64_MAX}) {
    args.nz = args.ny = args.nx = extent;
    answers.expect(flow_workspace_bytes(&args, 1) == 0, "bytes of no grid");
  }
  answers.expect(flow_workspace_bytes(nullptr, 1) == 0, "bytes of nothing");
  return answers.firstWrong;
}
