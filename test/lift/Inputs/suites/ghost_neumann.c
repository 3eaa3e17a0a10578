void neumann(int n, int m, int steps, double c, double u[n + 2][m + 2], double v[n + 2][m + 2]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++) {
      u[i][0] = u[i][1];
      u[i][m + 1] = u[i][m];
    }
    for (int j = 1; j <= m; j++) {
      u[0][j] = u[1][j];
      u[n + 1][j] = u[n][j];
    }
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        v[i][j] =
            u[i][j] + c * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        u[i][j] = v[i][j];
  }
}
