static void update(int n, double u[n][n], double v[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
static void edges(int n, double v[n][n]) {
  for (int i = 0; i < n; i++) {
    v[i][0] = 0.0;
    v[i][n - 1] = 0.0;
    v[0][i] = 1.0;
    v[n - 1][i] = 0.0;
  }
}
void simulate(int n, double u[n][n], double v[n][n], int steps) {
  for (int t = 0; t < steps; t++) {
    update(n, u, v);
    edges(n, v);
    update(n, v, u);
    edges(n, u);
  }
}
