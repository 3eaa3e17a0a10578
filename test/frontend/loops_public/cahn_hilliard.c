// --size y=10,x=13 --steps=6
#include "../loops/loops.h"
enum { NY = 10, NX = 13 };
static double c[NY][NX], mu[NY][NX];
#define LAP(a)                                                                                     \
  (-4 * a[y][x] + (a[y][WRAP(x - 1, NX)] + a[y][WRAP(x + 1, NX)]) +                                \
   (a[WRAP(y - 1, NY)][x] + a[WRAP(y + 1, NY)][x]))
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) c[y][x] = 0.1 * sin(0.7 * x) * cos(0.4 * y);
  FOR(s, 0, 6) {
    FOR(y, 0, NY)
    FOR(x, 0, NX) mu[y][x] = c[y][x] * c[y][x] * c[y][x] - c[y][x] - 0.5 * LAP(c) / (1.0 * 1.0);
    FOR(y, 0, NY) FOR(x, 0, NX) c[y][x] = c[y][x] + 0.01 * 1.0 * LAP(mu) / (1.0 * 1.0);
  }
  PUT(c);
}
