#include <math.h>
double jacobi(int n, int m, double dx, double dy, double alpha, double omega, double *u, double *f,
              double *uold, double tol, int maxit) {
  double error = 10.0 * tol, ax = 1.0 / (dx * dx), ay = 1.0 / (dy * dy),
         b = -2.0 / (dx * dx) - 2.0 / (dy * dy) - alpha, resid;
  int k = 1;
  while ((k <= maxit) && (error > tol)) {
    error = 0.0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        uold[i * m + j] = u[i * m + j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        resid = (ax * (uold[(i - 1) * m + j] + uold[(i + 1) * m + j]) +
                 ay * (uold[i * m + j - 1] + uold[i * m + j + 1]) + b * uold[i * m + j] -
                 f[i * m + j]) /
                b;
        u[i * m + j] = uold[i * m + j] - omega * resid;
        error = error + resid * resid;
      }
    k = k + 1;
    error = sqrt(error) / (n * m);
  }
  return error;
}
