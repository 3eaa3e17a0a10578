// --size y=11,x=14 --steps=2
#include "../loops/loops.h"
enum { NY = 11, NX = 14 };
static double m[NY][NX], r[NY][NX], bl[NY][NX], xx[NY][NX], xy[NY][NX], yy[NY][NX];
#define A(a, j, i) a[CLAMP(j, NY)][CLAMP(i, NX)]
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) m[y][x] = (x > 4 && y > 3 && x < 10 ? 200 : 50) + sin(3.1 * x * y);
  FOR(s, 0, 2) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double t = 0;
      FOR(j, -2, 3) FOR(i, -2, 3) t += A(m, y + j, x + i);
      bl[y][x] = t / 25;
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double gx = (A(bl, y - 1, x + 1) + 2 * A(bl, y, x + 1) + A(bl, y + 1, x + 1) -
                   A(bl, y - 1, x - 1) - 2 * A(bl, y, x - 1) - A(bl, y + 1, x - 1)) /
                  8;
      double gy = (A(bl, y + 1, x - 1) + 2 * A(bl, y + 1, x) + A(bl, y + 1, x + 1) -
                   A(bl, y - 1, x - 1) - 2 * A(bl, y - 1, x) - A(bl, y - 1, x + 1)) /
                  8;
      xx[y][x] = gx * gx;
      xy[y][x] = gx * gy;
      yy[y][x] = gy * gy;
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double a = 0, b = 0, c = 0;
      FOR(j, -1, 2)
      FOR(i, -1, 2) a += A(xx, y + j, x + i),
          b += A(xy, y + j, x + i), c += A(yy, y + j, x + i);
      r[y][x] = a * c - b * b - 0.04 * (a + c) * (a + c);
      m[y][x] = m[y][x] + 0.001 * b;
    }
  }
  PUT(m);
  PUT(r);
}
