#define _POSIX_C_SOURCE 200809L
#define START_TIMER(S)                                                                             \
  struct timeval start_##S, end_##S;                                                               \
  gettimeofday(&start_##S, NULL);
#define STOP_TIMER(S, T)                                                                           \
  gettimeofday(&end_##S, NULL);                                                                    \
  T->S += (double)(end_##S.tv_sec - start_##S.tv_sec) +                                            \
          (double)(end_##S.tv_usec - start_##S.tv_usec) / 1000000;
#include "math.h"
#include "pmmintrin.h"
#include "stdlib.h"
#include "sys/time.h"
#include "xmmintrin.h"
struct dataobj {
  void *restrict data;
  int *size;
  unsigned long nbytes;
  unsigned long *npsize;
  unsigned long *dsize;
  int *hsize;
  int *hofs;
  int *oofs;
  void *dmap;
};
struct profiler {
  double section0;
};
int Kernel(struct dataobj *restrict u_vec, const float dt, const float h_x, const float h_y,
           const float a, const int time_M, const int time_m, const int x_M, const int x_m,
           const int y_M, const int y_m, struct profiler *timers) {
  float(*restrict u)[u_vec->size[1]][u_vec->size[2]] __attribute__((aligned(64))) =
      (float(*)[u_vec->size[1]][u_vec->size[2]])u_vec->data;
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  float r0 = 1.0F / dt;
  float r1 = 1.0F / (h_x * h_x);
  float r2 = 1.0F / (h_y * h_y);
  for (int time = time_m, t0 = (time) % (2), t1 = (time + 1) % (2); time <= time_M;
       time += 1, t0 = (time) % (2), t1 = (time + 1) % (2)) {
    START_TIMER(section0)
    for (int x = x_m; x <= x_M; x += 1) {
#pragma omp simd aligned(u : 32)
      for (int y = y_m; y <= y_M; y += 1) {
        float r3 = -2.0F * u[t0][x + 2][y + 2];
        u[t1][x + 2][y + 2] =
            dt * (a * (r1 * r3 + r1 * u[t0][x + 1][y + 2] + r1 * u[t0][x + 3][y + 2] + r2 * r3 +
                       r2 * u[t0][x + 2][y + 1] + r2 * u[t0][x + 2][y + 3]) +
                  r0 * u[t0][x + 2][y + 2]);
      }
    }
    STOP_TIMER(section0, timers)
  }
  return 0;
}
