/* A macro makes the loop over time. */
#include <math.h>
#define REPEAT while (change > eps)
void relax(int n, double *a, double *b, double eps) {
  double change = 1;
  REPEAT {
    change = 0;
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++) {
      change = fmax(change, fabs(b[i] - a[i]));
      a[i] = b[i];
    }
  }
}
