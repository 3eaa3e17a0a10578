/* Arrays that share memory are refused, const ones too: each is read and written as if alone. */
#include "aliased.h"

#include <stdio.h>

static int faults;

static void expect(blend_status seen, blend_status right, const char *what) {
  if (seen != right)
    ++faults, printf("%s: %s\n", what, blend_strerror(seen));
}

int main(void) {
  double memory[64] = {0};
  blend_args good = blend_args_default();
  good.nx = 8;
  good.u = memory, good.a = memory + 16, good.b = memory + 32;
  expect(blend_run(&good, 1, 0, 0, 0), BLEND_OK, "three arrays");
  blend_args args = good;
  args.b = args.a;
  expect(blend_run(&args, 1, 0, 0, 0), BLEND_OVERLAP, "one memory for two const arrays");
  args.b = args.a + 7;
  expect(blend_run(&args, 1, 0, 0, 0), BLEND_OVERLAP, "two that share a point");
  args.b = args.a + 8;
  expect(blend_run(&args, 1, 0, 0, 0), BLEND_OK, "two that touch");
  args = good, args.a = args.u;
  expect(blend_run(&args, 1, 0, 0, 0), BLEND_OVERLAP, "a const array and a field");

  /* Off every line of memory, and next to each other: what lies between stays as it was. */
  for (int phase = 0; phase < 16; ++phase) {
    for (int i = 0; i < 64; ++i)
      memory[i] = i;
    args = good;
    args.u = memory + phase + 1, args.a = args.u + 9, args.b = args.a + 9;
    expect(blend_run(&args, 1, 0, 0, 0), BLEND_OK, "anywhere in a line");
    for (int i = 0; i < 64; ++i) {
      const int x = i - phase - 1;
      const double right = x < 0 || x >= 8 ? i : (double)(i + 9) * i + (i + 18);
      if (memory[i] != right)
        ++faults, printf("phase %d: element %d is %g\n", phase, x, memory[i]);
    }
  }
  printf("%d faults\n", faults);
  return faults != 0;
}
