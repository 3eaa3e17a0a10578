// gray_scott as one writes it by hand: the ends of a row, which see each other, apart.
#include "step.h"

#include <utility>

extern "C" void by_hand(gray_scott_args *a, int64_t steps) {
  const int64_t ny = a->ny, nx = a->nx, sy = a->stride_y;
  const double du = a->du, dv = a->dv, feed = a->feed, kill = a->kill;
  for (int64_t step = 0; step < steps; ++step) {
    const double *__restrict__ u = a->u, *__restrict__ v = a->v;
    double *__restrict__ u_next = a->u_next, *__restrict__ v_next = a->v_next;
#pragma omp parallel for
    for (int64_t y = 0; y < ny; ++y) {
      const int64_t row = y * sy, south = (y > 0 ? y - 1 : ny - 1) * sy,
                    north = (y + 1 < ny ? y + 1 : 0) * sy;
      const auto point = [=](int64_t x, int64_t west, int64_t east) {
        const int64_t i = row + x;
        const double laplace_u =
            u[row + west] + u[row + east] + u[south + x] + u[north + x] - 4 * u[i];
        const double laplace_v =
            v[row + west] + v[row + east] + v[south + x] + v[north + x] - 4 * v[i];
        const double reaction = u[i] * v[i] * v[i];
        u_next[i] = u[i] + du * laplace_u - reaction + feed * (1 - u[i]);
        v_next[i] = v[i] + dv * laplace_v + reaction - (feed + kill) * v[i];
      };
      point(0, nx - 1, 1);
#pragma omp simd
      for (int64_t x = 1; x < nx - 1; ++x)
        point(x, x - 1, x + 1);
      point(nx - 1, nx - 2, 0);
    }
    std::swap(a->u, a->u_next);
    std::swap(a->v, a->v_next);
  }
}
