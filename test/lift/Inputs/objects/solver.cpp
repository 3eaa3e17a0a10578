#include <array>
struct Solver {
  static constexpr int N = 40;
  std::array<double, N * N> p, pn;
  double h2;
  double rhs[N][N];
  void jacobi() {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        pn[i * N + j] = 0.25 * (p[(i - 1) * N + j] + p[(i + 1) * N + j] + p[i * N + j - 1] +
                                p[i * N + j + 1] - h2 * rhs[i][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        p[i * N + j] = pn[i * N + j];
  }
};
void go(Solver &s) { s.jacobi(); }
