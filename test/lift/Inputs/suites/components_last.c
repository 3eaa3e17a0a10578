#define N 20
void rhs(double q[N][N][N][5], double r[N][N][N][5], double k) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      for (int l = 1; l < N - 1; l++)
        for (int m = 0; m < 5; m++)
          r[i][j][l][m] = k * (q[i - 1][j][l][m] + q[i + 1][j][l][m] + q[i][j - 1][l][m] +
                               q[i][j + 1][l][m] - 4 * q[i][j][l][m]);
}
