/* A residual on one level, with sums of rows that each row computes anew. */
#include <stdio.h>
#define M 515
static int timeron;
void timer_start(int);
void timer_stop(int);
void residual(void *ou, void *ov, void * or, int n1, int n2, int n3, double a[4]) {
  double(*u)[n2][n1] = (double(*)[n2][n1])ou;
  double(*v)[n2][n1] = (double(*)[n2][n1])ov;
  double(*r)[n2][n1] = (double(*)[n2][n1]) or ;
  double u1[M], u2[M];
  timer_start(4);
  for (int i3 = 1; i3 < n3 - 1; i3++) {
    for (int i2 = 1; i2 < n2 - 1; i2++) {
      for (int i1 = 0; i1 < n1; i1++) {
        u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
        u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] +
                 u[i3 + 1][i2 + 1][i1];
      }
      for (int i1 = 1; i1 < n1 - 1; i1++)
        r[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] -
                        a[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) -
                        a[3] * (u2[i1 - 1] + u2[i1 + 1]);
    }
  }
  timer_stop(4);
}
