void wrapped(int n, int m, const float *a, float *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int up = (i - 1 + n) % n, down = (i + 1) % n, left = (j + m - 1) % m, right = (j + 1) % m;
      b[i * m + j] = 0.25f * (a[up * m + j] + a[down * m + j] + a[i * m + left] + a[i * m + right]);
    }
}
