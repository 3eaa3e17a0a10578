/* Rows, and parts of them, that the library copies. */
#include <string.h>

void inside(double *u, double *v, int n, int m) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i * m + j] = u[i * m + j - 1] + u[i * m + j + 1];
  for (int i = 1; i < n - 1; i++)
    memcpy(&u[i * m + 1], &v[i * m + 1], (m - 2) * sizeof(double));
}

void rows(int n, int m, float u[n][m], float v[n][m]) {
  for (int i = 0; i < n; i++)
    memset(v[i], 0, m * sizeof(float));
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] += u[i - 1][j] + u[i + 1][j];
  for (int i = 1; i < n - 1; i++)
    memcpy(u[i] + 1, v[i] + 1, sizeof(float) * (m - 2));
}
