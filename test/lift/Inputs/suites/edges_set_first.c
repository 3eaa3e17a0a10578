void dirichlet(int n, int m, int steps, double u[n][m], double v[n][m], double left) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      u[i][0] = left;
      u[i][m - 1] = 0.0;
    }
    for (int j = 0; j < m; j++) {
      u[0][j] = 1.0;
      u[n - 1][j] = 2.0;
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
  }
}
