void mac(int nx, int ny, float u[nx + 1][ny], float v[nx][ny + 1], float p[nx][ny],
         float div[nx][ny], float rdx, float dt) {
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      div[i][j] = rdx * (u[i + 1][j] - u[i][j] + v[i][j + 1] - v[i][j]);
  for (int i = 1; i < nx; i++)
    for (int j = 0; j < ny; j++)
      u[i][j] -= dt * rdx * (p[i][j] - p[i - 1][j]);
  for (int i = 0; i < nx; i++)
    for (int j = 1; j < ny; j++)
      v[i][j] -= dt * rdx * (p[i][j] - p[i][j - 1]);
}
