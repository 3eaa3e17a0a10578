/* Grids that globals point to and a program takes memory for; who starts it says how large they
 * are. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define IDX(i, j) ((i) * n + (j))
double *grid, *next;
int main(int argc, char **argv) {
  int n, iters;
  double c;
  if (argc != 3) {
    printf("usage\n");
    return 1;
  }
  n = atoi(argv[1]);
  iters = atoi(argv[2]);
  grid = malloc(n * n * sizeof(double));
  next = malloc(n * n * sizeof(double));
  c = 0.25;
  for (int i = 0; i < n * n; i++)
    grid[i] = next[i] = (double)(i % 13);
  clock_t start = clock();
  for (int it = 0; it < iters; it++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[IDX(i, j)] = c * (grid[IDX(i - 1, j)] + grid[IDX(i + 1, j)] + grid[IDX(i, j - 1)] +
                               grid[IDX(i, j + 1)]);
    double *tmp = grid;
    grid = next;
    next = tmp;
  }
  clock_t end = clock();
  printf("%f s\n", (double)(end - start) / CLOCKS_PER_SEC);
  free(grid);
  free(next);
  return 0;
}
