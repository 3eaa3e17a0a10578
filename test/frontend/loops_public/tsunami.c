// --size y=11,x=14 --steps=8
#include "../loops/loops.h"
enum { NY = 11, NX = 14 };
static double eta[NY][NX], u[NY][NX], v[NY][NX], next[NY][NX];
static double depth(int x) { return 1 - 0.12 * CLAMP(x, NX); }
static double column(int y, int x) { return fmax(eta[CLAMP(y, NY)][CLAMP(x, NX)] + depth(x), 0); }
static double u_at(int y, int x) { return x < 0 || x >= NX || y < 0 || y >= NY ? 0 : u[y][x]; }
static double v_at(int y, int x) { return x < 0 || x >= NX || y < 0 || y >= NY ? 0 : v[y][x]; }
static double fx(int y, int x) {
  return (u_at(y, x) > 0 ? column(y, x) : column(y, x + 1)) * u_at(y, x);
}
static double fy(int y, int x) {
  return (v_at(y, x) > 0 ? column(y, x) : column(y + 1, x)) * v_at(y, x);
}
int main(void) {
  const double k = 0.05, g = 9.81, dry = 0.01;
  FOR(y, 0, NY)
  FOR(x, 0, NX) eta[y][x] = 0.5 * exp(-0.2 * ((x - 4.0) * (x - 4.0) + (y - 5.0) * (y - 5.0)));
  FOR(s, 0, 8) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      u[y][x] = column(y, x) < dry && column(y, x + 1) < dry
                    ? 0
                    : u[y][x] - k * g * (eta[y][CLAMP(x + 1, NX)] - eta[y][x]);
      v[y][x] = column(y, x) < dry && column(y + 1, x) < dry
                    ? 0
                    : v[y][x] - k * g * (eta[CLAMP(y + 1, NY)][x] - eta[y][x]);
    }
    FOR(y, 0, NY)
    FOR(x, 0, NX)
    next[y][x] = depth(x) > -0.3
                     ? eta[y][x] - k * (fx(y, x) - fx(y, x - 1) + fy(y, x) - fy(y - 1, x))
                     : eta[y][x];
    memcpy(eta, next, sizeof(next));
  }
  PUT(eta);
  PUT(u);
  PUT(v);
}
