/* Small arrays of a function's own that loops set before those over points. */
#include <math.h>
#include <string.h>
#define R 2

// EQUAL
void blurred(int n, int m, float in[n][m], float out[n][m], float width) {
  float w[2 * R + 1], sum = 0;
  for (int k = -R; k <= R; k++) {
    w[k + R] = expf(-(float)(k * k) / (2 * width * width));
    sum += w[k + R];
  }
  for (int k = 0; k < 2 * R + 1; k++)
    w[k] /= sum;
  for (int i = R; i < n - R; i++)
    for (int j = R; j < m - R; j++) {
      float s = 0;
      for (int a = -R; a <= R; a++)
        for (int b = -R; b <= R; b++)
          s += w[a + R] * w[b + R] * in[i + a][j + b];
      out[i][j] = s;
    }
}

// EQUAL
void waves(int n, int steps, double *a, double *b, double dt, double dx) {
  double c[3];
  for (int k = 0; k < 3; k++)
    c[k] = dt * dt / (dx * dx) / (k + 1.0);
  for (int t = 0; t < steps; t++) {
    for (int i = 2; i < n - 2; i++) {
      double l = c[0] * a[i];
      for (int k = 1; k < 3; k++)
        l += c[k] * (a[i - k] + a[i + k]);
      b[i] = 2 * a[i] - b[i] + l;
    }
    double *last = a;
    a = b;
    b = last;
  }
}

static void ramp(double *w, int n, double h) {
  for (int i = 0; i < n; i++)
    w[i] = i * h;
}

// EQUAL
void by_function(int n, double *a, const double *b, double h) {
  double w[3], c[2];
  ramp(w, 3, h);
  memset(c, 0, sizeof c);
  if (h > 0.1)
    c[1] = 3;
  for (int i = 1; i < n - 1; i++)
    a[i] = w[0] * b[i - 1] + w[1] * b[i] + (w[2] + c[0] - c[1]) * b[i + 1];
}

// EQUAL: numbers of a point, sorted
void median(int n, double *a, const double *b) {
  for (int i = 1; i < n - 1; i++) {
    double v[3];
    for (int k = 0; k < 3; k++)
      v[k] = b[i + k - 1];
    for (int p = 0; p < 2; p++)
      for (int q = 0; q < 2 - p; q++)
        if (v[q] > v[q + 1]) {
          const double more = v[q];
          v[q] = v[q + 1];
          v[q + 1] = more;
        }
    a[i] = v[1];
  }
}
