void until(int n, double end, double dt, double *a, double *b) {
  for (double t = 0; t < end; t += dt) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
}
