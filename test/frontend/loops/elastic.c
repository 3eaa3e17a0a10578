// --size z=21,x=31 --steps=11
#include "loops.h"
enum { NZ = 21, NX = 31 };
typedef double Grid[NZ][NX];
static Grid vx, vz, sxx, szz, sxz;
/* Above the free surface: behind the outermost point, at it, or the same with the sign turned. */
static double even(Grid a, int z, int x) { return z < 0 ? a[-z - 1][x] : a[z][x]; }
static double odd(Grid a, int z, int x) { return z < 0 ? -a[-z - 1][x] : a[z][x]; }
static double turned(Grid a, int z, int x) { return z < 0 ? -a[-z][x] : a[z][x]; }
typedef double Read(Grid, int, int);
static double along(Read *at, Grid a, int z, int x, int dz, int dx) {
  return 1.125 * (at(a, z + dz, x + dx) - at(a, z, x)) -
         1.0 / 24 * (at(a, z + 2 * dz, x + 2 * dx) - at(a, z - dz, x - dx));
}
int main(void) {
  const double k = 0.0004, rho = 2;
  FOR(z, 0, NZ) FOR(x, 0, NX) vz[z][x] = exp(-0.1 * ((x - 16) * (x - 16) + (z - 10) * (z - 10)));
  FOR(step, 0, 11) {
    FOR(z, 0, NZ - 1)
    FOR(x, 1, NX - 2) vx[z][x] =
        vx[z][x] + k / rho * (along(even, sxx, z, x, 0, 1) + along(turned, sxz, z - 1, x, 1, 0));
    FOR(z, 0, NZ - 2)
    FOR(x, 2, NX - 1) vz[z][x] =
        vz[z][x] + k / rho * (along(even, sxz, z, x - 1, 0, 1) + along(odd, szz, z, x, 1, 0));
    FOR(z, 0, NZ) FOR(x, 0, NX) {
      const double lambda = 600 + 3 * z, mu = 500 + 2 * z;
      if (z < NZ - 1 && x >= 2 && x < NX - 1) {
        const double dvx = along(even, vx, z, x - 1, 0, 1), dvz = along(even, vz, z - 1, x, 1, 0);
        sxx[z][x] = sxx[z][x] + k * ((lambda + 2 * mu) * dvx + lambda * dvz);
        szz[z][x] = szz[z][x] + k * (lambda * dvx + (lambda + 2 * mu) * dvz);
      }
      if (z < NZ - 2 && x >= 1 && x < NX - 2)
        sxz[z][x] =
            sxz[z][x] + k * mu * (along(even, vx, z, x, 1, 0) + along(even, vz, z, x, 0, 1));
    }
  }
  PUT(vx);
  PUT(vz);
  PUT(sxx);
  PUT(szz);
  PUT(sxz);
}
