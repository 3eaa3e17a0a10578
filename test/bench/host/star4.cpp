// star4 as one writes it by hand: the points that see nothing but the grid apart from the others.
#include "step.h"

#include <utility>

static const double w[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

/// A point near the walls, beyond which everything is 0.
static double at_wall(const star4_args *a, int64_t z, int64_t y, int64_t x) {
  const int64_t sy = a->stride_y, sz = a->stride_z, i = z * sz + y * sy + x;
  const double *u = a->u;
  double sum = 3 * w[0] * u[i];
  for (int d = 1; d <= 4; ++d) {
    sum += w[d] * ((x >= d ? u[i - d] : 0) + (x + d < a->nx ? u[i + d] : 0));
    sum += w[d] * ((y >= d ? u[i - d * sy] : 0) + (y + d < a->ny ? u[i + d * sy] : 0));
    sum += w[d] * ((z >= d ? u[i - d * sz] : 0) + (z + d < a->nz ? u[i + d * sz] : 0));
  }
  return u[i] + a->k * sum;
}

extern "C" void by_hand(star4_args *a, int64_t steps) {
  const int64_t nz = a->nz, ny = a->ny, nx = a->nx, sy = a->stride_y, sz = a->stride_z;
  const double k = a->k;
  for (int64_t step = 0; step < steps; ++step) {
    const double *__restrict__ u = a->u;
    double *__restrict__ next = a->u_next;
#pragma omp parallel for
    for (int64_t z = 0; z < nz; ++z)
      for (int64_t y = 0; y < ny; ++y) {
        const int64_t row = z * sz + y * sy;
        if (z < 4 || z >= nz - 4 || y < 4 || y >= ny - 4) {
          for (int64_t x = 0; x < nx; ++x)
            next[row + x] = at_wall(a, z, y, x);
          continue;
        }
        for (int64_t x = 0; x < 4; ++x)
          next[row + x] = at_wall(a, z, y, x);
#pragma omp simd
        for (int64_t i = row + 4; i < row + nx - 4; ++i) {
          double sum = 3 * w[0] * u[i];
          for (int d = 1; d <= 4; ++d)
            sum += w[d] * (u[i - d] + u[i + d] + u[i - d * sy] + u[i + d * sy] + u[i - d * sz] +
                           u[i + d * sz]);
          next[i] = u[i] + k * sum;
        }
        for (int64_t x = nx - 4; x < nx; ++x)
          next[row + x] = at_wall(a, z, y, x);
      }
    std::swap(a->u, a->u_next);
  }
}
