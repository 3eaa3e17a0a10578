/* Neighbours that the function looks up in arrays, which it fills itself */
#include <stdlib.h>

/* round the ends, which are set afterwards */
// EQUAL
void around(int n, int m, const double *s, double *t) {
  int *up = (int *)malloc(n * sizeof(int)), *down = malloc(n * sizeof *down);
  int left[m], right[m];
  for (int i = 0; i < n; i++) {
    up[i] = i - 1;
    down[i] = i + 1;
  }
  up[0] = n - 1;
  down[n - 1] = 0;
  for (int j = 0; j < m; j++)
    left[j] = (j + m - 1) % m;
  for (int j = 0; j < m; j++)
    right[j] = j == m - 1 ? 0 : j + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int l = left[j], r = right[j];
      t[i * m + j] = s[up[i] * m + j] + s[down[i] * m + j] + s[i * m + l] - s[i * m + r];
    }
  free(up);
  free(down);
}

/* the end repeats itself; another array reads what the first one has made */
// EQUAL
void spread(int n, int steps, float *u, float rate) {
  int *before = malloc(n * sizeof(int)), *behind = malloc(n * sizeof(int));
  float *flux = malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) {
    before[i] = i - 1;
    behind[i] = i + 1;
  }
  before[0] = 0;
  behind[n - 1] = n - 1;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++)
      flux[i] = u[behind[i]] - u[before[i]];
    for (int i = 0; i < n; i++)
      u[i] += rate * (flux[behind[i]] - flux[i]);
  }
}

/* numbers of points that are no neighbours */
// EQUAL
void numbered(int n, const float *s, float *t) {
  int odd[n];
  for (int i = 0; i < n; i++)
    odd[i] = 2 * i + 1;
  for (int i = 0; i < n; i++)
    t[i] = s[i] * odd[i];
}
