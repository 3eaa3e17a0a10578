// --size y=17,x=23 --steps=20
#include "loops.h"
enum { NY = 17, NX = 23 };
static double alive[NY][NX], next[NY][NX];
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) alive[y][x] = (x * x + 3 * y + x * y) % 5 < 2;
  FOR(step, 0, 20) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      int around = 0;
      FOR(j, -1, 2) FOR(i, -1, 2) if (i || j) around += alive[WRAP(y + j, NY)][WRAP(x + i, NX)];
      next[y][x] = around == 3 || (around == 2 && alive[y][x] == 1);
    }
    KEEP(alive, next);
  }
  PUT(alive);
}
