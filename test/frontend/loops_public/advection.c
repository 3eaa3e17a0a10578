// --size y=18,x=29 --steps=8
#include "../loops/loops.h"
enum { NY = 18, NX = 29 };
static double d[NY][NX], next[NY][NX], flux[NY][NX], across[NY][NX], mass[NX];
static double before(int y, int x) {
  return 1 + (flux[y][x + 1] - flux[y][x] + across[y + 1][x] - across[y][x]);
}
static double from(double behind, double here, double ahead, double s) {
  const double low = here - behind, high = ahead - here;
  if (!(low * high > 0))
    return here + 0;
  const double a = fabs(low), b = fabs(high);
  const double least = fmin(fmin(a, b), 1.0 / 6 * ((1 + s) * a + (2 - s) * b));
  return here + (1 - s) * (high > 0 ? 1.0 : -1.0) * least;
}
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) {
    d[y][x] = 1 + 0.5 * sin(0.4 * x) * cos(0.3 * y);
    flux[y][x] = 0.1 * sin(0.2 * x + 0.1 * y);
    across[y][x] = 0.05 * cos(0.2 * y - 0.3 * x);
  }
  FOR(step, 0, 8) {
    memcpy(next, d, sizeof(d));
    FOR(y, 0, NY - 1) {
      FOR(x, 2, NX - 1) {
        const double f = flux[y][x];
        mass[x] = f * (f > 0 ? from(d[y][x - 2], d[y][x - 1], d[y][x], fabs(f) / before(y, x - 1))
                             : from(d[y][x + 1], d[y][x], d[y][x - 1], fabs(f) / before(y, x)));
      }
      FOR(x, 2, NX - 2) {
        const double b = before(y, x), after = b - (flux[y][x + 1] - flux[y][x]);
        next[y][x] = (d[y][x] * b + (mass[x] - mass[x + 1])) / after;
      }
    }
    memcpy(d, next, sizeof(d));
  }
  PUT(d);
}
