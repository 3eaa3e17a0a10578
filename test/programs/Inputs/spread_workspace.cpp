// Stands after the text of InPlace: what its launcher says of workspaces. The buffer in it follows
// the caller's strides.
#include "workspace_answers.h"

#include <initializer_list>

extern "C" const char *answers() {
  Answers answers;
  spread_args args = spread_args_default();
  args.ny = 6;
  args.nx = 20;
  args.stride_y = 37;
  // The first updated point, x = 1, starts a line.
  const size_t exact = (15 + 6 * 37) * sizeof(double);
  answers.expect(spread_workspace_bytes(&args, 1) == exact + 255, "bytes");
  Workspace laidOut = {};
  answers.expect(lay_out(args, 0, &laidOut) == exact &&
                     reinterpret_cast<uintptr_t>(laidOut.u_away + 1) == 128,
                 "the point that starts a line");
  alignas(256) static double u[300];
  alignas(256) static char room[3000];
  args.u = u;
  answers.expect(spread_run(&args, 2, room, exact - 1, nullptr) == SPREAD_WORKSPACE, "a byte less");
  answers.expect(spread_run(&args, 2, room, exact, nullptr) == SPREAD_OK, "just enough");
  answers.expect(args.u == u, "where the field ends");
  answers.expect(spread_run(&args, 0, nullptr, 0, nullptr) == SPREAD_OK, "none for no steps");
  for (int64_t stride : {int64_t{0}, int64_t{19}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
    args.stride_y = stride;
    answers.expect(spread_workspace_bytes(&args, 1) == 0, "bytes of strides that no run takes");
  }
  return answers.firstWrong;
}
