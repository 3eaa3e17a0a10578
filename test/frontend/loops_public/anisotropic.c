// --size z=19,x=25 --steps=7
#include "../loops/loops.h"
enum { NZ = 19, NX = 25 };
typedef double Grid[NZ][NX];
static Grid u, w, u_old, w_old, u_new, w_new, c11, c13, c15, c33, c35, c55;
static double xx(Grid c, Grid a, int z, int x) {
  return ((c[z][x + 1] + c[z][x]) * (a[z][x + 1] - a[z][x]) -
          (c[z][x] + c[z][x - 1]) * (a[z][x] - a[z][x - 1])) / 2;
}
static double zz(Grid c, Grid a, int z, int x) {
  return ((c[z + 1][x] + c[z][x]) * (a[z + 1][x] - a[z][x]) -
          (c[z][x] + c[z - 1][x]) * (a[z][x] - a[z - 1][x])) / 2;
}
static double xz(Grid c, Grid a, int z, int x) {
  return (c[z][x + 1] * (a[z + 1][x + 1] - a[z - 1][x + 1]) -
          c[z][x - 1] * (a[z + 1][x - 1] - a[z - 1][x - 1])) / 4;
}
static double zx(Grid c, Grid a, int z, int x) {
  return (c[z + 1][x] * (a[z + 1][x + 1] - a[z + 1][x - 1]) -
          c[z - 1][x] * (a[z - 1][x + 1] - a[z - 1][x - 1])) / 4;
}
int main(void) {
  const double k = 0.0002, rho = 2;
  FOR(z, 0, NZ) FOR(x, 0, NX) {
    u[z][x] = exp(-0.1 * ((x - 12) * (x - 12) + (z - 9) * (z - 9)));
    c11[z][x] = 900 + x; c13[z][x] = 300; c15[z][x] = 40 + z;
    c33[z][x] = 800 + z; c35[z][x] = 30; c55[z][x] = 250 + 2 * x;
  }
  memcpy(u_old, u, sizeof(u));
  FOR(step, 0, 7) {
    memcpy(u_new, u, sizeof(u));
    memcpy(w_new, w, sizeof(w));
    FOR(z, 1, NZ - 1) FOR(x, 1, NX - 1) {
      u_new[z][x] = 2 * u[z][x] - u_old[z][x] +
                    k / rho * (xx(c11, u, z, x) + zz(c55, u, z, x) + xz(c15, u, z, x) +
                               zx(c15, u, z, x) + xx(c15, w, z, x) + zz(c35, w, z, x) +
                               xz(c13, w, z, x) + zx(c55, w, z, x));
      w_new[z][x] = 2 * w[z][x] - w_old[z][x] +
                    k / rho * (xx(c15, u, z, x) + zz(c35, u, z, x) + xz(c55, u, z, x) +
                               zx(c13, u, z, x) + xx(c55, w, z, x) + zz(c33, w, z, x) +
                               xz(c35, w, z, x) + zx(c35, w, z, x));
    }
    memcpy(u_old, u, sizeof(u));
    memcpy(w_old, w, sizeof(w));
    memcpy(u, u_new, sizeof(u));
    memcpy(w, w_new, sizeof(w));
  }
  PUT(u);
  PUT(w);
}
