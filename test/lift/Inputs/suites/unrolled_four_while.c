#include <math.h>
void four(int n, const float *restrict u, float *restrict v, float *restrict w, float c) {
  int k;
  for (k = 2; k <= n - 6; k += 4) {
    float l0 = u[k - 2] + u[k + 2], l1 = u[k - 1] + u[k + 3], l2 = u[k] + u[k + 4],
          l3 = u[k + 1] + u[k + 5];
    v[k] = c * l0;
    v[k + 1] = c * l1;
    v[k + 2] = c * l2;
    v[k + 3] = c * l3;
    w[k] = u[k] * v[k];
    w[k + 1] = u[k + 1] * v[k + 1];
    w[k + 2] = u[k + 2] * v[k + 2];
    w[k + 3] = u[k + 3] * v[k + 3];
  }
  while (k < n - 2) {
    float l0 = u[k - 2] + u[k + 2];
    v[k] = c * l0;
    w[k] = u[k] * v[k];
    k++;
  }
}
