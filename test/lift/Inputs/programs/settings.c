/* What a program fills its arrays with, by whatever formulas, is no part of a step. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 50, steps = 20;
  double(*u)[n] = malloc(sizeof(double[n][n])), (*v)[n] = malloc(sizeof(double[n][n]));
  double dx = 1.0 / (n - 1), dt = 0.2 * dx * dx, r;
  r = dt / (dx * dx);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = v[i][j] = i * j % 7;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i][j] =
            u[i][j] + r * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    double(*s)[n] = u;
    u = v;
    v = s;
    if (t % 10 == 0)
      printf("step %d\n", t);
  }
  printf("%g\n", u[3][3]);
}
