#define NV 3
#define N 20
void step(double q[NV][N][N][N], double qn[NV][N][N][N], double k, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int v = 0; v < NV; v++)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          for (int l = 1; l < N - 1; l++)
            qn[v][i][j][l] =
                q[v][i][j][l] + k * (q[v][i - 1][j][l] + q[v][i + 1][j][l] - 2 * q[v][i][j][l]);
    for (int v = 0; v < NV; v++)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          for (int l = 1; l < N - 1; l++)
            q[v][i][j][l] = qn[v][i][j][l];
  }
}
