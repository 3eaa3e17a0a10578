/* A lattice in flat memory, cell by cell, whose two levels change places. */
#define Q 5
static const int cx[Q] = {0, 1, 0, -1, 0}, cy[Q] = {0, 0, 1, 0, -1};
static const double w[Q] = {1. / 3, 1. / 6, 1. / 6, 1. / 6, 1. / 6};
void lattice_swapped(int ny, int nx, int steps, double omega, double *f, double *g) {
  for (int s = 0; s < steps; ++s) {
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double in[Q], rho = 0;
        for (int k = 0; k < Q; ++k) {
          in[k] = f[((y - cy[k] + ny) % ny * nx + (x - cx[k] + nx) % nx) * Q + k];
          rho += in[k];
        }
        for (int k = 0; k < Q; ++k)
          g[(y * nx + x) * Q + k] = in[k] - omega * (in[k] - w[k] * rho);
      }
    double *last = f;
    f = g;
    g = last;
  }
}
