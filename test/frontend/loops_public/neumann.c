// --size y=7,x=9 --steps=6
#include "../loops/loops.h"
enum { NY = 7, NX = 9 };
static double u[NY][NX], next[NY][NX];
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) u[y][x] = sin(x + 0.3 * y);
  FOR(s, 0, 6) {
    FOR(y, 1, NY - 1)
    FOR(x, 1, NX - 1)
    next[y][x] = u[y][x] + 0.2 * (-4 * u[y][x] + 1 * (u[y][x - 1] + u[y][x + 1]) +
                                  1 * (u[y - 1][x] + u[y + 1][x]));
    FOR(y, 1, NY - 1) {
      next[y][0] = next[y][1];
      next[y][NX - 1] = next[y][NX - 2];
    }
    FOR(x, 0, NX) {
      next[0][x] = next[1][x];
      next[NY - 1][x] = next[NY - 2][x];
    }
    memcpy(u, next, sizeof(u));
  }
  PUT(u);
}
