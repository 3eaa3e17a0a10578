/* minus the residual of the model problem; its edges are zero, rows and columns count from one */
void model_residual(int n, double (*res)[n + 1], double (*u)[n + 1], double (*rhs)[n + 1]) {
  int i, j;
  double h = 1.0 / (n - 1), h2i = 1.0 / (h * h);
  for (j = 2; j < n; j++)
    for (i = 2; i < n; i++)
      res[i][j] = -h2i * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4.0 * u[i][j]) +
                  rhs[i][j];
  for (i = 1; i <= n; i++)
    res[i][1] = res[i][n] = res[1][i] = res[n][i] = 0.0;
}
