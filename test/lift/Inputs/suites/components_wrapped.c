/* an elastic wave with components in the first axis */
#define C 3
#define N 40
void wave(double u[C][N][N], double un[C][N][N], double up[C][N][N], double k, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int c = 0; c < C; c++)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
          un[c][i][j] = 2 * u[c][i][j] - up[c][i][j] +
                        k * (u[c][i - 1][j] + u[c][i + 1][j] + u[c][i][j - 1] + u[c][i][j + 1] -
                             4 * u[c][i][j]) +
                        0.01 * u[(c + 1) % C][i][j];
    for (int c = 0; c < C; c++)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
          up[c][i][j] = u[c][i][j];
          u[c][i][j] = un[c][i][j];
        }
  }
}
