// Containers of a program that change places.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
int main() {
  const int nx = 33, ny = 21;
  int nt = 12;
  std::vector<double> u(nx * ny, 0.0), un(nx * ny);
  double nu = 0.05, dx = 2.0 / (nx - 1), dt = .25 * dx * dx / nu;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      u[j * nx + i] = std::sin(0.1 * i * j);
  for (int n = 0; n < nt; ++n) {
    std::swap(u, un);
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        u[j * nx + i] = un[j * nx + i] + nu * dt / (dx * dx) *
                                             (un[j * nx + i + 1] - 2 * un[j * nx + i] +
                                              un[j * nx + i - 1] + un[(j + 1) * nx + i]);
  }
  std::printf("%f\n", u[5]);
}
