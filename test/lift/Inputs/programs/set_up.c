/* What stands before the loop over time is not understood, in part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void load(const char *path, float *u, int n);
float **rows(int n, int m) {
  float **table = malloc(n * sizeof(float *)), *all = malloc((size_t)n * m * sizeof(float));
  for (int i = 0; i < n; i++)
    table[i] = all + (size_t)i * m;
  return table;
}
void random_start(float **u, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[i][j] = rand() / (float)RAND_MAX;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]), steps = 10, i;
  float **u = rows(n, m), **v = rows(n, m);
  float *walls = malloc(m * sizeof(float)), mean = 0;
  random_start(u, n, m);
  load("walls.dat", walls, m);
  for (i = 0; i < m; i++)
    mean = mean + walls[i];
  mean = mean / m;
  if (argc > 3 && strcmp(argv[3], "-q") == 0)
    mean = 0;
  for (int t = 0; t < steps; t++) {
    for (i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.5f * (u[i][j - 1] + u[i + 1][j]) + mean + walls[j];
    float **last = u;
    u = v;
    v = last;
  }
  FILE *out = fopen("out.dat", "w");
  if (out == NULL)
    return 1;
  for (i = 0; i < n; i++)
    fwrite(u[i], sizeof(float), m, out);
  fclose(out);
  return 0;
}
