// --size x=24 --steps=8
#include "../loops/loops.h"
enum { NX = 24 };
static double v[NX], n[NX];
int main(void) {
  const double sg = 0.3, r = 0.05, dt = 0.002, k = 10;
  FOR(x, 0, NX) v[x] = fmax(k - x, 0);
  FOR(s, 0, 8) {
    FOR(x, 0, NX) {
      double i = x + 1, w = x ? v[x - 1] : k * exp(-r * dt * (s + 1)),
             e = x < NX - 1 ? v[x + 1] : 0;
      n[x] = v[x] +
             dt * (0.5 * sg * sg * i * i * (e - 2 * v[x] + w) + 0.5 * r * i * (e - w) - r * v[x]);
    }
    memcpy(v, n, sizeof v);
  }
  PUT(v);
}
