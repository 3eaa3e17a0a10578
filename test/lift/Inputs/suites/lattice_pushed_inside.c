#define NX 20
#define NY 22
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                            1. / 36, 1. / 36, 1. / 36, 1. / 36};
void collide_stream(double f[9][NX][NY], double g[9][NX][NY], double tau) {
  for (int x = 1; x < NX - 1; x++)
    for (int y = 1; y < NY - 1; y++) {
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
        g[k][x + cx[k]][y + cy[k]] = f[k][x][y] - (f[k][x][y] - feq) / tau;
      }
    }
}
