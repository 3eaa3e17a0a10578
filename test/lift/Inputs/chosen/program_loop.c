/* The loop over time stands in `main`, and another function fills the arrays. */
#include <math.h>
#include <stdlib.h>
void fill(double *u, int n) {
  for (int i = 0; i < n; i++)
    u[i] = i == 0 ? 100 : 20;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), turns = 0;
  double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
  fill(u, n);
  fill(v, n);
  do {
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    double *last = u;
    u = v;
    v = last;
    turns++;
  } while (turns < 100);
}
