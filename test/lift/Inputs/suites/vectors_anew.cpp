// Containers that each step makes anew hold zeros, or a number, where the step sets nothing.
#include <cmath>
#include <utility>
#include <vector>

// EQUAL
void differences(std::vector<double> &u, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    std::vector<double> flux(n + 1);
    for (int i = 1; i < n; i++)
      flux[i] = u[i] - u[i - 1];
    for (int i = 0; i < n; i++)
      u[i] += 0.1 * (flux[i + 1] - flux[i]);
  }
}

// EQUAL
void moved(std::vector<double> &u, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    std::vector<double> next(n, 1.5);
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.5 * (u[i - 1] + u[i + 1]);
    u = std::move(next);
  }
}

// EQUAL: all that is read is set, too
void set_in_full(std::vector<double> &u, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    std::vector<double> old(n);
    for (int i = 0; i < n; i++)
      old[i] = u[i];
    for (int i = 1; i < n - 1; i++) {
      double sum{}, half{0.5};
      sum += old[i - 1] + std::pow(old[i + 1], 2);
      u[i] = half * sum;
    }
  }
}
