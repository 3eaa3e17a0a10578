#include "bench.h"
#define N 20
#define _SIZE_N n
static void kernel_heat_3d(int tsteps, int n, DATA_TYPE A[N][N][N], DATA_TYPE B[N][N][N]) {
  int t, i, j, k;
#pragma scop
  for (t = 1; t <= 10; t++) {
    for (i = 1; i < N - 1; i++) {
      for (j = 1; j < N - 1; j++) {
        for (k = 1; k < N - 1; k++) {
          B[i][j][k] =
              NUMBER(0.125) * (A[i + 1][j][k] - NUMBER(2.0) * A[i][j][k] + A[i - 1][j][k]) +
              NUMBER(0.125) * (A[i][j + 1][k] - NUMBER(2.0) * A[i][j][k] + A[i][j - 1][k]) +
              NUMBER(0.125) * (A[i][j][k + 1] - NUMBER(2.0) * A[i][j][k] + A[i][j][k - 1]) +
              A[i][j][k];
        }
      }
    }
    for (i = 1; i < N - 1; i++) {
      for (j = 1; j < N - 1; j++) {
        for (k = 1; k < N - 1; k++) {
          A[i][j][k] =
              NUMBER(0.125) * (B[i + 1][j][k] - NUMBER(2.0) * B[i][j][k] + B[i - 1][j][k]) +
              NUMBER(0.125) * (B[i][j + 1][k] - NUMBER(2.0) * B[i][j][k] + B[i][j - 1][k]) +
              NUMBER(0.125) * (B[i][j][k + 1] - NUMBER(2.0) * B[i][j][k] + B[i][j][k - 1]) +
              B[i][j][k];
        }
      }
    }
  }
#pragma endscop
}
