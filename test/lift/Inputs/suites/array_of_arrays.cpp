#include <array>
constexpr int NX = 64, NY = 48;
using Field = std::array<std::array<double, NX>, NY>;
void step(const Field &u, Field &v, double nu) {
  for (int j = 1; j < NY - 1; ++j)
    for (int i = 1; i < NX - 1; ++i)
      v[j][i] =
          u[j][i] + nu * (u[j][i - 1] + u[j][i + 1] + u[j - 1][i] + u[j + 1][i] - 4 * u[j][i]);
}
