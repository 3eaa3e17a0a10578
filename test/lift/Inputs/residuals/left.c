/* The loop over time is left from inside. */
#include <math.h>
#include <stdio.h>
void relax(int n, int most, double *u, double *v, double eps) {
  int it;
  for (it = 0; it < most; it++) {
    double change = 0.0;
    for (int i = 1; i < n - 1; i++) {
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
      if (fabs(v[i] - u[i]) > change)
        change = fabs(v[i] - u[i]);
    }
    double *last = u;
    u = v;
    v = last;
    if (it % 10 == 0)
      printf("%d %g\n", it, change);
    if (change < eps)
      break;
  }
}
