/* The one who starts the program says how many points and steps there are. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char *argv[]) {
  int n, steps = 10;
  double *a, *b, k = 0.1;
  if (argc < 2) {
    fprintf(stderr, "usage: %s points [steps] [k]\n", argv[0]);
    return 1;
  }
  n = atoi(argv[1]);
  if (argc > 2)
    steps = strtol(argv[2], NULL, 10);
  k = argc > 3 ? atof(argv[3]) : 0.1;
  a = (double *)malloc(sizeof(double) * n * n);
  b = (double *)malloc(sizeof(double) * n * n);
  if (!a || !b) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = drand48();
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] =
            a[i * n + j] + k * (a[(i - 1) * n + j] + a[(i + 1) * n + j] - 2 * a[i * n + j]);
    double *c = a;
    a = b;
    b = c;
  }
  printf("%g\n", a[n + 1]);
  free(a);
  free(b);
  return 0;
}
