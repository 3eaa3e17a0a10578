// rows of containers, copied whole in each step, of which edges are named by numbers
#include <vector>
using Grid = std::vector<std::vector<double>>;
void cavity(Grid &u, Grid &v, int nx, int ny, int steps, double r) {
  for (int t = 0; t < steps; t++) {
    Grid u_old = u, v_old = v;
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++) {
        u[j][i] = u_old[j][i] - r * u_old[j][i] * (u_old[j][i] - u_old[j][i - 1]) -
                  r * v_old[j][i] * (u_old[j][i] - u_old[j - 1][i]);
        v[j][i] = v_old[j][i] + r * (v_old[j + 1][i] + v_old[j - 1][i] - 2 * v_old[j][i]);
      }
    for (int j = 0; j < ny; j++)
      u[j][0] = u[j][nx - 1] = v[j][0] = 0;
    for (int i = 0; i < nx; i++) {
      u[0][i] = v[0][i] = 0;
      u[ny - 1][i] = 1;
    }
  }
}
