/* periodic ghosts set after the update, extents of params */
void wave(int n, int m, int steps, double c, double (*restrict u)[m + 2],
          double (*restrict v)[m + 2]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        v[i][j] = u[i][j] + c * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] +
                                 u[i - 1][j - 1] - 5 * u[i][j]);
    for (int i = 1; i <= n; i++) {
      v[i][0] = v[i][m];
      v[i][m + 1] = v[i][1];
    }
    for (int j = 0; j <= m + 1; j++) {
      v[0][j] = v[n][j];
      v[n + 1][j] = v[1][j];
    }
    double(*w)[m + 2] = u;
    u = v;
    v = w;
  }
}
