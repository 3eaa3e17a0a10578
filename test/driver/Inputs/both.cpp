// One stencil in two types: u[1] and u[0] of a row of three after a step with k = 1/4.
#include "single.h"
#include "twice.h"

#include <cstdio>

int main() {
  float f[3] = {5, 5, 10}, f_next[3];
  double d[3] = {5, 5, 10}, d_next[3];
  single_args single = single_args_default();
  single.ny = 1, single.nx = single.stride_y = 3;
  single.u = f, single.u_next = f_next;
  twice_args twice = twice_args_default();
  twice.ny = 1, twice.nx = twice.stride_y = 3;
  twice.u = d, twice.u_next = d_next;
  if (single_run(&single, 1, nullptr, 0, nullptr) != SINGLE_OK ||
      twice_run(&twice, 1, nullptr, 0, nullptr) != TWICE_OK)
    return 1;
  std::printf("f32 %g, f64 %g\n", single.u[1], twice.u[1]);
}
