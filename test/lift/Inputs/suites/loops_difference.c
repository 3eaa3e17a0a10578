void firstdiff(int n, double *x, const double *y) {
  for (int k = 0; k < n; k++)
    x[k] = y[k + 1] - y[k];
}
