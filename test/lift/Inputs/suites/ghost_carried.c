/* periodic ghosts set after the update and copied back with all points */
#include <string.h>
#define AT(a, i, j) a[(i) * (m + 2) + (j)]
// EQUAL
void advect(int n, int m, int steps, double *q, double *next, double cx, double cy) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        AT(next, i, j) = AT(q, i, j) - cx * (AT(q, i, j) - AT(q, i - 1, j)) -
                         cy * (AT(q, i, j) - AT(q, i - 1, j - 1));
    for (int j = 1; j <= m; j++) {
      AT(next, 0, j) = AT(next, n, j);
      AT(next, n + 1, j) = AT(next, 1, j);
    }
    for (int i = 0; i <= n + 1; i++) {
      AT(next, i, 0) = AT(next, i, m);
      AT(next, i, m + 1) = AT(next, i, 1);
    }
    memcpy(q, next, (n + 2) * (m + 2) * sizeof(double));
  }
}

/* what stands in the ghosts is older than the points that are copied: they stay rows of the grid */
// EQUAL
void stale(int n, int steps, double *restrict q, double *restrict next) {
  for (int t = 0; t < steps; t++) {
    next[0] = next[1];
    next[n + 1] = next[n];
    for (int i = 1; i <= n; i++)
      next[i] = 0.5 * (q[i - 1] + q[i + 1]);
    for (int i = 0; i < n + 2; i++)
      q[i] = next[i];
  }
}
