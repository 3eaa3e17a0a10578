void wave25(int nz, int ny, int nx, int nt, double A[2][nz][ny][nx], double roc2[nz][ny][nx],
            const double coef0, double coef1, double coef2, double coef3, double coef4) {
  int t, i, j, k;
#pragma scop
  for (t = 0; t < nt; t++) {
    for (i = 4; i < nz - 4; i++) {
      for (j = 4; j < ny - 4; j++) {
        for (k = 4; k < nx - 4; k++) {
          A[(t + 1) % 2][i][j][k] =
              2.0 * A[t % 2][i][j][k] - A[(t + 1) % 2][i][j][k] +
              roc2[i][j][k] *
                  (coef0 * A[t % 2][i][j][k] +
                   coef1 * (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k] +
                            A[t % 2][i][j + 1][k] + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]) +
                   coef2 * (A[t % 2][i - 2][j][k] + A[t % 2][i + 2][j][k] + A[t % 2][i][j - 2][k] +
                            A[t % 2][i][j + 2][k] + A[t % 2][i][j][k - 2] + A[t % 2][i][j][k + 2]) +
                   coef3 * (A[t % 2][i - 3][j][k] + A[t % 2][i + 3][j][k] + A[t % 2][i][j - 3][k] +
                            A[t % 2][i][j + 3][k] + A[t % 2][i][j][k - 3] + A[t % 2][i][j][k + 3]) +
                   coef4 * (A[t % 2][i - 4][j][k] + A[t % 2][i + 4][j][k] + A[t % 2][i][j - 4][k] +
                            A[t % 2][i][j + 4][k] + A[t % 2][i][j][k - 4] + A[t % 2][i][j][k + 4]));
        }
      }
    }
  }
#pragma endscop
}
