#include <math.h>

// EQUAL
void guarded(int n, const double *u, double *v) {
  for (int i = 1; i < n - 1; i++) {
    double slope = (u[i + 1] - u[i]) / (u[i] - u[i - 1]);
    if (isnan(slope) || !isfinite(slope))
      slope = 0;
    v[i] = u[i] + 0.1 * (isinf(u[i]) ? 1.0 : slope);
  }
}
