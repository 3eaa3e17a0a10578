/* Arrays that are read under conditions on the position, only where they were made. */

/* EQUAL: an increment, nothing at the ends. */
void increment_inside(int n, int steps, double dt, double *y, double *k, double *half) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      k[i] = y[i + 1] - 2 * y[i] + y[i - 1];
    for (int i = 0; i < n; i++)
      half[i] = y[i] + (i > 0 && i < n - 1 ? 0.5 * dt * k[i] : 0);
    for (int i = 1; i < n - 1; i++)
      y[i] += dt * (half[i + 1] - 2 * half[i] + half[i - 1]);
  }
}

/* EQUAL: by `if`, with zeros at the ends of rows. */
void zeros_at_ends(int n, int m, double y[n][m], double d[n][m], double out[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      d[i][j] = y[i][j + 1] - y[i][j - 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (j > 0 && j < m - 1)
        out[i][j] = d[i][j];
      else
        out[i][j] = 0;
    }
}
