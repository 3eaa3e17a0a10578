#include <stdio.h>
#include <stdlib.h>
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#define NUMBER(x) x
#define BENCH_C99_SELECT(x, y) x
#define BENCH_ARRAY(x) *x
#define BENCH_1D(var, dim1, ddim1) var[BENCH_C99_SELECT(dim1, ddim1)]
#define BENCH_2D(var, dim1, dim2, ddim1, ddim2)                                                    \
  var[BENCH_C99_SELECT(dim1, ddim1)][BENCH_C99_SELECT(dim2, ddim2)]
#define BENCH_3D(var, dim1, dim2, dim3, ddim1, ddim2, ddim3)                                       \
  var[BENCH_C99_SELECT(dim1, ddim1)][BENCH_C99_SELECT(dim2, ddim2)][BENCH_C99_SELECT(dim3, ddim3)]
#define BENCH_DECL_VAR(x) (*x)
#define BENCH_ALLOC_2D_ARRAY(n1, n2, type) (type(*)[n1][n2]) malloc((n1) * (n2) * sizeof(type))
#define BENCH_2D_ARRAY_DECL(VAR, TYPE, DIM1, DIM2, DDIM1, DDIM2)                                   \
  TYPE BENCH_2D(BENCH_DECL_VAR(VAR), DIM1, DIM2, DDIM1, DDIM2);                                    \
  VAR = BENCH_ALLOC_2D_ARRAY(DIM1, DIM2, TYPE);
#define bench_start_instruments timer_start();
#define bench_stop_instruments timer_stop();
#define bench_print_instruments timer_print();
void timer_start(void);
void timer_stop(void);
void timer_print(void);
