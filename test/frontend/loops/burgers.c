// --size y=18,x=25 --steps=15
#include "loops.h"
enum { NY = 18, NX = 25 };
typedef double Grid[NY][NX];
static Grid u, v, newU, newV;
static double rate(Grid a, int y, int x) {
  const double here = a[y][x], west = a[y][WRAP(x - 1, NX)], east = a[y][WRAP(x + 1, NX)],
               south = a[WRAP(y - 1, NY)][x], north = a[WRAP(y + 1, NY)][x];
  const double dx = u[y][x] > 0 ? here - west : east - here,
               dy = v[y][x] > 0 ? here - south : north - here;
  return 0.05 * (-4 * here + (west + east) + (south + north)) - 0.2 * (u[y][x] * dx + v[y][x] * dy);
}
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) {
    u[y][x] = sin(0.3 * x) + 0.2 * cos(0.5 * y);
    v[y][x] = 0.5 * cos(0.2 * x + 0.4 * y);
  }
  FOR(step, 0, 15) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      newU[y][x] = u[y][x] + rate(u, y, x);
      newV[y][x] = v[y][x] + rate(v, y, x);
    }
    KEEP(u, newU);
    KEEP(v, newV);
  }
  PUT(u);
  PUT(v);
}
