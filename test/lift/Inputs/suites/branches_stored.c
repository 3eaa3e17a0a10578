/* a branch for each kind of point, all of which set the new state */
#include <stdlib.h>
#include <string.h>
void rod(double *u, int n, int m, int steps, double r, double loss, double outside) {
  double *next = malloc(sizeof(double) * n * m);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (i == 0)
          next[i * m + j] = u[(i + 1) * m + j];
        else if (i == n - 1)
          next[i * m + j] = (u[(i - 1) * m + j] + loss * outside) / (1 + loss);
        else if (j == 0 || j == m - 1)
          next[i * m + j] = outside;
        else
          next[i * m + j] = u[i * m + j] + r * (u[(i + 1) * m + j] + u[(i - 1) * m + j] +
                                                u[i * m + j + 1] + u[i * m + j - 1] -
                                                4 * u[i * m + j]);
      }
    memcpy(u, next, sizeof(double) * n * m);
  }
  free(next);
}
