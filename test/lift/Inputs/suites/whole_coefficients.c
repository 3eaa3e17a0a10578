void f(int n, double a[n][n], double b[n][n], int k) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = (k * a[i][j] + 1 / 2 * a[i][j - 1] + 3 / 2 * a[i][j + 1]) / (k + 4) + i * j / 4.0;
}
