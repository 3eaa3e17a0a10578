/* What is made first is added to: by the same turns, by a loop over more points, over less. */
// EQUAL
void together(int n, int m, double a[n][m], double b[n][m], double w) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      a[i][j] = b[i - 1][j] + b[i + 1][j];
      a[i][j] += w * b[i][j];
      a[i][j] *= a[i][j];
    }
}

// EQUAL
void damped(int n, int m, int steps, double a[2][n][m], const double mask[n][m], const double *w,
            int sx, int sy) {
  for (int t = 0; t < steps; t++) {
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        a[(t + 1) % 2][i][j] = 0.25 * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j] +
                                       a[t % 2][i][j - 2] + a[t % 2][i][j + 2]);
    a[(t + 1) % 2][sx][sy] += w[t] * mask[sx][sy];
    for (int i = 1; i < n - 1; i++)
      for (int j = 2; j < m - 2; j++)
        a[(t + 1) % 2][i][j] *= mask[i][j];
  }
}

// EQUAL
void pinned(int n, double *u, double *v, int place) {
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.5 * (u[i - 1] + u[i + 1]);
  v[place] = 1;
  v[4] = 2 * v[4] + u[3];
}

// EQUAL
void edged(int n, double v[n][n], const double u[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      v[i][j] = u[i][j - 1] + u[i][j + 1];
  for (int i = n - 1; i >= 0; i--) {
    v[0][i] = 1;
    v[i][0] = 2;
    v[n - 1][i] = 3;
    v[i][n - 1] = 4;
  }
}
