// --size z=6,y=7,x=8 --steps=3
#include "../loops/loops.h"
enum { NZ = 6, NY = 7, NX = 8 };
typedef double Grid[NZ][NY][NX];
static Grid u, next, r, v;
#define AT(a, k, j, i) a[WRAP(z + k, NZ)][WRAP(y + j, NY)][WRAP(x + i, NX)]
static double faces(Grid a, int z, int y, int x) {
  return AT(a, 0, 0, -1) + AT(a, 0, 0, 1) + AT(a, 0, -1, 0) + AT(a, 0, 1, 0) + AT(a, -1, 0, 0) +
         AT(a, 1, 0, 0);
}
static double square(Grid a, int z, int y, int x) {
  return AT(a, 0, -1, -1) + AT(a, 0, -1, 1) + AT(a, 0, 1, -1) + AT(a, 0, 1, 1);
}
static double edges(Grid a, int z, int y, int x) {
  return square(a, z, y, x) +
         (AT(a, -1, -1, 0) + AT(a, -1, 1, 0) + AT(a, 1, -1, 0) + AT(a, 1, 1, 0)) +
         (AT(a, -1, 0, -1) + AT(a, 1, 0, -1) + AT(a, -1, 0, 1) + AT(a, 1, 0, 1));
}
int main(void) {
  FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
    u[z][y][x] = sin(x * 0.5) * y;
    v[z][y][x] = cos(z * 0.7 + x);
  }
  FOR(step, 0, 3) {
    FOR(z, 0, NZ)
    FOR(y, 0, NY)
    FOR(x, 0, NX) r[z][y][x] = v[z][y][x] + 8.0 / 3 * u[z][y][x] - 1.0 / 6 * edges(u, z, y, x) -
                               1.0 / 12 * (square(u, z - 1, y, x) + square(u, z + 1, y, x));
    FOR(z, 0, NZ)
    FOR(y, 0, NY)
    FOR(x, 0, NX) next[z][y][x] = u[z][y][x] - 3.0 / 8 * r[z][y][x] + 1.0 / 32 * faces(r, z, y, x) -
                                  1.0 / 64 * edges(r, z, y, x);
    memcpy(u, next, sizeof(u));
  }
  PUT(u);
}
