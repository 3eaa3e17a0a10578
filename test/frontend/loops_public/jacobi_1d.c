// --size x=50 --steps=9
#include "../loops/loops.h"
enum { N = 50 };
static double a[N], b[N];
int main(void) {
  FOR(i, 0, N) a[i] = (i + 2) / 50.0;
  FOR(i, 0, N) b[i] = (i + 3) / 50.0;
  FOR(step, 0, 9) {
    FOR(i, 1, N - 1) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    FOR(i, 1, N - 1) a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
  PUT(a);
  PUT(b);
}
