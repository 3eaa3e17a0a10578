// --size z=9,y=10,x=12 --steps=3
#include "../loops/loops.h"
enum { NZ = 9, NY = 10, NX = 12 };
typedef double G[NZ][NY][NX];
static G u, v, w, uo, vo, wo, un, vn, wn, mu, la, two, sxm, sym, szm, sxt, syt, szt;
#define N 2
/* Second derivative along the stride d. */
static double d2(const double *m, const double *a, int d) {
  double m1 = m[-d] - 0.75 * (m[0] + m[-2 * d]), m2 = m[-2 * d] + m[d] + 3 * (m[0] + m[-d]);
  double m3 = m[-d] + m[2 * d] + 3 * (m[d] + m[0]), m4 = m[d] - 0.75 * (m[0] + m[2 * d]);
  return m1 * (a[-2 * d] - a[0]) + m2 * (a[-d] - a[0]) + m3 * (a[d] - a[0]) +
         m4 * (a[2 * d] - a[0]);
}
static double g(const double *a, int d) { return a[-2 * d] - 8 * a[-d] + 8 * a[d] - a[2 * d]; }
/* The mixed derivative: outer along d, inner along e. */
static double gg(const double *m, const double *a, int d, int e) {
  return m[-2 * d] * g(a - 2 * d, e) - 8 * (m[-d] * g(a - d, e)) + 8 * (m[d] * g(a + d, e)) -
         m[2 * d] * g(a + 2 * d, e);
}
int main(void) {
  const int X = 1, Y = NX, Z = NX * NY;
  FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
    u[z][y][x] = sin(0.4 * x + 0.3 * y) * cos(0.5 * z);
    uo[z][y][x] = 0.9 * sin(0.4 * x + 0.3 * y) * cos(0.5 * z);
    v[z][y][x] = cos(0.3 * x - 0.2 * z);
    vo[z][y][x] = 0.9 * cos(0.3 * x - 0.2 * z);
    w[z][y][x] = sin(0.2 * y * z);
    wo[z][y][x] = 0.9 * sin(0.2 * y * z);
    double m = mu[z][y][x] = 2 + 0.1 * x, l = la[z][y][x] = 3 + 0.05 * y * z,
           t = two[z][y][x] = 2 * m + l;
    double sx = 1 + 0.01 * x, sy = 1 - 0.01 * y, sz = 1;
    sxm[z][y][x] = m * sx;
    sym[z][y][x] = m * sy;
    szm[z][y][x] = m * sz;
    sxt[z][y][x] = t * sx;
    syt[z][y][x] = t * sy;
    szt[z][y][x] = t * sz;
  }
  const double k = 0.02 * 0.02 / (1.0 * 1.0);
  FOR(s, 0, 3) {
    memcpy(un, u, sizeof u);
    memcpy(vn, v, sizeof u);
    memcpy(wn, w, sizeof u);
    FOR(z, 2, NZ - 2) FOR(y, 2, NY - 2) FOR(x, 2, NX - 2) {
#define P(a) (&a[z][y][x])
      double sx = 1 + 0.01 * x, sy = 1 - 0.01 * y, sz = 1, rho = 1.5 + 0.01 * z;
      double r1 =
          (sx * d2(P(sxt), P(u), X) + sy * d2(P(sym), P(u), Y) + sz * d2(P(szm), P(u), Z)) / 6 +
          (sx * sy * (gg(P(la), P(v), X, Y) + gg(P(mu), P(v), Y, X)) +
           sx * sz * (gg(P(la), P(w), X, Z) + gg(P(mu), P(w), Z, X))) /
              144;
      double r2 =
          (sx * d2(P(sxm), P(v), X) + sy * d2(P(syt), P(v), Y) + sz * d2(P(szm), P(v), Z)) / 6 +
          (sx * sy * (gg(P(mu), P(u), X, Y) + gg(P(la), P(u), Y, X)) +
           sy * sz * (gg(P(la), P(w), Y, Z) + gg(P(mu), P(w), Z, Y))) /
              144;
      double r3 =
          (sx * d2(P(sxm), P(w), X) + sy * d2(P(sym), P(w), Y) + sz * d2(P(szt), P(w), Z)) / 6 +
          (sx * sz * (gg(P(mu), P(u), X, Z) + gg(P(la), P(u), Z, X)) +
           sy * sz * (gg(P(mu), P(v), Y, Z) + gg(P(la), P(v), Z, Y))) /
              144;
      un[z][y][x] = 2 * u[z][y][x] - uo[z][y][x] + k * r1 / rho;
      vn[z][y][x] = 2 * v[z][y][x] - vo[z][y][x] + k * r2 / rho;
      wn[z][y][x] = 2 * w[z][y][x] - wo[z][y][x] + k * r3 / rho;
    }
    memcpy(uo, u, sizeof u);
    memcpy(u, un, sizeof u);
    memcpy(vo, v, sizeof u);
    memcpy(v, vn, sizeof u);
    memcpy(wo, w, sizeof u);
    memcpy(w, wn, sizeof u);
  }
  PUT(u);
  PUT(v);
  PUT(w);
}
