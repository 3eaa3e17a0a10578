#include "bench.h"
#define NX 30
#define NY 40
#define TMAX 20
#define _SIZE_NX NX
#define _SIZE_NY NY
#define _SIZE_TMAX TMAX
static void kernel_fdtd_2d(int tmax, int nx, int ny, DATA_TYPE BENCH_2D(ex, NX, NY, nx, ny),
                           DATA_TYPE BENCH_2D(ey, NX, NY, nx, ny),
                           DATA_TYPE BENCH_2D(hz, NX, NY, nx, ny),
                           DATA_TYPE BENCH_1D(edge, TMAX, tmax)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _SIZE_TMAX; t++) {
    for (j = 0; j < _SIZE_NY; j++)
      ey[0][j] = edge[t];
    for (i = 1; i < _SIZE_NX; i++)
      for (j = 0; j < _SIZE_NY; j++)
        ey[i][j] = ey[i][j] - NUMBER(0.5) * (hz[i][j] - hz[i - 1][j]);
    for (i = 0; i < _SIZE_NX; i++)
      for (j = 1; j < _SIZE_NY; j++)
        ex[i][j] = ex[i][j] - NUMBER(0.5) * (hz[i][j] - hz[i][j - 1]);
    for (i = 0; i < _SIZE_NX - 1; i++)
      for (j = 0; j < _SIZE_NY - 1; j++)
        hz[i][j] = hz[i][j] - NUMBER(0.7) * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}
