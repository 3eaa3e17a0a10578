void heat(const double *u, double *v, int n, int m) {
  for (int i = 1; i < n - 1; i++) {
    const double *up = u + (i - 1) * m, *mid = u + i * m, *dn = u + (i + 1) * m;
    double *o = v + i * m;
    for (int j = 1; j < m - 1; j++)
      o[j] = 0.25 * (up[j] + dn[j] + mid[j - 1] + mid[j + 1]);
  }
}
