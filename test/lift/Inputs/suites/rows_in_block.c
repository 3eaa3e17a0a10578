/* Tables of rows that lie in one block of memory */
#include <stdlib.h>

static double **rows_behind(int n, int m) {
  double **a = malloc(n * sizeof *a);
  a[0] = malloc(n * m * sizeof **a);
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + m;
  return a;
}
static double **rows_from_first(int n, int m) {
  double **a = malloc(n * sizeof *a), *block = malloc(n * m * sizeof **a);
  if (a == NULL || !block)
    exit(1);
  a[0] = block;
  for (int i = 1; i < n; i++)
    a[i] = a[0] + i * m;
  return a;
}
/* from any number up */
static double **matrix(long first, long last, long left, long right) {
  long rows = last - first + 1, columns = right - left + 1;
  double **m = (double **)malloc((rows + 1) * sizeof(double *));
  if (!m)
    abort();
  m += 1;
  m -= first;
  m[first] = (double *)malloc((rows * columns + 1) * sizeof(double));
  if (!m[first])
    abort();
  m[first] += 1;
  m[first] -= left;
  for (long i = first + 1; i <= last; i++)
    m[i] = m[i - 1] + columns;
  return m;
}

// EQUAL
void behind(int n, int m, double (*u)[m]) {
  double **a = rows_behind(n, m), **b = rows_behind(n, m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] = 2 * u[i][j];
      b[i][j] = 3 * u[i][j];
    }
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = a[i - 1][j] + b[i][j - 1];
  free(a[0]);
  free(a);
}

// EQUAL
void from_first(int n, int m, double (*u)[m]) {
  double **a = rows_from_first(n, m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 2 * u[i][j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = a[i - 1][j] + a[i][j - 1];
}

// EQUAL
void counted_from_1(int n, int m, double (*u)[m + 1]) {
  double **a = matrix(1, n, 1, m);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      a[i][j] = 2 * u[i][j];
  for (int i = 2; i <= n; i++)
    for (int j = 2; j <= m; j++)
      u[i][j] = a[i - 1][j] + a[i][j - 1];
}

// EQUAL
void planes(int n, int m, int l, double *u) {
  double ***a = malloc(n * sizeof *a), **rows = malloc(n * m * sizeof *rows);
  double *block = malloc(n * m * l * sizeof *block);
  for (int i = 0; i < n; i++) {
    a[i] = &rows[i * m];
    for (int j = 0; j < m; j++)
      a[i][j] = &block[(i * m + j) * l];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        a[i][j][k] = 2 * u[(i * m + j) * l + k];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      for (int k = 0; k < l; k++)
        u[(i * m + j) * l + k] = a[i - 1][j][k] + a[i][j - 1][k];
}

/* Rows that reach into the next one are taken not to */
void too_short(int n, int m, double (*u)[m]) {
  double **a = malloc(n * sizeof *a), *block = malloc(n * m * sizeof **a);
  for (int i = 0; i < n; i++)
    a[i] = block + i * (m - 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 2 * u[i][j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = a[i][j - 1] + a[i - 1][j - 1];
}
