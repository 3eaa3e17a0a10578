/* Pointers to whole arrays, and to several of them. */

/* EQUAL: time levels. */
void levels_behind_pointer(int n, int steps, double (*a)[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[(t + 1) % 2][i][j] = 0.25 * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j] +
                                       a[t % 2][i][j - 1] + a[t % 2][i][j + 1]);
}

/* EQUAL: one step from the one to the other. */
void step_behind_pointer(int n, double (*a)[n][n], double (*weight)[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[1][i][j] = (*weight)[i][j] * (a[0][i - 1][j] + a[0][i + 1][j] + a[0][i][j - 1]);
}

/* EQUAL: one array each, as benchmarks take their memory. */
void single_behind_pointer(int n, int steps, float (*a)[n][n], float (*b)[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        (*b)[i][j] = 0.25f * ((*a)[i - 1][j] + (*a)[i + 1][j] + (*a)[i][j - 1] + (*a)[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        (*a)[i][j] = (*b)[i][j];
  }
}

/* EQUAL: three axes, of which a pointer leaves the first one open. */
void planes_behind_pointer(int n, double (*a)[n][n], double (*b)[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[i][j][k] = 0.5 * (a[i - 1][j][k] + a[i + 1][j][k]);
  for (int j = 1; j < n - 1; j++)
    for (int k = 1; k < n - 1; k++)
      b[0][j][k] = a[1][j][k];
}
