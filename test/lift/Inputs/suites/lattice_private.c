/* D2Q9 on a torus: what flows into a point is kept in an array of its own. */
#define Q 9
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                            1. / 36, 1. / 36, 1. / 36, 1. / 36};
void lattice_private(int nx, int ny, double omega, double f[nx][ny][Q], double g[nx][ny][Q]) {
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++) {
      double fin[Q], rho = 0, ux = 0, uy = 0;
      for (int k = 0; k < Q; k++) {
        int from_x = (x - cx[k] + nx) % nx, from_y = (y - cy[k] + ny) % ny;
        fin[k] = f[from_x][from_y][k];
        rho += fin[k];
        ux += cx[k] * fin[k];
        uy += cy[k] * fin[k];
      }
      ux /= rho;
      uy /= rho;
      double u2 = ux * ux + uy * uy;
      for (int k = 0; k < Q; k++) {
        double cu = cx[k] * ux + cy[k] * uy;
        double feq = w[k] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * u2);
        g[x][y][k] = fin[k] + omega * (feq - fin[k]);
      }
    }
}
