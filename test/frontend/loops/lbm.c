// --size y=12,x=18 --steps=10
#include "loops.h"
enum { NY = 12, NX = 18 };
static double f[9][NY][NX], next[9][NY][NX];
/* at rest, east, north, west, south, and the diagonals from north-east on against the clock */
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
int main(void) {
  const double w0 = 4.0 / 9, w1 = 1.0 / 9, w2 = 1.0 / 36, omega = 1.2;
  FOR(i, 0, 9) FOR(y, 0, NY) FOR(x, 0, NX) f[i][y][x] = i == 0 ? w0 : i < 5 ? w1 : w2;
  FOR(y, 0, NY) FOR(x, 0, NX) {
    f[0][y][x] = w0 * (1 + 0.02 * sin(0.3 * x));
    f[1][y][x] = w1 * (1 + 0.05 * cos(0.2 * y));
  }
  FOR(step, 0, 10) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double g[9], rho = 0;
      FOR(i, 0, 9) {
        g[i] = f[i][WRAP(y - cy[i], NY)][WRAP(x - cx[i], NX)];
        rho = i == 0 ? g[0] : rho + g[i];
      }
      const double ux = (g[1] + g[5] + g[8] - g[3] - g[6] - g[7]) / rho,
                   uy = (g[2] + g[5] + g[6] - g[4] - g[7] - g[8]) / rho,
                   square = 1.5 * (ux * ux + uy * uy);
      const double c[9] = {0, ux, uy, -ux, -uy, ux + uy, uy - ux, -ux - uy, ux - uy};
      FOR(i, 0, 9) {
        const double weight = i == 0 ? w0 : i < 5 ? w1 : w2;
        next[i][y][x] =
            g[i] + omega * (weight * rho * (1 + 3 * c[i] + 4.5 * c[i] * c[i] - square) - g[i]);
      }
    }
    KEEP(f, next);
  }
  FOR(i, 0, 9) PUT(f[i]);
}
