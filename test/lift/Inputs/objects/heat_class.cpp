#include <utility>
#include <vector>
class Heat {
  int nx, ny;
  double k;
  std::vector<double> u, v;
  double &at(std::vector<double> &a, int i, int j) { return a[i * nx + j]; }

public:
  Heat(int nx, int ny, double k) : nx(nx), ny(ny), k(k), u(nx * ny), v(nx * ny) {}
  void step();
  void run(int steps) {
    for (int s = 0; s < steps; s++)
      step();
  }
};
void Heat::step() {
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      at(v, i, j) = at(u, i, j) + k * (at(u, i - 1, j) + at(u, i + 1, j) + at(u, i, j - 1) +
                                       at(u, i, j + 1) - 4 * at(u, i, j));
  std::swap(u, v);
}
