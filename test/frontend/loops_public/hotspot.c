// --size y=19,x=26 --steps=9
#include "../loops/loops.h"
enum { NY = 19, NX = 26 };
static double t[NY][NX], next[NY][NX], power[NY][NX];
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) {
    t[y][x] = 323 + 5 * sin(0.3 * x) * cos(0.2 * y);
    power[y][x] = 0.5 + 0.4 * sin(0.1 * x * y);
  }
  FOR(step, 0, 9) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      const double here = t[y][x], n = t[CLAMP(y + 1, NY)][x], s = t[CLAMP(y - 1, NY)][x],
                   e = t[y][CLAMP(x + 1, NX)], w = t[y][CLAMP(x - 1, NX)];
      const double flow = power[y][x] + (n + s - 2 * here) / 1.25 + (e + w - 2 * here) / 1.5 +
                          (80 - here) / 4;
      next[y][x] = here + 0.02 * flow;
    }
    memcpy(t, next, sizeof(t));
  }
  PUT(t);
}
