/* Neighbours beyond the grid, or of other values, are left out of a sum by `continue`. */

// EQUAL
void zeros_around(int n, int m, float *a, const float *b) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          const int yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= n || xx < 0 || xx >= m)
            continue;
          s += b[yy * m + xx];
        }
      a[y * m + x] = s / 9;
    }
}

// EQUAL
void only_small(int n, double *a, const double *b) {
  for (int i = 2; i < n - 2; i++) {
    double s = 0;
    for (int k = -2; k <= 2; k++) {
      if (b[i + k] > 1)
        continue;
      s -= b[i + k];
    }
    a[i] = s;
  }
}

static void before(const double *b, int i, double *of) {
  *of = 0;
  if (i == 0)
    return;
  *of = b[i - 1];
}

// EQUAL
void returned_early_behind_pointer(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) {
    double left;
    before(b, i, &left);
    a[i] = left;
  }
}
