// --size z=3,y=13,x=17 --steps=1
#include "loops.h"
enum { NZ = 3, NY = 13, NX = 17, H = 2 };
static double u[NY + 2 * H][NX + 2 * H], next[NZ][NY][NX];
static double lap(int y, int x) {
  return 4 * u[y][x] - (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x]);
}
static double flux(int y, int x, int dy, int dx) {
  const double flux = lap(y + dy, x + dx) - lap(y, x);
  return flux * (u[y + dy][x + dx] - u[y][x]) > 0 ? 0 : flux;
}
int main(void) {
  FOR(z, 0, NZ) {
    FOR(y, 0, NY + 2 * H) FOR(x, 0, NX + 2 * H) {
      const double row = y - H, column = x - H;
      u[y][x] = sin(0.3 * column + 0.5 * row) + 0.1 * cos(1.1 * column * row + 0.2 * z);
    }
    FOR(y, H, NY + H) FOR(x, H, NX + H) {
      const double coeff = 0.02 + 0.005 * sin(0.1 * (x - H) + 0.3 * z);
      next[z][y - H][x - H] = u[y][x] - coeff * (flux(y, x, 0, 1) - flux(y, x - 1, 0, 1) +
                                                 flux(y, x, 1, 0) - flux(y - 1, x, 1, 0));
    }
  }
  PUT(next);
}
