void spin(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    int l = i - 1;
    if (l < 0)
      l = n - 1;
    int r = i + 1;
    if (r >= n)
      r = 0;
    b[i] = a[l] + a[r];
  }
}
