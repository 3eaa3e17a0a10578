/* A program whose arrays are tables of rows in one block. */
#include <stdlib.h>
double **rows(int n, int m) {
  double **table = malloc(n * sizeof(double *)), *block = malloc((size_t)n * m * sizeof(double));
  for (int i = 0; i < n; i++)
    table[i] = block + (size_t)i * m;
  return table;
}
int main(int argc, char **argv) {
  int n = 100, m = 100;
  if (argc > 1)
    n = atoi(argv[1]);
  if (argc > 2)
    m = atoi(argv[2]);
  double **u = rows(n, m), **next = rows(n, m);
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        next[i][j] = 0.5 * (u[i][j - 1] + u[i + 1][j]);
    double **last = u;
    u = next;
    next = last;
  }
}
