#include "math.h"
#include "omp.h"
#include "stdlib.h"
#include "sys/time.h"
struct dataobj {
  void *restrict data;
  int *size;
  int *npsize;
  int *dsize;
  int *hsize;
  int *hofs;
  int *oofs;
};
struct profiler {
  double section0;
  double section1;
};
static inline int MAX(int a, int b) { return a > b ? a : b; }
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
int ForwardAcoustic(struct dataobj *restrict damp_vec, const float dt,
                    struct dataobj *restrict u_vec, struct dataobj *restrict vp_vec, const int x_M,
                    const int x_m, const int y_M, const int y_m, const int z_M, const int z_m,
                    const int time_M, const int time_m, const int x0_blk0_size,
                    const int y0_blk0_size, const int nthreads, struct profiler *timers) {
  float(*restrict damp)[damp_vec->size[1]][damp_vec->size[2]] __attribute__((aligned(64))) =
      (float(*)[damp_vec->size[1]][damp_vec->size[2]])damp_vec->data;
  float(*restrict u)[u_vec->size[1]][u_vec->size[2]][u_vec->size[3]] __attribute__((aligned(64))) =
      (float(*)[u_vec->size[1]][u_vec->size[2]][u_vec->size[3]])u_vec->data;
  float(*restrict vp)[vp_vec->size[1]][vp_vec->size[2]] __attribute__((aligned(64))) =
      (float(*)[vp_vec->size[1]][vp_vec->size[2]])vp_vec->data;
  float r0 = 1.0F / (dt * dt);
  float r1 = 1.0F / dt;
  for (int time = time_m, t0 = (time) % (3), t1 = (time + 2) % (3), t2 = (time + 1) % (3);
       time <= time_M; time += 1, t0 = (time) % (3), t1 = (time + 2) % (3), t2 = (time + 1) % (3)) {
    struct timeval start_section0, end_section0;
    gettimeofday(&start_section0, NULL);
#pragma omp parallel num_threads(nthreads)
    {
#pragma omp for collapse(2) schedule(dynamic, 1)
      for (int x0_blk0 = x_m; x0_blk0 <= x_M; x0_blk0 += x0_blk0_size) {
        for (int y0_blk0 = y_m; y0_blk0 <= y_M; y0_blk0 += y0_blk0_size) {
          for (int x = x0_blk0; x <= MIN(x0_blk0 + x0_blk0_size - 1, x_M); x += 1) {
            for (int y = y0_blk0; y <= MIN(y0_blk0 + y0_blk0_size - 1, y_M); y += 1) {
#pragma omp simd aligned(damp, u, vp : 32)
              for (int z = z_m; z <= z_M; z += 1) {
                float r2 = 1.0F / (vp[x + 4][y + 4][z + 4] * vp[x + 4][y + 4][z + 4]);
                u[t2][x + 4][y + 4][z + 4] =
                    (r1 * (damp[x + 1][y + 1][z + 1] * u[t0][x + 4][y + 4][z + 4]) +
                     r2 * (-r0 * (-2.0F * u[t0][x + 4][y + 4][z + 4]) -
                           r0 * u[t1][x + 4][y + 4][z + 4]) +
                     8.33333315e-4F * (-u[t0][x + 2][y + 4][z + 4] - u[t0][x + 4][y + 2][z + 4] -
                                       u[t0][x + 4][y + 4][z + 2] - u[t0][x + 4][y + 4][z + 6] -
                                       u[t0][x + 4][y + 6][z + 4] - u[t0][x + 6][y + 4][z + 4]) +
                     1.3333333e-2F * (u[t0][x + 3][y + 4][z + 4] + u[t0][x + 5][y + 4][z + 4])) /
                    (r0 * r2 + r1 * damp[x + 1][y + 1][z + 1]);
              }
            }
          }
        }
      }
    }
    gettimeofday(&end_section0, NULL);
    timers->section0 += (double)(end_section0.tv_sec - start_section0.tv_sec) +
                        (double)(end_section0.tv_usec - start_section0.tv_usec) / 1000000;
  }
  return 0;
}
