#include <memory>
#include <utility>
void owners(std::unique_ptr<double[]> &a, std::unique_ptr<double[]> &b, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    std::swap(a, b);
  }
}
