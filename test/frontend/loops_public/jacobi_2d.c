// --size y=23,x=30 --steps=7
#include "../loops/loops.h"
enum { NY = 23, NX = 30 };
typedef double Grid[NY][NX];
static Grid a, b;
static void sweep(Grid to, Grid u) {
  FOR(i, 1, NY - 1)
  FOR(j, 1, NX - 1)
  to[i][j] = 0.2 * (u[i][j] + u[i][j - 1] + u[i][j + 1] + u[i + 1][j] + u[i - 1][j]);
}
int main(void) {
  FOR(i, 0, NY) FOR(j, 0, NX) a[i][j] = (i * (j + 2) + 2) / 30.0;
  FOR(i, 0, NY) FOR(j, 0, NX) b[i][j] = (i * (j + 3) + 3) / 30.0;
  FOR(step, 0, 7) {
    sweep(b, a);
    sweep(a, b);
  }
  PUT(a);
  PUT(b);
}
