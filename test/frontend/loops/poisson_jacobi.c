// --size y=15,x=22 --steps=40
#include "loops.h"
enum { NY = 15, NX = 22 };
static double u[NY][NX], next[NY][NX];
int main(void) {
  FOR(step, 0, 40) {
    FOR(y, 1, NY - 1)
    FOR(x, 1, NX - 1) next[y][x] = 0.25 * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] -
                                           sin(0.2 * x) * sin(0.3 * y));
    KEEP(u, next);
  }
  PUT(u);
}
