#define IDX(x, y) ((x) * ny + (y))
void lbm_step(int nx, int ny, const double *f0, const double *f1, const double *f2, double *g0,
              double *g1, double *g2, double om) {
  for (int x = 1; x < nx - 1; x++)
    for (int y = 1; y < ny - 1; y++) {
      double a = f0[IDX(x, y)], b = f1[IDX(x - 1, y)], c = f2[IDX(x, y - 1)];
      double rho = a + b + c;
      g0[IDX(x, y)] = a + om * (rho / 3 - a);
      g1[IDX(x, y)] = b + om * (rho / 3 - b);
      g2[IDX(x, y)] = c + om * (rho / 3 - c);
    }
}
