/* shallow water like SPEC swim: calc1-calc3 with periodic continuation */
#define N1 33
#define N2 35
static double u[N1][N2], v[N1][N2], p[N1][N2], unew[N1][N2], vnew[N1][N2], pnew[N1][N2],
    uold[N1][N2], vold[N1][N2], pold[N1][N2], cu[N1][N2], cv[N1][N2], z[N1][N2], h[N1][N2];
void swim(int n, int m, int itmax, double fsdx, double fsdy, double tdts8, double tdtsdx,
          double tdtsdy, double alpha) {
  for (int t = 0; t < itmax; t++) {
    for (int i = 0; i < N1 - 1; i++)
      for (int j = 0; j < N2 - 1; j++) {
        cu[i + 1][j] = .5 * (p[i + 1][j] + p[i][j]) * u[i + 1][j];
        cv[i][j + 1] = .5 * (p[i][j + 1] + p[i][j]) * v[i][j + 1];
        z[i + 1][j + 1] =
            (fsdx * (v[i + 1][j + 1] - v[i][j + 1]) - fsdy * (u[i + 1][j + 1] - u[i + 1][j])) /
            (p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1]);
        h[i][j] = p[i][j] + .25 * (u[i + 1][j] * u[i + 1][j] + u[i][j] * u[i][j] +
                                   v[i][j + 1] * v[i][j + 1] + v[i][j] * v[i][j]);
      }
    for (int j = 0; j < N2 - 1; j++) {
      cu[0][j] = cu[N1 - 1][j];
      cv[N1 - 1][j + 1] = cv[0][j + 1];
      z[0][j + 1] = z[N1 - 1][j + 1];
      h[N1 - 1][j] = h[0][j];
    }
    for (int i = 0; i < N1 - 1; i++) {
      cu[i + 1][N2 - 1] = cu[i + 1][0];
      cv[i][0] = cv[i][N2 - 1];
      z[i + 1][0] = z[i + 1][N2 - 1];
      h[i][N2 - 1] = h[i][0];
    }
    cu[0][N2 - 1] = cu[N1 - 1][0];
    cv[N1 - 1][0] = cv[0][N2 - 1];
    z[0][0] = z[N1 - 1][N2 - 1];
    h[N1 - 1][N2 - 1] = h[0][0];
    for (int i = 0; i < N1 - 1; i++)
      for (int j = 0; j < N2 - 1; j++) {
        unew[i + 1][j] = uold[i + 1][j] +
                         tdts8 * (z[i + 1][j + 1] + z[i + 1][j]) *
                             (cv[i + 1][j + 1] + cv[i][j + 1] + cv[i][j] + cv[i + 1][j]) -
                         tdtsdx * (h[i + 1][j] - h[i][j]);
        vnew[i][j + 1] = vold[i][j + 1] -
                         tdts8 * (z[i + 1][j + 1] + z[i][j + 1]) *
                             (cu[i + 1][j + 1] + cu[i][j + 1] + cu[i][j] + cu[i + 1][j]) -
                         tdtsdy * (h[i][j + 1] - h[i][j]);
        pnew[i][j] =
            pold[i][j] - tdtsdx * (cu[i + 1][j] - cu[i][j]) - tdtsdy * (cv[i][j + 1] - cv[i][j]);
      }
    for (int i = 0; i < N1; i++)
      for (int j = 0; j < N2; j++) {
        uold[i][j] = u[i][j] + alpha * (unew[i][j] - 2. * u[i][j] + uold[i][j]);
        u[i][j] = unew[i][j];
        vold[i][j] = v[i][j] + alpha * (vnew[i][j] - 2. * v[i][j] + vold[i][j]);
        v[i][j] = vnew[i][j];
        pold[i][j] = p[i][j] + alpha * (pnew[i][j] - 2. * p[i][j] + pold[i][j]);
        p[i][j] = pnew[i][j];
      }
  }
}
