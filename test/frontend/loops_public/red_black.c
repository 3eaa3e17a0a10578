// --size y=11,x=14 --steps=5
#include "../loops/loops.h"
enum { NY = 11, NX = 14 };
static double u[NY][NX];
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) u[y][x] = 0.1 * x * y;
  FOR(s, 0, 5)
  FOR(color, 0, 2) FOR(y, 1, NY - 1) FOR(x, 1, NX - 1) if ((x + y) % 2 == color) u[y][x] =
      u[y][x] + 1.5 * 0.25 *
                    (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] - 4 * u[y][x] -
                     (sin(1.0 * x) - 0.2 * y));
  PUT(u);
}
