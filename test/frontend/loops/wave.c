// --size z=14,y=17,x=19 --steps=9
#include "loops.h"
enum { NZ = 14, NY = 17, NX = 19 };
static double p[NZ][NY][NX], prev[NZ][NY][NX], next[NZ][NY][NX];
static double at(int z, int y, int x) { return z < 0 ? 0 : p[z][y][x]; }
int main(void) {
  const double w[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}, dt = 0.001, h = 8;
  const double k = dt / h * (dt / h);
  FOR(t, 0, 9) {
    const double wavelet = (1 - 0.1 * (t - 8) * (t - 8)) * exp(-0.05 * (t - 8) * (t - 8));
    KEEP(next, p);
    FOR(z, 0, NZ - 4) FOR(y, 4, NY - 4) FOR(x, 4, NX - 4) {
      const double c = 1500 + 20 * z, damp = 1 - 0.02 * exp(-0.3 * y), u = p[z][y][x];
      double sum = -205.0 / 24 * u;
      FOR(d, 1, 5) sum += w[d] * (at(z, y, x - d) + at(z, y, x + d));
      FOR(d, 1, 5) sum += w[d] * (at(z, y - d, x) + at(z, y + d, x));
      FOR(d, 1, 5) sum += w[d] * (at(z - d, y, x) + at(z + d, y, x));
      const double source = z == 6 && y == 7 && x == 8 ? wavelet : 0;
      next[z][y][x] = damp * (2 * u - damp * prev[z][y][x] + k * c * c * sum) + source;
    }
    KEEP(prev, p);
    KEEP(p, next);
  }
  PUT(p);
}
