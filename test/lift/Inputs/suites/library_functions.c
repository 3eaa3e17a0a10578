#include <math.h>

void powers(int n, double *a, const double *b) {
  for (int i = 1; i < n - 1; i++)
    a[i] = fmod(-4.0, 2.0) * b[i + 1] + pow(b[i], 3.0) + pow(b[i], 0.5) +
           pow(b[i + 1] + b[i - 1] * b[i - 1] + b[i + 1] * b[i] * b[i] * b[i], 2) + pow(b[i], -1);
}
