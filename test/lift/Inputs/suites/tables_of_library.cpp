// Weights in std::array, and in constants within functions.
#include <array>
#include <cmath>
#include <vector>

constexpr std::array<double, 5> weights = {-1.0 / 12, 4.0 / 3, -2.5, 4.0 / 3, -1.0 / 12};

// EQUAL
void second(const std::vector<double> &u, std::vector<double> &v, int n) {
  for (int i = 2; i < n - 2; i++) {
    double sum = 0;
    for (int k = -2; k <= 2; k++)
      sum += weights[k + 2] * u[i + k];
    v[i] = sum;
  }
}

// EQUAL
void edges(const std::vector<float> &in, std::vector<float> &out, int w, int h) {
  const std::array<std::array<float, 3>, 3> gx{{{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}};
  static constexpr float gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        out[y * w + x] = 0;
        continue;
      }
      float sx = 0, sy = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          sx += gx[dy + 1][dx + 1] * in[(y + dy) * w + x + dx];
          sy += gy[dy + 1][dx + 1] * in[(y + dy) * w + x + dx];
        }
      out[y * w + x] = std::sqrt(sx * sx + sy * sy);
    }
}

constexpr int kCount = 30;
constexpr std::array<int, 3> to = {0, 1, -1};
constexpr std::array<double, 3> part = {0.5, 0.25, 0.25};

// EQUAL
void streamed(const double (&f)[3][kCount], double (&g)[3][kCount], double omega) {
  static constexpr double scale = 1.0 / 16;
  for (int i = 0; i < kCount; ++i) {
    double rho = 0;
    for (int k = 0; k < 3; ++k)
      rho += f[k][(i - to[k] + kCount) % kCount];
    for (int k = 0; k < 3; ++k) {
      const double in = f[k][(i - to[k] + kCount) % kCount];
      g[k][i] = in + omega * scale * (part[k] * rho - in);
    }
  }
}
