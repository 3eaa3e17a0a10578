void box(int n, double u[n][n], double v[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      v[i][j] = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      v[i][j] = u[i - 1][j] + u[i + 1][j];
}
