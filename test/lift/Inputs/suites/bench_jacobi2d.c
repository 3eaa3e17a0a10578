#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#define TSTEPS 100
#define N 250
#define _SIZE_N BENCH_C99_SELECT(N, n)
#define _SIZE_TSTEPS BENCH_C99_SELECT(TSTEPS, tsteps)
static void init_array(int n, DATA_TYPE BENCH_2D(A, N, N, n, n),
                       DATA_TYPE BENCH_2D(B, N, N, n, n)) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      A[i][j] = ((DATA_TYPE)i * (j + 2) + 2) / n;
      B[i][j] = ((DATA_TYPE)i * (j + 3) + 3) / n;
    }
}
static void print_array(int n, DATA_TYPE BENCH_2D(A, N, N, n, n)) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      if ((i * n + j) % 20 == 0)
        fprintf(stderr, "\n");
      fprintf(stderr, "%0.2lf ", A[i][j]);
    }
}
static void kernel_jacobi_2d(int tsteps, int n, DATA_TYPE BENCH_2D(A, N, N, n, n),
                             DATA_TYPE BENCH_2D(B, N, N, n, n)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _SIZE_TSTEPS; t++) {
    for (i = 1; i < _SIZE_N - 1; i++)
      for (j = 1; j < _SIZE_N - 1; j++)
        B[i][j] = NUMBER(0.2) * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (i = 1; i < _SIZE_N - 1; i++)
      for (j = 1; j < _SIZE_N - 1; j++)
        A[i][j] = NUMBER(0.2) * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = N;
  int tsteps = TSTEPS;
  BENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N, n, n);
  BENCH_2D_ARRAY_DECL(B, DATA_TYPE, N, N, n, n);
  init_array(n, *A, *B);
  bench_start_instruments;
  kernel_jacobi_2d(tsteps, n, *A, *B);
  bench_stop_instruments;
  bench_print_instruments;
  print_array(n, *A);
  free((void *)A);
  free((void *)B);
  return 0;
}
