void order2(int Nt, int Nz, int Ny, int Nx, double A[2][Nz][Ny][Nx], double roc2[Nz][Ny][Nx]) {
  double coef0 = -0.28472222222, coef1 = 0.16, coef2 = -0.02, coef3 = 0.00253968, coef4 = -0.000178;
  int t, i, j, k;
#pragma scop
  for (t = 0; t < Nt - 1; t++) {
    for (i = 4; i < Nz - 4; i++) {
      for (j = 4; j < Ny - 4; j++) {
        for (k = 4; k < Nx - 4; k++) {
          A[(t + 1) % 2][i][j][k] =
              2.0 * A[t % 2][i][j][k] - A[(t + 1) % 2][i][j][k] +
              roc2[i][j][k] *
                  (coef0 * A[t % 2][i][j][k] +
                   coef1 * (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k] +
                            A[t % 2][i][j + 1][k] + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]) +
                   coef2 * (A[t % 2][i - 2][j][k] + A[t % 2][i + 2][j][k]) +
                   coef4 * (A[t % 2][i - 4][j][k] + A[t % 2][i][j][k + 4]));
        }
      }
    }
  }
#pragma endscop
}
