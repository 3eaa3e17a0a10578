/* Layers that a short loop counts from both ends, in rows whose ghosts are only partly read. */
void ghost_layers_counted(int n, int m, int steps, double u[m + 4][n + 4], double v[m + 4][n + 4]) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m + 4; j++)
      for (int g = 0; g < 2; g++) {
        u[j][g] = u[j][2];
        u[j][n + 2 + g] = u[j][n + 1];
      }
    for (int j = 2; j < m + 2; j++)
      for (int i = 2; i < n + 2; i++)
        v[j][i] = u[j - 2][i] + u[j + 2][i] + u[j][i - 2] + u[j][i + 1];
    for (int j = 2; j < m + 2; j++)
      for (int i = 2; i < n + 2; i++)
        u[j][i] = v[j][i];
  }
}
