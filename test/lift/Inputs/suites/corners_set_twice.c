void corners(int n, int m, double u[n][m], double v[n][m], double a, double b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
  for (int i = 0; i < n; i++) {
    v[i][0] = a;
    v[i][m - 1] = v[i][m - 2];
  }
  for (int j = 0; j < m; j++) {
    v[0][j] = b;
    v[n - 1][j] = v[n - 2][j];
  }
}
