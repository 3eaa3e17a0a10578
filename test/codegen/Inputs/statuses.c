/* Calls the interface of grid.stn as its users would, from C, and looks at every status. */
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int faults = 0;

static void expect(int holds, const char *what) {
  if (!holds) {
    ++faults;
    printf("wrong: %s\n", what);
  }
}

static double *memory;

/* A grid of 5 x 4 x 7 points with both buffers at their preferred places. */
static grid_args make(void) {
  grid_args args = grid_args_default();
  int64_t lead, elements;
  args.nz = 5;
  args.ny = 4;
  args.nx = 7;
  grid_layout(&args, &lead, &elements);
  expect(lead % 16 == 0, "the first updated point of a row starts a line");
  expect(args.stride_y % 16 == 0 && args.stride_z % 16 == 0, "so do all rows");
  memory = calloc(2 * elements + 16, sizeof(double));
  args.u = memory + lead;
  args.u_next = args.u + elements;
  return args;
}

static grid_status run(grid_args args, int64_t steps) { return grid_run(&args, steps, 0, 0, 0); }

int main(void) {
  const grid_args good = make();
  double *const u = good.u, *const u_next = good.u_next;
  const double strength = good.strength, rest = good.rest;
  grid_args args = good;

  expect(strength == 0.25, "a default");
  expect(rest != rest, "a param without a default is not a number");
  expect(grid_workspace_bytes(&args, 3) == 0, "no workspace");

  expect(grid_run(NULL, 1, 0, 0, 0) == GRID_NULL, "no arguments");
  args.u = NULL;
  expect(run(args, 1) == GRID_NULL, "no buffer");
  args = good, args.ny = -1;
  expect(run(args, 1) == GRID_EXTENT, "a negative extent");
  expect(run(good, -1) == GRID_EXTENT, "negative steps");

  args = good, args.ny = 0, args.u = NULL;
  expect(run(args, 1) == GRID_OK, "an empty grid needs no memory");
  args = good;
  expect(grid_run(&args, 0, 0, 0, 0) == GRID_OK && args.u == u, "no steps change nothing");
  args.u = NULL;
  expect(run(args, 0) == GRID_OK, "and need no memory");

  args = good, args.nx = 1;
  expect(run(args, 1) == GRID_TOO_SMALL, "a periodic axis below its reach");
  expect(strstr(grid_strerror(GRID_TOO_SMALL), "nx >= 2") != NULL, "which says the minimum");

  args = good, args.stride_y = 8; /* a row has ghost points on both sides of y, none on x */
  expect(run(args, 1) != GRID_STRIDE, "rows may touch");
  args.stride_y = 6;
  expect(run(args, 1) == GRID_STRIDE, "rows may not overlap");
  args = good, args.stride_y = -16;
  expect(run(args, 1) == GRID_STRIDE, "rows may not run backwards");
  args = good, args.stride_z = 5 * args.stride_y + 6;
  expect(run(args, 1) == GRID_STRIDE, "planes with their ghost rows may not overlap");
  args.stride_z = 5 * args.stride_y + 7;
  expect(run(args, 1) == GRID_OK, "and may touch");

  args = good, args.u_next = u;
  expect(run(args, 1) == GRID_OVERLAP, "one buffer for both levels");
  args = good, args.u_next = u + 1;
  expect(run(args, 1) == GRID_OVERLAP, "two that overlap");
  args = good, args.u = u_next + (u_next - u) - good.stride_z;
  expect(run(args, 1) == GRID_OVERLAP, "in either order");

  args = good, args.nx = INT64_C(3000000000);
  expect(run(args, 1) == GRID_TOO_LARGE, "coordinates of more than 32 bits");
  args = good, args.stride_z = INT64_MAX / 2;
  expect(run(args, 1) == GRID_TOO_LARGE, "addresses of more than 64 bits");
  /* What fits is refused for its buffers only, which lie too near. */
  args = good, args.nx = args.stride_y = 2000000000, args.stride_z = 6 * args.stride_y;
  expect(run(args, 1) == GRID_OVERLAP, "the longest axis");
  args.nx = 2000000001, ++args.stride_y, args.stride_z = 6 * args.stride_y;
  expect(run(args, 1) == GRID_TOO_LARGE, "and one that leaves no room past its end");
  args = good, args.stride_z = (INT64_C(1) << 58) / args.nz;
  expect(run(args, 1) == GRID_OVERLAP, "the most elements");
  ++args.stride_z;
  expect(run(args, 1) == GRID_TOO_LARGE, "and more than that");
  args = good, args.nz = args.ny = args.nx = 2000000000;
  args.stride_y = 2000000000, args.stride_z = INT64_MAX;
  expect(run(args, 1) == GRID_TOO_LARGE, "without overflow on the way");

  args = good, args.rest = 1;
  expect(grid_run(&args, 1, 0, 0, 0) == GRID_OK, "a step");
  expect(args.u == u_next && args.u_next == u, "swaps the buffers");
  expect(grid_run(&args, 2, 0, 0, 0) == GRID_OK, "two steps");
  expect(args.u == u_next && args.u_next == u, "swap them back");

  for (int status = GRID_OK; status <= GRID_LAUNCH; ++status)
    for (int other = GRID_OK; other < status; ++other)
      expect(strcmp(grid_strerror(status), grid_strerror(other)) != 0, "every status has a text");
  free(memory);
  printf("%d faults\n", faults);
  return faults != 0;
}
