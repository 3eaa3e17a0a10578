#define NX 20
#define NY 22
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[9] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                            1. / 36, 1. / 36, 1. / 36, 1. / 36};
void collide_stream(double f[9][NX][NY], double g[9][NX][NY], double tau) {
  for (int x = 0; x < NX; x++)
    for (int y = 0; y < NY; y++) {
      double rho = 0;
      for (int k = 0; k < 9; k++)
        rho += f[k][x][y];
      for (int k = 0; k < 9; k++) {
        int xn = (x + cx[k] + NX) % NX, yn = (y + cy[k] + NY) % NY;
        g[k][xn][yn] = f[k][x][y] - (f[k][x][y] - w[k] * rho) / tau;
      }
    }
}
