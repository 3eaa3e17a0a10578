#include <stdio.h>
#define B 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))
/* Two loops over tiles of 32 x 32 points. */
void blocked(int n, const double *restrict u, double *restrict un) {
#pragma omp parallel for collapse(2)
  for (int ii = 1; ii < n - 1; ii += B)
    for (int jj = 1; jj < n - 1; jj += B)
      for (int i = ii; i < MIN(ii + B, n - 1); i++)
        for (int j = jj; j < MIN(jj + B, n - 1); j++)
          un[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                  u[i * n + j + 1]);
}
