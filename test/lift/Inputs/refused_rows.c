/* Tables of pointers that are no arrays. What is said of each stands before it. */
#include <stdlib.h>

// REFUSED: `block` is the memory that the rows of `a` lie in, and is named beside them
void named_beside(int n, int m, double (*u)[m]) {
  double **a = malloc(n * sizeof *a), *block = malloc(n * m * sizeof **a);
  for (int i = 0; i < n; i++)
    a[i] = block + i * m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 2 * u[i][j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = block[i * m + j - 1] + a[i][j - 1];
}

// REFUSED: which memory a row of `b` lies in is not followed
void two_tables(int n, int m, double (*u)[m]) {
  double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *a),
         *block = malloc(n * m * sizeof **a);
  for (int i = 0; i < n; i++) {
    a[i] = block + i * m;
    b[i] = block + i * m;
  }
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = b[i][j - 1] + a[i][j - 1];
}

// REFUSED: which memory a row of `a` lies in is not followed
void one_row(int n, int m, double (*u)[m]) {
  double **a = malloc(n * sizeof *a), *block = malloc(n * m * sizeof **a);
  for (int i = 0; i < n; i++)
    a[i] = block;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = a[i][j - 1] + a[i - 1][j - 1];
}

// REFUSED: which memory a row of `a` lies in is not followed
void of_the_caller(int n, int m, double (*u)[m], double *block) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = block + i * m;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      u[i][j] = a[i][j - 1] + a[i - 1][j - 1];
}
