// --size z=8,y=9,x=12 --steps=10
#include "loops.h"
enum { NZ = 8, NY = 9, NX = 12 };
static double p[NZ][NY][NX], next[NZ][NY][NX];
int main(void) {
  FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) p[z][y][x] = next[z][y][x] = z * z;
  FOR(step, 0, 10) {
    FOR(z, 1, NZ - 1) FOR(y, 1, NY - 1) FOR(x, 1, NX - 1) {
#define P(dz, dy, dx) p[z + dz][y + dy][x + dx]
      const double s0 = P(1, 0, 0) + P(0, 1, 0) + P(0, 0, 1) +
                        0.1 * (P(1, 1, 0) - P(1, -1, 0) - P(-1, 1, 0) + P(-1, -1, 0)) +
                        0.05 * (P(0, 1, 1) - P(0, 1, -1) - (P(0, -1, 1) - P(0, -1, -1))) +
                        0.02 * (P(1, 0, 1) - P(1, 0, -1) - (P(-1, 0, 1) - P(-1, 0, -1))) +
                        P(-1, 0, 0) + P(0, -1, 0) + P(0, 0, -1) + 0.01 * x;
      const double ss = (s0 * (1.0 / 6) - P(0, 0, 0)) * (x > 2);
      next[z][y][x] = P(0, 0, 0) + 0.8 * ss;
    }
    KEEP(p, next);
  }
  PUT(p);
}
