// --size y=13,x=14 --steps=3
#include "../loops/loops.h"
enum { NY = 13, NX = 14 };
typedef double Grid[NY][NX];
static Grid phi, first, second, next, u, v;
static double square(double s) { return s * s; }
static double weight(double g, double s) { return g / ((1e-6 + s) * (1e-6 + s)); }
static double weno(double v1, double v2, double v3, double v4, double v5) {
  const double w1 = weight(0.1, 13.0 / 12 * square(v1 - 2 * v2 + v3) +
                                    0.25 * square(v1 - 4 * v2 + 3 * v3)),
               w2 = weight(0.6, 13.0 / 12 * square(v2 - 2 * v3 + v4) + 0.25 * square(v2 - v4)),
               w3 = weight(0.3, 13.0 / 12 * square(v3 - 2 * v4 + v5) +
                                    0.25 * square(3 * v3 - 4 * v4 + v5));
  return (w1 * (v1 / 3 - 7.0 / 6 * v2 + 11.0 / 6 * v3) +
          w2 * (-1.0 / 6 * v2 + 5.0 / 6 * v3 + v4 / 3) +
          w3 * (v3 / 3 + 5.0 / 6 * v4 - 1.0 / 6 * v5)) /
         (w1 + w2 + w3);
}
#define DX(i) (q[y][WRAP(x + (i), NX)] - q[y][WRAP(x + (i) - 1, NX)])
#define DY(i) (q[WRAP(y + (i), NY)][x] - q[WRAP(y + (i) - 1, NY)][x])
static double rate(Grid q, int y, int x) {
  const double along = u[y][x] > 0 ? weno(DX(-2), DX(-1), DX(0), DX(1), DX(2))
                                   : weno(DX(3), DX(2), DX(1), DX(0), DX(-1));
  const double across = v[y][x] > 0 ? weno(DY(-2), DY(-1), DY(0), DY(1), DY(2))
                                    : weno(DY(3), DY(2), DY(1), DY(0), DY(-1));
  return -(u[y][x] * along + v[y][x] * across);
}
#define POINTS FOR(y, 0, NY) FOR(x, 0, NX)
int main(void) {
  const double k = 0.2;
  POINTS {
    phi[y][x] = sqrt((x - 8) * (x - 8) + (y - 7) * (y - 7)) - 4;
    u[y][x] = 0.7 * sin(0.3 * y);
    v[y][x] = -0.4;
  }
  FOR(step, 0, 3) {
    POINTS first[y][x] = phi[y][x] + k * rate(phi, y, x);
    POINTS second[y][x] = 3.0 / 4 * phi[y][x] + 1.0 / 4 * (first[y][x] + k * rate(first, y, x));
    POINTS next[y][x] = 1.0 / 3 * phi[y][x] + 2.0 / 3 * (second[y][x] + k * rate(second, y, x));
    memcpy(phi, next, sizeof(phi));
  }
  PUT(phi);
}
