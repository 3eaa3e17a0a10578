// --size y=9,x=11 --steps=3
#include "../loops/loops.h"
enum { NY = 9, NX = 11 };
typedef double G[NY][NX];
static G de, en, xv, yv, fx, fy, p, q, xw, yw;
static int r(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
#define R(a, j, i) a[r(y + (j), NY)][r(x + (i), NX)]
#define C(a, j, i) a[CLAMP(y + (j), NY)][CLAMP(x + (i), NX)]
static double at(G a, int y, int x,
                 int mirrors_x) { /* symmetric(-1) along one axis, clamp along the other */
  double f = 1;
  if (mirrors_x) {
    if (x < 0)
      f = -1, x = -1 - x;
    if (x >= NX)
      f = -1, x = 2 * NX - 1 - x;
    y = CLAMP(y, NY);
  } else {
    if (y < 0)
      f = -1, y = -1 - y;
    if (y >= NY)
      f = -1, y = 2 * NY - 1 - y;
    x = CLAMP(x, NX);
  }
  return f * a[y][x];
}
#define XV(a, j, i) at(a, y + (j), x + (i), 1)
#define YV(a, j, i) at(a, y + (j), x + (i), 0)
int main(void) {
  const double dt = 0.01, dx = 0.1, dy = 0.1, V = 0.01, xa = 0.1, ya = 0.1;
  FOR(y, 0, NY)
  FOR(x, 0, NX)
  de[y][x] = x < 5 && y < 4 ? 1 : 0.2,
  en[y][x] = x < 5 && y < 4 ? 2.5 : 1, xv[y][x] = 0.01 * x, yv[y][x] = -0.02 * y;
  FOR(s, 0, 3) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      p[y][x] = 0.4 * de[y][x] * en[y][x];
      double ug = XV(xv, 0, 1) + XV(xv, 1, 1) - (xv[y][x] + XV(xv, 1, 0)),
             vg = YV(yv, 1, 0) + YV(yv, 1, 1) - (yv[y][x] + YV(yv, 0, 1));
      double div = dx * ug + dy * vg;
      q[y][x] = div < 0 ? 2 * de[y][x] * div * div : 0;
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double sb = 0.5 * dt /
                  ((R(de, -1, -1) * V + R(de, 0, -1) * V + de[y][x] * V + R(de, -1, 0) * V) * 0.25);
      xw[y][x] =
          xv[y][x] - sb * ((xa * (p[y][x] - C(p, 0, -1)) + xa * (C(p, -1, 0) - C(p, -1, -1))) +
                           (xa * (q[y][x] - C(q, 0, -1)) + xa * (C(q, -1, 0) - C(q, -1, -1))));
      yw[y][x] =
          yv[y][x] - sb * ((ya * (p[y][x] - C(p, -1, 0)) + ya * (C(p, 0, -1) - C(p, -1, -1))) +
                           (ya * (q[y][x] - C(q, -1, 0)) + ya * (C(q, 0, -1) - C(q, -1, -1))));
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      fx[y][x] = 0.25 * dt * xa * (xv[y][x] + XV(xv, 1, 0) + xw[y][x] + XV(xw, 1, 0));
      fy[y][x] = 0.25 * dt * ya * (yv[y][x] + YV(yv, 0, 1) + yw[y][x] + YV(yw, 0, 1));
    }
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double total = (xa * (XV(xw, 0, 1) + XV(xw, 1, 1)) - xa * (xw[y][x] + XV(xw, 1, 0)) +
                      ya * (YV(yw, 1, 0) + YV(yw, 1, 1)) - ya * (yw[y][x] + YV(yw, 0, 1))) *
                     0.25 * dt * 2;
      double change = V / (V + total);
      en[y][x] = en[y][x] - (p[y][x] / de[y][x] + q[y][x] / de[y][x]) * total / V;
      de[y][x] = de[y][x] * change;
    }
    memcpy(xv, xw, sizeof xv);
    memcpy(yv, yw, sizeof yv);
  }
  PUT(de);
  PUT(en);
  PUT(xv);
  PUT(yv);
  PUT(fx);
  PUT(fy);
}
