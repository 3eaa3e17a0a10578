/* Weights that the distance of a point chooses */
#include <stdlib.h>

// EQUAL
void by_axes(int n, int m, const double (*restrict a)[m], double (*restrict b)[m],
             const double c[3]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double sum = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
          sum += c[(y != 0) + (x != 0)] * a[i + y][j + x];
      b[i][j] = sum;
    }
}

// EQUAL
void by_length(int n, const float *restrict a, float *restrict b, const float *c) {
  for (int i = 2; i < n - 2; i++) {
    float sum = 0;
    for (int d = -2; d <= 2; d++)
      sum += c[abs(d)] * a[i + d] + c[!d] * (d > 0 && d < 2);
    b[i] = sum;
  }
}
