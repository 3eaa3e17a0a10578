#include <cstddef>
#include <utility>
#include <vector>
void heat(std::vector<double> &u, std::vector<double> &v, std::size_t nx, std::size_t ny, double k,
          int steps) {
  auto idx = [nx](std::size_t i, std::size_t j) { return i * nx + j; };
  for (int t = 0; t < steps; ++t) {
    for (std::size_t i = 1; i + 1 < ny; ++i)
      for (std::size_t j = 1; j + 1 < nx; ++j)
        v[idx(i, j)] = u[idx(i, j)] + k * (u[idx(i - 1, j)] + u[idx(i + 1, j)] + u[idx(i, j - 1)] +
                                           u[idx(i, j + 1)] - 4.0 * u[idx(i, j)]);
    std::swap(u, v);
  }
}
