#include "bench.h"
#define N 120
static void kernel_jacobi_1d(int tsteps, int n, DATA_TYPE A[120], DATA_TYPE B[120]) {
  int t, i;
#pragma scop
  for (t = 0; t < tsteps; t++) {
    for (i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}
int main() {
  static double A[120], B[120];
  kernel_jacobi_1d(10, 120, A, B);
  return 0;
}
