// Containers whose memory is handed over to compare: of structs, of enumerators, those of the
// library, those that are global, and one that changes places with an array of the function's own.
#include <array>
#include <utility>
#include <valarray>
#include <vector>
struct State {
  double h, q;
};
class Flow {
  int n, m;
  std::vector<State> u, v;

public:
  Flow(int n, int m) : n(n), m(m), u(n * m), v(n * m) {}
  void of_structs() {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) {
        v[i * m + j].h = u[i * m + j - 1].h + u[(i + 1) * m + j].q;
        v[i * m + j].q = u[i * m + j].q;
      }
    std::swap(u, v);
  }
};
using Pair = std::array<double, 2>;
void of_pairs(std::vector<Pair> &u, std::vector<Pair> &v, int n) {
  for (int i = 1; i < n - 1; i++) {
    const double flux = u[i - 1][0] * u[i - 1][1];
    v[i][0] = u[i][0] - u[i - 1][1];
    v[i][1] = u[i][1] - flux;
  }
}
enum Cell { Empty, Full };
void of_enumerators(std::vector<Cell> &u, std::vector<Cell> &v, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i - 1] == Full ? Empty : u[i];
}
void of_library(std::valarray<double> &u, std::valarray<double> &v, int n, double r) {
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
  u = v;
}
std::vector<double> a(40), b(40);
void of_globals() {
  for (int x = 1; x < 39; ++x)
    b[x] = a[x - 1] + a[x + 1];
  std::swap(a, b);
}
struct Row {
  int n;
  std::vector<float> cells;
  void of_own() {
    std::vector<float> next(n);
    for (int x = 0; x < n; ++x)
      next[x] = x > 0 ? cells[x] - cells[x - 1] : 0;
    cells.swap(next);
  }
};
