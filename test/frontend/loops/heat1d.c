// --size x=40 --steps=30
#include "loops.h"
enum { N = 40 };
static double u[N], next[N];
int main(void) {
  FOR(x, 0, N) u[x] = exp(-0.01 * (x - 20) * (x - 20));
  FOR(step, 0, 30) {
    FOR(x, 0, N) {
      double left = x == 0 ? 1 : u[x - 1], right = u[CLAMP(x + 1, N)];
      next[x] = u[x] + 0.25 * (left - 2 * u[x] + right);
    }
    KEEP(u, next);
  }
  PUT(u);
}
