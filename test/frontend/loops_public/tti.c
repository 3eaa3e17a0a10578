// --size z=10,y=11,x=13 --steps=4
#include "../loops/loops.h"
enum { NZ = 10, NY = 11, NX = 13 };
typedef double G[NZ][NY][NX];
static G p, q, po, qo, pn, qn;
#define A(i, j, k) a[z + (k)][y + (j)][x + (i)]
static double d2(double m2, double m1, double c, double p1, double p2) {
  return -2.5 * c + 4.0 / 3 * (m1 + p1) + -1.0 / 12 * (m2 + p2);
}
static double d2x(G a, int z, int y, int x) {
  return d2(A(-2, 0, 0), A(-1, 0, 0), A(0, 0, 0), A(1, 0, 0), A(2, 0, 0));
}
static double d2y(G a, int z, int y, int x) {
  return d2(A(0, -2, 0), A(0, -1, 0), A(0, 0, 0), A(0, 1, 0), A(0, 2, 0));
}
static double d2z(G a, int z, int y, int x) {
  return d2(A(0, 0, -2), A(0, 0, -1), A(0, 0, 0), A(0, 0, 1), A(0, 0, 2));
}
static double along(G a, int z, int y, int x) {
  double th = 0.3 + 0.01 * y, ph = 0.2 * x, ct = cos(th), st = sin(th), cp = cos(ph), sp = sin(ph);
  double dxy = 0.25 * (A(1, 1, 0) - A(-1, 1, 0) - A(1, -1, 0) + A(-1, -1, 0));
  double dxz = 0.25 * (A(1, 0, 1) - A(-1, 0, 1) - A(1, 0, -1) + A(-1, 0, -1));
  double dyz = 0.25 * (A(0, 1, 1) - A(0, -1, 1) - A(0, 1, -1) + A(0, -1, -1));
  return st * st * cp * cp * d2x(a, z, y, x) + st * st * sp * sp * d2y(a, z, y, x) +
         ct * ct * d2z(a, z, y, x) + st * st * 2 * sp * cp * dxy + 2 * st * ct * sp * dyz +
         2 * st * ct * cp * dxz;
}
static double across(G a, int z, int y, int x) {
  return d2x(a, z, y, x) + d2y(a, z, y, x) + d2z(a, z, y, x) - along(a, z, y, x);
}
int main(void) {
  FOR(z, 0, NZ) FOR(y, 0, NY) FOR(x, 0, NX) {
    double e = exp(-0.1 * ((x - 7) * (x - 7) + (y - 6) * (y - 6) + (z - 5) * (z - 5)));
    p[z][y][x] = po[z][y][x] = e;
    q[z][y][x] = qo[z][y][x] = 0.8 * e;
  }
  FOR(s, 0, 4) {
    memcpy(pn, p, sizeof p);
    memcpy(qn, q, sizeof q);
    FOR(z, 2, NZ - 2) FOR(y, 2, NY - 2) FOR(x, 2, NX - 2) {
      double vp = 1 + 0.01 * z, ep = 0.2 + 0.001 * x, de = 0.1,
             k = 0.1 * 0.1 * vp * vp / (1.0 * 1.0);
      pn[z][y][x] = 2 * p[z][y][x] - po[z][y][x] +
                    k * ((1 + 2 * ep) * across(p, z, y, x) + sqrt(1 + 2 * de) * along(q, z, y, x));
      qn[z][y][x] = 2 * q[z][y][x] - qo[z][y][x] +
                    k * (sqrt(1 + 2 * de) * across(p, z, y, x) + along(q, z, y, x));
    }
    memcpy(po, p, sizeof p);
    memcpy(p, pn, sizeof p);
    memcpy(qo, q, sizeof q);
    memcpy(q, qn, sizeof q);
  }
  PUT(p);
  PUT(q);
}
