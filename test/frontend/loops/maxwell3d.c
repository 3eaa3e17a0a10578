// --size z=9,y=10,x=13 --steps=7
#include "loops.h"
enum { NZ = 9, NY = 10, NX = 13 };
static double ex[NZ][NY][NX], ey[NZ][NY][NX], ez[NZ][NY][NX];
static double hx[NZ][NY][NX], hy[NZ][NY][NX], hz[NZ][NY][NX];
int main(void) {
  const double ce = 0.4, ch = 0.4;
  FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
    ez[z][y][x] = sin(0.4 * x) * sin(0.5 * y);
    hz[z][y][x] = cos(0.3 * x + 0.2 * z);
  }
  FOR(step, 0, 7) {
    FOR(z, 1, NZ)
    FOR(y, 1, NY) FOR(x, 0, NX) ex[z][y][x] +=
        ce * (hz[z][y][x] - hz[z][y - 1][x] - (hy[z][y][x] - hy[z - 1][y][x]));
    FOR(z, 1, NZ)
    FOR(y, 0, NY) FOR(x, 1, NX) ey[z][y][x] +=
        ce * (hx[z][y][x] - hx[z - 1][y][x] - (hz[z][y][x] - hz[z][y][x - 1]));
    FOR(z, 0, NZ)
    FOR(y, 1, NY) FOR(x, 1, NX) ez[z][y][x] +=
        ce * (hy[z][y][x] - hy[z][y][x - 1] - (hx[z][y][x] - hx[z][y - 1][x]));
    FOR(z, 0, NZ - 1)
    FOR(y, 0, NY - 1) FOR(x, 0, NX) hx[z][y][x] -=
        ch * (ez[z][y + 1][x] - ez[z][y][x] - (ey[z + 1][y][x] - ey[z][y][x]));
    FOR(z, 0, NZ - 1)
    FOR(y, 0, NY) FOR(x, 0, NX - 1) hy[z][y][x] -=
        ch * (ex[z + 1][y][x] - ex[z][y][x] - (ez[z][y][x + 1] - ez[z][y][x]));
    FOR(z, 0, NZ)
    FOR(y, 0, NY - 1) FOR(x, 0, NX - 1) hz[z][y][x] -=
        ch * (ey[z][y][x + 1] - ey[z][y][x] - (ex[z][y + 1][x] - ex[z][y][x]));
  }
  PUT(ex);
  PUT(ey);
  PUT(ez);
  PUT(hx);
  PUT(hy);
  PUT(hz);
}
