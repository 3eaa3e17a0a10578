// --size y=8,x=9 --steps=3
#include "../loops/loops.h"
enum { NY = 8, NX = 9, N = 8 };
static double q[N][NY][NX], n[N][NY][NX], F[N][NY][NX], G[N][NY][NX], ax[NY][NX], ay[NY][NX];
int main(void) {
  const double gamma = 5.0 / 3, dt = 0.01, h = 0.1;
  FOR(y, 0, NY) FOR(x, 0, NX) {
    double v[N] = {1 + 0.3 * sin(0.6 * x) * cos(0.5 * y),
                   0.2 * sin(0.5 * y),
                   -0.1 * cos(0.4 * x),
                   0,
                   0.3 + 0.1 * sin(0.7 * y),
                   0.2 * cos(0.3 * x),
                   0.1,
                   2.5};
    FOR(k, 0, N) q[k][y][x] = v[k];
  }
  FOR(s, 0, 3) {
    FOR(y, 0, NY) FOR(x, 0, NX) {
      double rho = q[0][y][x], mx = q[1][y][x], my = q[2][y][x], mz = q[3][y][x], bx = q[4][y][x],
             by = q[5][y][x], bz = q[6][y][x], en = q[7][y][x];
      double b2 = bx * bx + by * by + bz * bz;
      double p = (gamma - 1) * (en - 0.5 * (mx * mx + my * my + mz * mz) / rho - 0.5 * b2);
      double total = p + 0.5 * b2, vx = mx / rho, vy = my / rho, vz = mz / rho;
      double vb = vx * bx + vy * by + vz * bz;
      double fast = sqrt((gamma * fmax(p, 0) + bx * bx + by * by + bz * bz) / rho);
      ax[y][x] = fabs(vx) + fast;
      ay[y][x] = fabs(vy) + fast;
      double f[N] = {
          mx,     mx * vx + total - bx * bx, my * vx - bx * by, mz * vx - bx * bz,
          0 * bx, by * vx - bx * vy,         bz * vx - bx * vz, (en + total) * vx - bx * vb};
      double g[N] = {my,
                     mx * vy - bx * by,
                     my * vy + total - by * by,
                     mz * vy - by * bz,
                     bx * vy - by * vx,
                     0 * by,
                     bz * vy - by * vz,
                     (en + total) * vy - by * vb};
      FOR(k, 0, N) F[k][y][x] = f[k], G[k][y][x] = g[k];
    }
    FOR(k, 0, N) FOR(y, 0, NY) FOR(x, 0, NX) {
      int w = WRAP(x - 1, NX), e = WRAP(x + 1, NX), so = WRAP(y - 1, NY), no = WRAP(y + 1, NY);
      double fe = 0.5 * (F[k][y][x] + F[k][y][e]) -
                  0.5 * fmax(ax[y][x], ax[y][e]) * (q[k][y][e] - q[k][y][x]);
      double fw = 0.5 * (F[k][y][w] + F[k][y][x]) -
                  0.5 * fmax(ax[y][w], ax[y][x]) * (q[k][y][x] - q[k][y][w]);
      double gn = 0.5 * (G[k][y][x] + G[k][no][x]) -
                  0.5 * fmax(ay[y][x], ay[no][x]) * (q[k][no][x] - q[k][y][x]);
      double gs = 0.5 * (G[k][so][x] + G[k][y][x]) -
                  0.5 * fmax(ay[so][x], ay[y][x]) * (q[k][y][x] - q[k][so][x]);
      n[k][y][x] = q[k][y][x] - dt / h * (fe - fw + gn - gs);
    }
    memcpy(q, n, sizeof q);
  }
  PUT(q);
}
