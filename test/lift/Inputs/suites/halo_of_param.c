#include <math.h>
void tea_jacobi(int x, int y, int halo, double *u, double *un, const double *u0, const double *kx,
                const double *ky, double *error) {
  double err = 0.0;
  for (int k = halo; k < y - halo; k++)
    for (int j = halo; j < x - halo; j++) {
      int index = j + k * x;
      u[index] = (u0[index] + (kx[index + 1] * un[index + 1] + kx[index] * un[index - 1]) +
                  (ky[index + x] * un[index + x] + ky[index] * un[index - x])) /
                 (1.0 + (kx[index] + kx[index + 1]) + (ky[index] + ky[index + x]));
      err += fabs(u[index] - un[index]);
    }
  *error = err;
}
