#include <math.h>
#include <stdlib.h>
#define OFFSET(x, y, m) (((x) * (m)) + (y))
void initialize(double *restrict A, double *restrict Anew, int m, int n) {
  for (int i = 0; i < m; i++) {
    A[i] = 1.0;
    Anew[i] = 1.0;
  }
}
double calcNext(double *restrict A, double *restrict Anew, int m, int n) {
  double error = 0.0;
#pragma acc parallel loop reduction(max : error)
  for (int j = 1; j < n - 1; j++) {
#pragma acc loop reduction(max : error)
    for (int i = 1; i < m - 1; i++) {
      Anew[OFFSET(j, i, m)] = 0.25 * (A[OFFSET(j, i + 1, m)] + A[OFFSET(j, i - 1, m)] +
                                      A[OFFSET(j - 1, i, m)] + A[OFFSET(j + 1, i, m)]);
      error = fmax(error, fabs(Anew[OFFSET(j, i, m)] - A[OFFSET(j, i, m)]));
    }
  }
  return error;
}
void swap(double *restrict A, double *restrict Anew, int m, int n) {
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++)
      A[OFFSET(j, i, m)] = Anew[OFFSET(j, i, m)];
}
// EQUAL in all variants
int laplace(double *restrict A, double *restrict Anew, int m, int n, double tol, int iter_max) {
  double error = 1.0;
  int iter = 0;
  while (error > tol && iter < iter_max) {
    error = calcNext(A, Anew, m, n);
    swap(A, Anew, m, n);
    iter++;
  }
  return iter;
}
