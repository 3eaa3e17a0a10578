// hdiff as one writes it by hand: one loop, what is needed of the neighbours made again.
#include "step.h"

#include <utility>

extern "C" void by_hand(hdiff_args *a, int64_t steps) {
  const int64_t sy = a->stride_y, sz = a->stride_z;
  for (int64_t step = 0; step < steps; ++step) {
    const double *__restrict__ u = a->u, *__restrict__ coeff = a->coeff;
    double *__restrict__ next = a->u_next;
    const auto lap = [=](int64_t i) {
      return 4 * u[i] - (u[i - 1] + u[i + 1] + u[i - sy] + u[i + sy]);
    };
    const auto flux = [=](int64_t i, int64_t on) {
      const double rise = lap(i + on) - lap(i);
      return rise * (u[i + on] - u[i]) > 0 ? 0 : rise;
    };
#pragma omp parallel for
    for (int64_t z = 0; z < a->nz; ++z)
      for (int64_t y = 0; y < a->ny; ++y)
#pragma omp simd
        for (int64_t x = 0; x < a->nx; ++x) {
          const int64_t i = z * sz + y * sy + x;
          next[i] =
              u[i] - coeff[i] * (flux(i, 1) - flux(i - 1, 1) + flux(i, sy) - flux(i - sy, sy));
        }
    std::swap(a->u, a->u_next);
  }
}
