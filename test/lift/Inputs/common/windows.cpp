// Loops over the neighbours that there are.
#include <algorithm>
#include <cmath>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void alive(const int *u, int *v, int n) {
  for (int i = 0; i < n; i++) {
    int count = 0;
    for (int k = MAX(i - 1, 0); k <= MIN(i + 1, n - 1); k++)
      if (k != i && u[k] > 0)
        count++;
    v[i] = u[i] > 0 ? count == 1 : count == 2;
  }
}

void means(const double *u, double *v, const double *w, int h, int n) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < n; x++) {
      int top = y > 1 ? y - 2 : 0, bottom = std::min(y + 2, h - 1);
      double sum = 0, weights = 0;
      for (int j = top; j <= bottom; j++)
        for (int i = std::max(0, x - 1); i < std::min(x + 2, n); i++) {
          if (j == y && i == x)
            continue;
          sum += w[0] * u[j * n + i];
          weights += w[0];
        }
      v[y * n + x] = sum / weights;
    }
}

void before(const float *u, float *v, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = std::max(i - 3, 0); k < i; k++)
      sum += u[k];
    v[i] = sum;
  }
}

void opened(const unsigned char *in, unsigned char *out, int h, int w) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      unsigned char most = 0;
      for (int j = MAX(y - 1, 0); j <= MIN(y + 1, h - 1); j++)
        for (int i = MAX(x - 1, 0); i <= MIN(x + 1, w - 1); i++)
          most = MAX(most, in[j * w + i]);
      out[y * w + x] = most;
    }
}

void lowest(const double *in, double *out, int n) {
  for (int i = 0; i < n; i++) {
    double least = in[i], most = 0;
    for (int k = std::max(i - 2, 0); k <= std::min(i + 2, n - 1); k++) {
      least = std::min(least, in[k]);
      if (std::fabs(in[k]) > most)
        most = std::fabs(in[k]);
    }
    out[i] = least + most;
  }
}
