/* A lattice whose new level is copied back by a loop over the directions. */
#define NX 24
#define NY 20
#define Q 5
static const int cx[Q] = {0, 1, 0, -1, 0}, cy[Q] = {0, 0, 1, 0, -1};
static const double w[Q] = {1. / 3, 1. / 6, 1. / 6, 1. / 6, 1. / 6};
void lattice_copied(int steps, double omega, double f[NY][NX][Q], double g[NY][NX][Q]) {
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < NY; ++y)
      for (int x = 0; x < NX; ++x) {
        double rho = 0;
        for (int k = 0; k < Q; ++k)
          rho += f[(y - cy[k] + NY) % NY][(x - cx[k] + NX) % NX][k];
        for (int k = 0; k < Q; ++k) {
          const double in = f[(y - cy[k] + NY) % NY][(x - cx[k] + NX) % NX][k];
          g[y][x][k] = in - omega * (in - w[k] * rho);
        }
      }
    for (int y = 0; y < NY; ++y)
      for (int x = 0; x < NX; ++x)
        for (int k = 0; k < Q; ++k)
          f[y][x][k] = g[y][x][k];
  }
}
