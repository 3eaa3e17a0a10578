/* A program that looks neighbours up in arrays, which it fills before all other loops. */
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  float *u = malloc(n * m * sizeof(float)), *v = malloc(n * m * sizeof(float));
  int *up = malloc(n * sizeof(int)), *left;
  left = malloc(m * sizeof(int));
  for (int i = 0; i < n; i++)
    up[i] = i - 1;
  for (int j = 0; j < m; j++)
    left[j] = j - 1;
  up[0] = 0;
  left[0] = m - 1;
  for (int k = 0; k < n * m; k++)
    u[k] = rand() % 100;
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        v[i * m + j] = 0.5f * (u[up[i] * m + j] + u[i * m + left[j]]);
    for (int k = 0; k < n * m; k++)
      u[k] = v[k];
  }
}
