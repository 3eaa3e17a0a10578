void heat(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; t += 2) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.5f * (b[i - 1] + b[i + 1]);
  }
}
