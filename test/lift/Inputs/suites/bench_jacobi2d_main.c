#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define N 130
#define TSTEPS 50
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define DATA_PRINTF_MODIFIER "%0.2lf "
#ifdef POLYBENCH_USE_C99_PROTO
#define POLYBENCH_LOOP_BOUND(x,y) y
#define POLYBENCH_C99_SELECT(x,y) y
#else
#define POLYBENCH_LOOP_BOUND(x,y) x
#define POLYBENCH_C99_SELECT(x,y) x
#endif
#define _PB_N POLYBENCH_LOOP_BOUND(N,n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS,tsteps)
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) var[POLYBENCH_C99_SELECT(dim1,ddim1)][POLYBENCH_C99_SELECT(dim2,ddim2)]
#define POLYBENCH_DECL_VAR(var) (*var)
#define POLYBENCH_ARRAY(var) *var
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2) type POLYBENCH_2D(POLYBENCH_DECL_VAR(var), dim1, dim2, ddim1, ddim2); var = (type(*)[dim1][dim2])polybench_alloc_data((dim1)*(dim2), sizeof(type));
#define POLYBENCH_FREE_ARRAY(x) free((void*)x)
#define polybench_start_instruments polybench_timer_start();
#define polybench_stop_instruments polybench_timer_stop();
#define polybench_print_instruments polybench_timer_print();
#define polybench_prevent_dce(func) if (argc > 42 && !strcmp(argv[0], "")) func
extern void *polybench_alloc_data(unsigned long long n, int elt_size);
extern void polybench_timer_start(void);
extern void polybench_timer_stop(void);
extern void polybench_timer_print(void);
static void init_array(int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n), DATA_TYPE POLYBENCH_2D(B,N,N,n,n)) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      A[i][j] = ((DATA_TYPE)i * (j + 2) + 2) / n;
      B[i][j] = ((DATA_TYPE)i * (j + 3) + 3) / n;
    }
}
static void print_array(int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n)) {
  int i, j;
  fprintf(stderr, "==BEGIN DUMP_ARRAYS==\n");
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      if ((i * n + j) % 20 == 0) fprintf(stderr, "\n");
      fprintf(stderr, DATA_PRINTF_MODIFIER, A[i][j]);
    }
  fprintf(stderr, "==END DUMP_ARRAYS==\n");
}
static void kernel_jacobi_2d(int tsteps, int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n), DATA_TYPE POLYBENCH_2D(B,N,N,n,n)) {
  int t, i, j;
#pragma scop
  for (t = 0; t < _PB_TSTEPS; t++) {
    for (i = 1; i < _PB_N - 1; i++)
      for (j = 1; j < _PB_N - 1; j++)
        B[i][j] = SCALAR_VAL(0.2) * (A[i][j] + A[i][j-1] + A[i][1+j] + A[1+i][j] + A[i-1][j]);
    for (i = 1; i < _PB_N - 1; i++)
      for (j = 1; j < _PB_N - 1; j++)
        A[i][j] = SCALAR_VAL(0.2) * (B[i][j] + B[i][j-1] + B[i][1+j] + B[1+i][j] + B[i-1][j]);
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = N;
  int tsteps = TSTEPS;
  POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N, n, n);
  POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, N, N, n, n);
  init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  polybench_start_instruments;
  kernel_jacobi_2d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
  polybench_stop_instruments;
  polybench_print_instruments;
  polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));
  POLYBENCH_FREE_ARRAY(A);
  POLYBENCH_FREE_ARRAY(B);
  return 0;
}
