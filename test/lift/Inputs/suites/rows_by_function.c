/* rows that a function takes one by one, and others free and print */
#include <stdio.h>
#include <stdlib.h>
static double **rows(int n, int m) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = calloc(m, sizeof **a);
  return a;
}
void release(double **a, int n) {
  for (int i = 0; i < n; i++)
    free(a[i]);
  free(a);
}
void show(int n, int m, double **a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%g%c", a[i][j], j < m - 1 ? ' ' : '\n');
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, m = 30;
  double **u = rows(n, m), **v = rows(n, m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[i][j] = i + 0.5 * j;
  for (int t = 0; t < 7; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
  }
  show(n, m, u);
  release(u, n);
  release(v, n);
  return 0;
}
