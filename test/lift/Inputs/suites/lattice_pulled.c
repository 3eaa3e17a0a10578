#define NX 40
#define NY 30
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                            1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
/* Nine populations stream and collide. */
void step(double f[9][NX][NY], double g[9][NX][NY], double tau, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int x = 0; x < NX; x++)
      for (int y = 0; y < NY; y++) {
        double rho = 0, ux = 0, uy = 0;
        for (int k = 0; k < 9; k++) {
          rho += f[k][x][y];
          ux += cx[k] * f[k][x][y];
          uy += cy[k] * f[k][x][y];
        }
        ux /= rho;
        uy /= rho;
        for (int k = 0; k < 9; k++) {
          double cu = 3 * (cx[k] * ux + cy[k] * uy);
          double feq = w[k] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
          g[k][x][y] = f[k][x][y] - (f[k][x][y] - feq) / tau;
        }
      }
    for (int k = 0; k < 9; k++)
      for (int x = 0; x < NX; x++)
        for (int y = 0; y < NY; y++)
          f[k][x][y] = g[k][(x - cx[k] + NX) % NX][(y - cy[k] + NY) % NY];
  }
}
