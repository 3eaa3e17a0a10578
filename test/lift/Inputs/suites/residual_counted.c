#include <math.h>
double relax(int n, int steps, double u[n][n], double v[n][n]) {
  double worst = 0;
  for (int t = 0; t < steps; t++) {
    worst = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        worst = fmax(worst, fabs(v[i][j] - u[i][j]));
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i][j] = v[i][j];
  }
  return worst;
}
