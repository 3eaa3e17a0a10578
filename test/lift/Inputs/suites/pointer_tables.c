// Rows and planes that lie anywhere.

// EQUAL
void rows(int n, int m, double **u, double **v, double r) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] = u[i][j] + r * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
}

// EQUAL
void planes(int n, float ***u, float ***v, int steps) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          v[i][j][k] = 0.5f * u[i][j][k] + 0.1f * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                                  u[i][j][k + 1] + u[i][j][k - 1]);
    float ***last = u;
    u = v;
    v = last;
  }
}
