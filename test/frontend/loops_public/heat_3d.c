// --size z=10,y=11,x=12 --steps=6
#include "../loops/loops.h"
enum { NZ = 10, NY = 11, NX = 12 };
typedef double Grid[NZ][NY][NX];
static Grid a, b;
static void sweep(Grid to, Grid u) {
  FOR(i, 1, NZ - 1)
  FOR(j, 1, NY - 1)
  FOR(k, 1, NX - 1)
  to[i][j][k] = 0.125 * (u[i + 1][j][k] - 2.0 * u[i][j][k] + u[i - 1][j][k]) +
                0.125 * (u[i][j + 1][k] - 2.0 * u[i][j][k] + u[i][j - 1][k]) +
                0.125 * (u[i][j][k + 1] - 2.0 * u[i][j][k] + u[i][j][k - 1]) + u[i][j][k];
}
int main(void) {
  FOR(i, 0, NZ)
  FOR(j, 0, NY)
  FOR(k, 0, NX) a[i][j][k] = b[i][j][k] = (double)(i + j + (12 - k)) * 10 / 12;
  FOR(step, 0, 6) {
    sweep(b, a);
    sweep(a, b);
  }
  PUT(a);
  PUT(b);
}
