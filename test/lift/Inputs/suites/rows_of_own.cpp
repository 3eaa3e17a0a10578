// rows of the function's own, taken one by one
void smooth(double **u, int n, int m, int steps) {
  double **next = new double *[n];
  for (int i = 0; i < n; ++i)
    next[i] = new double[m];
  while (steps-- > 0) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        next[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = next[i][j];
  }
  for (int i = 0; i < n; ++i)
    delete[] next[i];
  delete[] next;
}
