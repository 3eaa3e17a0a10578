// --size y=12,x=13 --steps=5
#include "../loops/loops.h"
enum { NY = 12, NX = 13 };
static double u[NY][NX], v[NY][NX], p[NY][NX], b[NY][NX], q[NY][NX], un[NY][NX], vn[NY][NX];
int main(void) {
  const double rho = 1, nu = 0.1, dt = 0.001, dx = 0.05, dy = 0.05;
  FOR(x, 0, NX) u[11][x] = 1;
  FOR(s, 0, 5) {
    FOR(y, 1, NY - 1) FOR(x, 1, NX - 1) {
      double ux = (u[y][x + 1] - u[y][x - 1]) / (2 * dx),
             vy = (v[y + 1][x] - v[y - 1][x]) / (2 * dy);
      double uy = (u[y + 1][x] - u[y - 1][x]) / (2 * dy),
             vx = (v[y][x + 1] - v[y][x - 1]) / (2 * dx);
      b[y][x] = rho * ((ux + vy) / dt - ux * ux - 2 * uy * vx - vy * vy);
    }
    FOR(it, 0, 3) {
      memcpy(q, p, sizeof p);
      FOR(y, 1, NY - 1)
      FOR(x, 1, NX - 1) p[y][x] =
          ((q[y][x + 1] + q[y][x - 1]) * dy * dy + (q[y + 1][x] + q[y - 1][x]) * dx * dx) /
              (2 * (dx * dx + dy * dy)) -
          dx * dx * dy * dy / (2 * (dx * dx + dy * dy)) * b[y][x];
    }
    FOR(y, 1, NY - 1) p[y][NX - 1] = p[y][NX - 2], p[y][0] = p[y][1];
    FOR(x, 0, NX) p[0][x] = p[1][x], p[NY - 1][x] = 0;
    memcpy(un, u, sizeof u);
    memcpy(vn, v, sizeof v);
    FOR(y, 1, NY - 1) FOR(x, 1, NX - 1) {
#define DIFFUSE(a)                                                                                 \
  nu *(dt / (dx * dx) * (a[y][x + 1] - 2 * a[y][x] + a[y][x - 1]) +                                \
       dt / (dy * dy) * (a[y + 1][x] - 2 * a[y][x] + a[y - 1][x]))
      u[y][x] = un[y][x] - un[y][x] * dt / dx * (un[y][x] - un[y][x - 1]) -
                vn[y][x] * dt / dy * (un[y][x] - un[y - 1][x]) -
                dt / (2 * rho * dx) * (p[y][x + 1] - p[y][x - 1]) + DIFFUSE(un);
      v[y][x] = vn[y][x] - un[y][x] * dt / dx * (vn[y][x] - vn[y][x - 1]) -
                vn[y][x] * dt / dy * (vn[y][x] - vn[y - 1][x]) -
                dt / (2 * rho * dy) * (p[y + 1][x] - p[y - 1][x]) + DIFFUSE(vn);
    }
  }
  PUT(u);
  PUT(v);
  PUT(p);
}
