// --size y=11,x=14 --steps=7
#include "../loops/loops.h"
enum { NY = 11, NX = 14 };
static double u[NY][NX], v[NY][NX], n[NY][NX];
#define U(j, i) u[CLAMP(j, NY)][CLAMP(i, NX)]
int main(void) {
  FOR(y, 0, NY) FOR(x, 0, NX) u[y][x] = x < 4 ? 1 : -1.2, v[y][x] = y < 5 ? -0.6 : 0.1;
  FOR(s, 0, 7) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      n[y][x] =
          u[y][x] +
          0.05 * (u[y][x] - u[y][x] * u[y][x] * u[y][x] / 3 - v[y][x] +
                  0.2 * (U(y, x - 1) + U(y, x + 1) + U(y - 1, x) + U(y + 1, x) - 4 * u[y][x]));
      v[y][x] = v[y][x] + 0.05 * 0.08 * (n[y][x] + 0.7 - 0.8 * v[y][x]);
    }
    memcpy(u, n, sizeof u);
  }
  PUT(u);
  PUT(v);
}
