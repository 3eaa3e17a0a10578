/* What the run leaves behind is looked at after it. */
#include <math.h>
/* EQUAL: a sum, by `return` */
double energy(int n, int m, double u[n][m], double v[n][m], int steps) {
  double sum = 0.0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += u[i][j] * u[i][j];
  return sum;
}

/* EQUAL: a largest and a smallest value, found where the points are made */
void range(int n, const float *restrict u, float *restrict v, float *most, double *least) {
  float biggest = -1e30f;
  double smallest = 0;
  for (int i = 1; i < n - 1; i++) {
    v[i] = 0.5f * (u[i - 1] + u[i + 1]);
    biggest = fmaxf(biggest, v[i]);
    if (v[i] < smallest)
      smallest = v[i];
  }
  *most = biggest;
  *least = smallest;
}

/* EQUAL: of points that are written by neither */
float loudest(int steps, int n, float *p, float *q) {
  float most = 0;
  for (int t = 0; t < steps; t++) {
    most = 0;
    for (int i = 1; i < n - 1; i++)
      q[i] = 0.9f * p[i] + 0.05f * (p[i - 1] + p[i + 1]);
    for (int i = 2; i < n - 2; i++)
      most = fmaxf(most, fabsf(q[i + 1] - q[i - 1]));
    float *last = p;
    p = q;
    q = last;
  }
  return most;
}
