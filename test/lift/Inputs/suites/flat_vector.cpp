#include <cstddef>
#include <vector>

void wrap(const std::vector<double> &u, std::vector<double> &v, int width, int height) {
  const std::size_t total = static_cast<std::size_t>(width) * height;
  for (std::size_t p = 0; p < total; ++p) {
    const int x = p % width;
    const int y = p / width;
    const int left = (x - 1 + width) % width, right = (x + 1) % width;
    const int up = (y - 1 + height) % height, down = (y + 1) % height;
    v[p] = 0.25 *
           (u[y * width + left] + u[y * width + right] + u[up * width + x] + u[down * width + x]);
  }
}
