// C++: vectors, index functions, lambdas, std::swap, references.
#include <algorithm>
#include <cmath>
#include <vector>

static inline int at(int i, int j, int ny) { return i * ny + j; }
#define INDEX(i, j) ((i) * ny + (j))

void diffuse(std::vector<double> &u, std::vector<double> &v, int nx, int ny, int steps, double D) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        v[at(i, j, ny)] =
            u[at(i, j, ny)] + D * (u[at(i - 1, j, ny)] + u[at(i + 1, j, ny)] + u[INDEX(i, j - 1)] +
                                   u[INDEX(i, j + 1)] - 4.0 * u[INDEX(i, j)]);
    std::swap(u, v);
  }
}

// A choice on data, through a lambda.
void edges(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
  auto id = [=](int i, int j) { return i * m + j; };
  for (int i = 1; i < n - 1; ++i)
    for (int j = 0; j < m; ++j) {
      const float slope = std::max(a[id(i + 1, j)] - a[id(i - 1, j)], 0.0f);
      if (slope > 0.1f)
        b[id(i, j)] = std::sqrt(slope);
      else
        b[id(i, j)] = std::fabs(a[id(i, j)]) / 2;
    }
}

// The sweep in a function of its own.
static void sweep(const double *a, double *b, int n, double c) {
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i] + c * (a[i - 1] - 2 * a[i] + a[i + 1]);
}
void drive(double *a, double *b, int n, int steps, double dt, double dx) {
  double c = dt / (dx * dx);
  for (int t = 0; t < steps; t++) {
    sweep(a, b, n, c);
    std::swap(a, b);
  }
}

namespace physics {
void wave(float *previous, float *now, const float *speed, int ny, int nx, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int y = 2; y < ny - 2; ++y)
      for (int x = 2; x < nx - 2; ++x) {
        const float *row = now + y * nx;
        float lap = -5.0f * row[x];
        lap += 4.0f / 3 * (row[x - 1] + row[x + 1] + row[x - nx] + row[x + nx]);
        lap -= 1.0f / 12 * (row[x - 2] + row[x + 2] + row[x - 2 * nx] + row[x + 2 * nx]);
        previous[y * nx + x] = 2 * row[x] - previous[y * nx + x] + speed[y * nx + x] * lap;
      }
    float *old = previous;
    previous = now;
    now = old;
  }
}
} // namespace physics
