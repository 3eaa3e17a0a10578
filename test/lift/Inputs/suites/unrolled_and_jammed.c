void jam(int n, int m, double (*restrict a)[m], double (*restrict b)[m]) {
  int i, j;
  for (i = 1; i < n - 2; i += 2)
    for (j = 1; j < m - 1; j++) {
      a[i][j] = b[i - 1][j] + b[i + 1][j];
      a[i + 1][j] = b[i][j] + b[i + 2][j];
    }
  for (; i < n - 1; i++)
    for (j = 1; j < m - 1; j++)
      a[i][j] = b[i - 1][j] + b[i + 1][j];
}
