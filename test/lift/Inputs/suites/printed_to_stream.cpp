#include <iomanip>
#include <iostream>
#include <utility>
#include <vector>

void printed(std::vector<double> &u, std::vector<double> &v, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    std::swap(u, v);
    if (s % 100 == 0)
      std::cerr << "step " << s << ' ' << std::setprecision(3) << u[n / 2] << std::endl;
  }
}
