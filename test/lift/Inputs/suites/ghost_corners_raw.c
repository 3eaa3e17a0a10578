/* corners that no loop sets, and that are read: they are part of the state */
void blur(int nx, int ny, int steps, double u[nx + 2][ny + 2], double v[nx + 2][ny + 2]) {
  for (int s = 0; s < steps; s++) {
    for (int j = 1; j <= ny; j++) {
      u[0][j] = u[1][j];
      u[nx + 1][j] = u[nx][j];
    }
    for (int i = 1; i <= nx; i++) {
      u[i][0] = u[i][1];
      u[i][ny + 1] = u[i][ny];
    }
    for (int i = 1; i <= nx; i++)
      for (int j = 1; j <= ny; j++)
        v[i][j] = 0.25 * (u[i - 1][j - 1] + u[i + 1][j + 1] + u[i - 1][j + 1] + u[i + 1][j - 1]);
    for (int i = 1; i <= nx; i++)
      for (int j = 1; j <= ny; j++)
        u[i][j] = v[i][j];
  }
}
