// --size y=20,x=27 --steps=8
#include "../loops/loops.h"
enum { NX = 20, NY = 27 };
static double ex[NX][NY], ey[NX][NY], hz[NX][NY];
int main(void) {
  FOR(i, 0, NX) FOR(j, 0, NY) {
    ex[i][j] = (double)i * (j + 1) / 30;
    ey[i][j] = (double)i * (j + 2) / 25;
    hz[i][j] = (double)i * (j + 3) / 30;
  }
  FOR(t, 0, 8) {
    FOR(j, 0, NY) ey[0][j] = t;
    FOR(i, 1, NX) FOR(j, 0, NY) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    FOR(i, 0, NX) FOR(j, 1, NY) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    FOR(i, 0, NX - 1)
    FOR(j, 0, NY - 1)
    hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
  PUT(ex);
  PUT(ey);
  PUT(hz);
}
