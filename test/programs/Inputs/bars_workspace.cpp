// Stands after the text of Bars: the lists behind a result take room only where it is asked for.
#include "workspace_answers.h"

extern "C" const char *answers() {
  Answers answers;
  bars_args args = bars_args_default();
  args.ny = 6;
  args.nx = 20;
  args.stride_y = 20;
  alignas(256) static double u[120], next[120], energy, slope;
  alignas(256) static char room[3000];
  args.u = u;
  args.u_next = next;
  answers.expect(bars_workspace_bytes(&args, 1) == 0, "bytes without results");
  answers.expect(bars_run(&args, 1, nullptr, 0, nullptr) == BARS_OK, "a run without results");
  args.energy = &energy;
  const size_t one = bars_workspace_bytes(&args, 1);
  args.energy = nullptr;
  args.slope = &slope;
  answers.expect(one > 0 && bars_workspace_bytes(&args, 1) == one, "bytes of either result");
  answers.expect(bars_run(&args, 1, nullptr, 0, nullptr) == BARS_WORKSPACE, "no room");
  answers.expect(bars_run(&args, 1, nullptr, one, nullptr) == BARS_NULL, "room that is not there");
  answers.expect(bars_run(&args, 1, room, one, nullptr) == BARS_OK, "room enough");
  args.energy = &energy;
  const size_t both = bars_workspace_bytes(&args, 1);
  answers.expect(both > one && both < 2 * one, "bytes of both results");
  answers.expect(bars_run(&args, 1, room, one - 255, nullptr) == BARS_WORKSPACE, "room for one");
  answers.expect(bars_run(&args, 1, room, both, nullptr) == BARS_OK, "room for both");
  return answers.firstWrong;
}
