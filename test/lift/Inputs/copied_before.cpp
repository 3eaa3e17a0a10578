// The new level starts as a copy of the old one.
#include <utility>
#include <vector>
using Grid = std::vector<std::vector<double>>;
void copied_before(Grid &u, int n, int m, double a, int steps) {
  Grid next = u;
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j)
        next[i][j] = u[i][j] + a * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1]);
    std::swap(u, next);
  }
}
void copied_flat(std::vector<double> &u, int n, double a, int steps) {
  auto next = u;
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = u[i] + a * (u[i + 1] + u[i - 1]);
    u.swap(next);
  }
}
