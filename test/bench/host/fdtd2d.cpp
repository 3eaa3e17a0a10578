// fdtd2d as one writes it by hand: a loop for each field.
#include "step.h"

extern "C" void by_hand(fdtd2d_args *a, int64_t steps) {
  const int64_t ny = a->ny, nx = a->nx, sy = a->stride_y;
  const double ce = a->ce, ch = a->ch;
  double *__restrict__ ex = a->ex, *__restrict__ ey = a->ey, *__restrict__ hz = a->hz;
  for (int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for
    for (int64_t y = 1; y < ny; ++y)
#pragma omp simd
      for (int64_t i = y * sy; i < y * sy + nx; ++i)
        ex[i] += ce * (hz[i] - hz[i - sy]);
#pragma omp parallel for
    for (int64_t y = 0; y < ny; ++y)
#pragma omp simd
      for (int64_t i = y * sy + 1; i < y * sy + nx; ++i)
        ey[i] -= ce * (hz[i] - hz[i - 1]);
#pragma omp parallel for
    for (int64_t y = 0; y < ny - 1; ++y)
#pragma omp simd
      for (int64_t i = y * sy; i < y * sy + nx - 1; ++i)
        hz[i] += ch * (ex[i + sy] - ex[i] - ey[i + 1] + ey[i]);
  }
}
