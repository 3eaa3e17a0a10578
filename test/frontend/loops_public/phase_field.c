// --size y=13,x=14 --steps=4
#include "../loops/loops.h"
enum { NY = 13, NX = 14 };
static double phi[NY][NX], heat[NY][NX], ex[NY][NX], ey[NY][NX], re[NY][NX], pn[NY][NX], hn[NY][NX];
#define A(a, j, i) a[CLAMP(y + (j), NY)][CLAMP(x + (i), NX)]
#define LAP(a) ((A(a, 0, 1) + A(a, 0, -1) + A(a, 1, 0) + A(a, -1, 0) - 4 * a[y][x]) / (dx * dx))
int main(void) {
  const double tau = 0.0003, eps = 0.01, delta = 0.04, J = 6, th0 = 0.2, alpha = 0.9, gamma = 10,
               latent = 1.6, dt = 0.0001, dx = 0.03;
  FOR(y, 0, NY) FOR(x, 0, NX) phi[y][x] = (x - 6) * (x - 6) + (y - 6) * (y - 6) < 9;
  FOR(s, 0, 4) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double px = (A(phi, 0, 1) - A(phi, 0, -1)) / (2 * dx),
             py = (A(phi, 1, 0) - A(phi, -1, 0)) / (2 * dx);
      double th = atan2(py, px), e = eps * (1 + delta * cos(J * (th - th0))),
             de = -eps * J * delta * sin(J * (th - th0));
      ex[y][x] = e * de * px;
      ey[y][x] = e * de * py;
      re[y][x] = e * e * LAP(phi);
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double m = alpha / 3.14159 * atan(gamma * (1 - heat[y][x])), p = phi[y][x];
      pn[y][x] = p + dt / tau *
                         ((A(ex, 1, 0) - A(ex, -1, 0)) / (2 * dx) -
                          (A(ey, 0, 1) - A(ey, 0, -1)) / (2 * dx) + re[y][x] +
                          p * (1 - p) * (p - 0.5 + m));
      hn[y][x] = heat[y][x] + dt * LAP(heat) + latent * (pn[y][x] - p);
    }
    memcpy(phi, pn, sizeof phi);
    memcpy(heat, hn, sizeof hn);
  }
  PUT(phi);
  PUT(heat);
}
