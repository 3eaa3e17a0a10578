#include <vector>
void limited(const std::vector<double> &u, std::vector<double> &v, int n, double limit) {
  for (int i = 1; i < n - 1; i++) {
    if (u[i] > limit) {
      v[i] = limit;
      continue;
    }
    if (u[i] < -limit) {
      v[i] = -limit;
      continue;
    }
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
  }
}
