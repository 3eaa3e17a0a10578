// --size y=12,x=14 --steps=9
#include "../loops/loops.h"
enum { NY = 12, NX = 14 };
static double ez[NY][NX], hx[NY][NX], hy[NY][NX], pex[NY][NX], pey[NY][NX], phx[NY][NX],
    phy[NY][NX];
int main(void) {
  double bx[NX], ax[NX], by[NY], ay[NY];
  FOR(x, 0, NX) bx[x] = x < 3 || x > 10 ? 0.8 : 0, ax[x] = x < 3 || x > 10 ? -0.1 : 0;
  FOR(y, 0, NY) by[y] = y < 3 || y > 8 ? 0.7 : 0, ay[y] = y < 3 || y > 8 ? -0.2 : 0;
  FOR(s, 0, 9) {
    FOR(y, 0, NY - 1) FOR(x, 0, NX) {
      phx[y][x] = by[y] * phx[y][x] + ay[y] * (ez[y + 1][x] - ez[y][x]);
      hx[y][x] = hx[y][x] - 0.5 * (ez[y + 1][x] - ez[y][x] + phx[y][x]);
    }
    FOR(y, 0, NY) FOR(x, 0, NX - 1) {
      phy[y][x] = bx[x] * phy[y][x] + ax[x] * (ez[y][x + 1] - ez[y][x]);
      hy[y][x] = hy[y][x] + 0.5 * (ez[y][x + 1] - ez[y][x] + phy[y][x]);
    }
    FOR(y, 0, NY) FOR(x, 1, NX) pex[y][x] = bx[x] * pex[y][x] + ax[x] * (hy[y][x] - hy[y][x - 1]);
    FOR(y, 1, NY) FOR(x, 0, NX) pey[y][x] = by[y] * pey[y][x] + ay[y] * (hx[y][x] - hx[y - 1][x]);
    FOR(y, 1, NY)
    FOR(x, 1, NX) ez[y][x] =
        ez[y][x] +
        0.5 * ((hy[y][x] - hy[y][x - 1]) - (hx[y][x] - hx[y - 1][x]) + pex[y][x] - pey[y][x]) +
        (x == 6 && y == 5 ? sin(0.3 * s) : 0);
  }
  PUT(ez);
  PUT(hx);
  PUT(hy);
  PUT(pex);
  PUT(pey);
  PUT(phx);
  PUT(phy);
}
