#include <vector>
typedef std::vector<std::vector<float>> Field;
void advect(const Field &c, Field &cn, const Field &vx, int nx, int ny, float dt, float dx) {
  for (int i = 1; i < nx - 1; i++)
    for (int j = 1; j < ny - 1; j++)
      cn[i][j] = c[i][j] - vx[i][j] * dt / dx * (c[i][j] - c[i - 1][j]);
}
