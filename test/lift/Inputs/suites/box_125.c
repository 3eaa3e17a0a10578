void box125(int n, const double a[n][n][n], double b[n][n][n]) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      for (int k = 2; k < n - 2; k++) {
        double s = 0.0;
        for (int di = -2; di <= 2; di++)
          for (int dj = -2; dj <= 2; dj++)
            for (int dk = -2; dk <= 2; dk++)
              s += 0.008 * a[i + di][j + dj][k + dk];
        b[i][j][k] = s;
      }
}
