// --size x=29 --steps=6
#include "../loops/loops.h"
enum { NX = 29 };
static double u[NX], n[NX];
static double p2(double a) { return a * a; }
static double rb(double a, double b, double c, double d, double e) {
  double t = 13.0 / 12, eps = 1e-6;
  double w0 = 0.1 / p2(eps + t * p2(a - 2 * b + c) + 0.25 * p2(a - 4 * b + 3 * c));
  double w1 = 0.6 / p2(eps + t * p2(b - 2 * c + d) + 0.25 * p2(b - d));
  double w2 = 0.3 / p2(eps + t * p2(c - 2 * d + e) + 0.25 * p2(3 * c - 4 * d + e));
  return (w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)) /
         6 / (w0 + w1 + w2);
}
static double pl(int i) {
  double v = u[WRAP(i, NX)];
  return 0.5 * (0.5 * v * v + 2 * v);
}
static double mi(int i) {
  double v = u[WRAP(i, NX)];
  return 0.5 * (0.5 * v * v - 2 * v);
}
static double flux(int i) {
  return rb(pl(i - 2), pl(i - 1), pl(i), pl(i + 1), pl(i + 2)) +
         rb(mi(i + 3), mi(i + 2), mi(i + 1), mi(i), mi(i - 1));
}
int main(void) {
  FOR(x, 0, NX) u[x] = 1 + 0.5 * sin(0.3 * x);
  FOR(s, 0, 6) {
    FOR(x, 0, NX) n[x] = u[x] - 0.1 * (flux(x) - flux(x - 1));
    memcpy(u, n, sizeof u);
  }
  PUT(u);
}
