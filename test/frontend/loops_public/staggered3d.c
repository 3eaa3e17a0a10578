// --size z=13,y=14,x=15 --steps=6
#include "../loops/loops.h"
enum { NZ = 13, NY = 14, NX = 15, Z = NY * NX, Y = NX, X = 1, N = NZ * NY * NX };
static double vx[N], vy[N], vz[N], sxx[N], syy[N], szz[N], sxy[N], sxz[N], syz[N];
/* A difference of order 4 from element i on, in steps of d. */
static double on(const double *a, int i, int d) {
  return 1.125 * (a[i + d] - a[i]) - 1.0 / 24 * (a[i + 2 * d] - a[i - d]);
}
#define POINTS(z0, z1, y0, y1, x0, x1)                                                             \
  FOR(z, z0, NZ - z1) FOR(y, y0, NY - y1) FOR(x, x0, NX - x1)
#define AT(z, y, x) ((z) * Z + (y) * Y + (x))
int main(void) {
  const double k = 0.0004, rho = 2;
  POINTS(0, 0, 0, 0, 0, 0)
  vz[AT(z, y, x)] = exp(-0.1 * ((x - 7) * (x - 7) + (y - 6) * (y - 6) + (z - 6) * (z - 6)));
  FOR(step, 0, 6) {
    POINTS(2, 1, 2, 1, 1, 2) {
      const int i = AT(z, y, x);
      vx[i] = vx[i] + k / rho * (on(sxx, i, X) + on(sxy, i - Y, Y) + on(sxz, i - Z, Z));
    }
    POINTS(2, 1, 1, 2, 2, 1) {
      const int i = AT(z, y, x);
      vy[i] = vy[i] + k / rho * (on(sxy, i - X, X) + on(syy, i, Y) + on(syz, i - Z, Z));
    }
    POINTS(1, 2, 2, 1, 2, 1) {
      const int i = AT(z, y, x);
      vz[i] = vz[i] + k / rho * (on(sxz, i - X, X) + on(syz, i - Y, Y) + on(szz, i, Z));
    }
    POINTS(2, 1, 2, 1, 2, 1) {
      const int i = AT(z, y, x);
      const double lambda = 600 + 3 * z, mu = 500 + 2 * x;
      const double dx = on(vx, i - X, X), dy = on(vy, i - Y, Y), dz = on(vz, i - Z, Z);
      const double spread = lambda * (dx + dy + dz);
      sxx[i] = sxx[i] + k * (spread + 2 * mu * dx);
      syy[i] = syy[i] + k * (spread + 2 * mu * dy);
      szz[i] = szz[i] + k * (spread + 2 * mu * dz);
    }
    POINTS(0, 0, 1, 2, 1, 2) {
      const int i = AT(z, y, x);
      sxy[i] = sxy[i] + k * (500 + 2 * x) * (on(vx, i, Y) + on(vy, i, X));
    }
    POINTS(1, 2, 0, 0, 1, 2) {
      const int i = AT(z, y, x);
      sxz[i] = sxz[i] + k * (500 + 2 * x) * (on(vx, i, Z) + on(vz, i, X));
    }
    POINTS(1, 2, 1, 2, 0, 0) {
      const int i = AT(z, y, x);
      syz[i] = syz[i] + k * (500 + 2 * x) * (on(vy, i, Z) + on(vz, i, Y));
    }
  }
  PUT(vx); PUT(vy); PUT(vz);
  PUT(sxx); PUT(syy); PUT(szz);
  PUT(sxy); PUT(sxz); PUT(syz);
}
