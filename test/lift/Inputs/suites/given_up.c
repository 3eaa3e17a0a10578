// Functions that return before they do anything, or where nothing is to be done.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

// EQUAL
void few_points(int n, const double *u, double *v, double r) {
  if (n < 3)
    return;
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

// EQUAL
int no_memory(float *a, float *b, int n, int m, int steps) {
  assert(n > 2 && m > 2);
  if (a == NULL || !b) {
    fprintf(stderr, "no memory\n");
    return EXIT_FAILURE;
  }
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * m + j] = 0.25f * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] +
                                a[(i + 1) * m + j]);
    float *last = a;
    a = b;
    b = last;
  }
  return EXIT_SUCCESS;
}

static void inside(int i, int n, const double *u, double *v) {
  if (i == 0 || i == n - 1) {
    v[i] = 0;
    return;
  }
  v[i] = 0.5 * (u[i - 1] + u[i + 1]);
}
// EQUAL
void left_early(int n, const double *u, double *v) {
  for (int i = 0; i < n; i++)
    inside(i, n, u, v);
}
