// --size y=14,x=19 --steps=12
#include "loops.h"
enum { NY = 14, NX = 19 };
static double h[NY][NX], mx[NY][NX], my[NY][NX], newH[NY][NX], newX[NY][NX], newY[NY][NX];
typedef struct {
  double h, mx, my;
} Water;
static Water at(int y, int x) {
  const int row = y < 0 ? -y - 1 : y >= NY ? 2 * NY - 1 - y : y;
  const int column = x < 0 ? -x - 1 : x >= NX ? 2 * NX - 1 - x : x;
  const Water water = {h[row][column], row == y && column != x ? -mx[row][column] : mx[row][column],
                       row != y ? -my[row][column] : my[row][column]};
  return water;
}
static double pressure(Water a) { return 9.81 / 2 * a.h * a.h; }
int main(void) {
  const double k = 0.1;
  FOR(y, 0, NY)
  FOR(x, 0, NX) h[y][x] = 1 + 0.3 * exp(-0.05 * ((x - 9) * (x - 9) + (y - 7) * (y - 7)));
  FOR(step, 0, 12) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      const Water w = at(y, x - 1), e = at(y, x + 1), s = at(y - 1, x), n = at(y + 1, x);
      newH[y][x] = 0.25 * (w.h + e.h + s.h + n.h) - k / 2 * (e.mx - w.mx) - k / 2 * (n.my - s.my);
      newX[y][x] = 0.25 * (w.mx + e.mx + s.mx + n.mx) -
                   k / 2 * (e.mx * e.mx / e.h + pressure(e) - (w.mx * w.mx / w.h + pressure(w))) -
                   k / 2 * (n.mx * n.my / n.h - s.mx * s.my / s.h);
      newY[y][x] = 0.25 * (w.my + e.my + s.my + n.my) -
                   k / 2 * (e.mx * e.my / e.h - w.mx * w.my / w.h) -
                   k / 2 * (n.my * n.my / n.h + pressure(n) - (s.my * s.my / s.h + pressure(s)));
    }
    KEEP(h, newH);
    KEEP(mx, newX);
    KEEP(my, newY);
  }
  PUT(h);
  PUT(mx);
  PUT(my);
}
