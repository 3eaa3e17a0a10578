#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NN 64
#define NM 60
double A[NN][NM];
double Anew[NN][NM];
int laplace(int iter_max, double tol) {
  double error = 1.0;
  int iter = 0;
  while (error > tol && iter < iter_max) {
    error = 0.0;
    for (int j = 1; j < NN - 1; j++) {
      for (int i = 1; i < NM - 1; i++) {
        Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1] + A[j - 1][i] + A[j + 1][i]);
        error = fmax(error, fabs(Anew[j][i] - A[j][i]));
      }
    }
    for (int j = 1; j < NN - 1; j++)
      for (int i = 1; i < NM - 1; i++)
        A[j][i] = Anew[j][i];
    if (iter % 100 == 0)
      printf("%5d, %0.6f\n", iter, error);
    iter++;
  }
  return iter;
}
