// The old state is a copy of the container.
#include <vector>
int main() {
  const int nx = 33, ny = 21, nt = 12;
  std::vector<double> u(nx * ny), un(nx * ny);
  for (int n = 0; n < nt; ++n) {
    un = u;
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        u[j * nx + i] = un[j * nx + i + 1] - un[(j - 1) * nx + i];
  }
  return u[40] > 0;
}
