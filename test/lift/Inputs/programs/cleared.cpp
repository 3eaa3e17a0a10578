// Arrays that are cleared before the steps: their edges stay zero.
#include <array>
#include <utility>
constexpr int N = 16;
// EQUAL
void by_list(double *u, int steps) {
  double w[16] = {0};
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < 15; ++i)
      w[i] = u[i - 1] + u[i + 1];
    for (int i = 0; i < 16; ++i)
      u[i] = w[i];
  }
}
// EQUAL
void by_braces(std::array<double, N> &u, int steps) {
  std::array<double, N> w{};
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < N - 1; ++i)
      w[i] = u[i - 1] + u[i + 1];
    u = w;
  }
}
