// heat as one writes it by hand; host_speed.py compares what stencilc emits with it.
#include "step.h"

#include <utility>

extern "C" void by_hand(heat_args *a, int64_t steps) {
  const int64_t sy = a->stride_y, sz = a->stride_z;
  const double alpha = a->alpha, beta = a->beta;
  for (int64_t step = 0; step < steps; ++step) {
    const double *__restrict__ u = a->u;
    double *__restrict__ next = a->u_next;
#pragma omp parallel for
    for (int64_t z = 1; z < a->nz - 1; ++z)
      for (int64_t y = 1; y < a->ny - 1; ++y)
#pragma omp simd
        for (int64_t x = 1; x < a->nx - 1; ++x) {
          const int64_t i = z * sz + y * sy + x;
          next[i] = alpha * u[i] +
                    beta * (u[i - 1] + u[i + 1] + u[i - sy] + u[i + sy] + u[i - sz] + u[i + sz]);
        }
    std::swap(a->u, a->u_next);
  }
}
