/* two components a point, flat */
void waves(int n, int steps, float *restrict s, float *restrict r, float c) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      r[2 * i] = s[2 * i] + c * (s[2 * i + 3] - s[2 * i - 1]);
      r[2 * i + 1] = s[2 * i + 1] + c * (s[2 * i + 2] - s[2 * i - 2]);
    }
    for (int i = 1; i < n - 1; i++) {
      s[2 * i] = r[2 * i];
      s[2 * i + 1] = r[2 * i + 1];
    }
  }
}
