// wave as one writes it by hand: the planes below the free surface apart, the source after the
// loop.
#include "step.h"

#include <utility>

static const double w[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

/// The plane z; terms above the surface are 0 where some lie there.
template <bool IsAtSurface> static void plane(const wave_args *a, int64_t z, double k) {
  const int64_t sy = a->stride_y, sz = a->stride_z;
  const double *__restrict__ p = a->p, *__restrict__ c = a->c, *__restrict__ damp = a->damp;
  double *__restrict__ old = a->p_prev;
  for (int64_t y = 4; y < a->ny - 4; ++y)
#pragma omp simd
    for (int64_t x = 4; x < a->nx - 4; ++x) {
      const int64_t i = z * sz + y * sy + x;
      double sum = 3 * w[0] * p[i];
      for (int d = 1; d <= 4; ++d) {
        sum += w[d] * (p[i - d] + p[i + d]) + w[d] * (p[i - d * sy] + p[i + d * sy]);
        sum += w[d] * ((IsAtSurface && z < d ? 0 : p[i - d * sz]) + p[i + d * sz]);
      }
      old[i] = damp[i] * (2 * p[i] - damp[i] * old[i] + k * c[i] * c[i] * sum);
    }
}

extern "C" void by_hand(wave_args *a, int64_t steps) {
  const double k = (a->dt / a->h) * (a->dt / a->h);
  for (int64_t step = 0; step < steps; ++step, ++a->step) {
#pragma omp parallel for
    for (int64_t z = 0; z < a->nz - 4; ++z)
      z < 4 ? plane<true>(a, z, k) : plane<false>(a, z, k);
    a->p_prev[a->sz * a->stride_z + a->sy * a->stride_y + a->sx] += a->wavelet[a->step];
    std::swap(a->p, a->p_prev);
  }
}
