/* A program around a function of buffers.c, which may come from another object. */
#include <stdio.h>
#include <stdlib.h>

void heat_swap(int nz, int ny, int nx, int steps, double *u, double *unew, double alpha,
               double beta);

int main(void) {
  enum { Z = 12, Y = 9, X = 7, POINTS = Z * Y * X };
  double *u = malloc(POINTS * sizeof *u), *unew = malloc(POINTS * sizeof *unew);
  for (int i = 0; i < POINTS; ++i)
    u[i] = unew[i] = i % 11 * 0.125;
  heat_swap(Z, Y, X, 7, u, unew, 0.4, 0.1);
  for (int i = 0; i < POINTS; ++i)
    printf("%a\n", unew[i]);
}
