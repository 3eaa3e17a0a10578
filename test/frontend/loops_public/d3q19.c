// --size z=5,y=6,x=7 --steps=4
#include "../loops/loops.h"
#include <stdlib.h>
enum { NZ = 5, NY = 6, NX = 7, Q = 19 };
static double f[Q][NZ][NY][NX], n[Q][NZ][NY][NX];
static const int c[Q][3] = {{0, 0, 0},  {-1, -1, 0}, {-1, 0, -1}, {-1, 0, 0}, {-1, 0, 1},
                            {-1, 1, 0}, {0, -1, -1}, {0, -1, 0},  {0, -1, 1}, {0, 0, -1},
                            {0, 0, 1},  {0, 1, -1},  {0, 1, 0},   {0, 1, 1},  {1, -1, 0},
                            {1, 0, -1}, {1, 0, 0},   {1, 0, 1},   {1, 1, 0}};
int main(void) {
  FOR(q, 0, Q) FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
    int l = abs(c[q][0]) + abs(c[q][1]) + abs(c[q][2]);
    double w = l == 0 ? 1.0 / 3 : l == 1 ? 1.0 / 18 : 1.0 / 36;
    f[q][z][y][x] = w * (1 + 0.01 * sin(0.5 * x + q * y - z));
  }
  FOR(s, 0, 4) {
    FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
      double g[Q], rho = 0, u[3];
      FOR(q, 0, Q) {
        g[q] = f[q][CLAMP(z - c[q][0], NZ)][WRAP(y - c[q][1], NY)][WRAP(x - c[q][2], NX)];
        rho = q ? rho + g[q] : g[q];
      }
      FOR(k, 0, 3) {
        double plus = 0, minus = 0;
        FOR(q, 0, Q) {
          if (c[q][k] > 0)
            plus += g[q];
          if (c[q][k] < 0)
            minus += g[q];
        }
        u[k] = (plus - minus) / rho;
      }
      double usq = 1.5 * (u[2] * u[2] + u[1] * u[1] + u[0] * u[0]);
      FOR(q, 0, Q) {
        int l = abs(c[q][0]) + abs(c[q][1]) + abs(c[q][2]);
        double w = l == 0 ? 1.0 / 3 : l == 1 ? 1.0 / 18 : 1.0 / 36, cu = 0;
        FOR(k, 0, 3) if (c[q][k]) cu = cu + c[q][k] * u[k];
        n[q][z][y][x] = g[q] - 1.2 * (g[q] - w * rho * (1 + 3 * cu + 4.5 * cu * cu - usq));
      }
    }
    memcpy(f, n, sizeof f);
  }
  PUT(f);
}
