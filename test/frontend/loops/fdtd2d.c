// --size y=20,x=33 --steps=12
#include "loops.h"
enum { NY = 20, NX = 33 };
static double ex[NY][NX], ey[NY][NX], hz[NY][NX];
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) hz[y][x] = exp(-0.02 * ((x - 20) * (x - 20) + (y - 16) * (y - 16)));
  FOR(step, 0, 12) {
    FOR(y, 1, NY) FOR(x, 0, NX) ex[y][x] = ex[y][x] + 0.5 * (hz[y][x] - hz[y - 1][x]);
    FOR(y, 0, NY) FOR(x, 1, NX) ey[y][x] = ey[y][x] - 0.5 * (hz[y][x] - hz[y][x - 1]);
    FOR(y, 0, NY - 1)
    FOR(x, 0, NX - 1)
    hz[y][x] = hz[y][x] + 0.7 * (ex[y + 1][x] - ex[y][x] - ey[y][x + 1] + ey[y][x]);
  }
  PUT(ex);
  PUT(ey);
  PUT(hz);
}
