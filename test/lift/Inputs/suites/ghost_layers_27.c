/* boundary exchange on one rank, then a 27-point average */
typedef double real;
void mg_step(int nx, int ny, int nz, int num_tsteps, real grid[nz + 2][ny + 2][nx + 2],
             real work[nz + 2][ny + 2][nx + 2]) {
  for (int ts = 0; ts < num_tsteps; ts++) {
    for (int k = 1; k <= nz; k++)
      for (int j = 1; j <= ny; j++) {
        grid[k][j][0] = grid[k][j][1];
        grid[k][j][nx + 1] = grid[k][j][nx];
      }
    for (int k = 1; k <= nz; k++)
      for (int i = 0; i <= nx + 1; i++) {
        grid[k][0][i] = grid[k][1][i];
        grid[k][ny + 1][i] = grid[k][ny][i];
      }
    for (int j = 0; j <= ny + 1; j++)
      for (int i = 0; i <= nx + 1; i++) {
        grid[0][j][i] = grid[1][j][i];
        grid[nz + 1][j][i] = grid[nz][j][i];
      }
    for (int k = 1; k <= nz; k++)
      for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++) {
          real s = 0.0;
          for (int dk = -1; dk <= 1; dk++)
            for (int dj = -1; dj <= 1; dj++)
              for (int di = -1; di <= 1; di++)
                s += grid[k + dk][j + dj][i + di];
          work[k][j][i] = s / 27.0;
        }
    for (int k = 1; k <= nz; k++)
      for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++)
          grid[k][j][i] = work[k][j][i];
  }
}
