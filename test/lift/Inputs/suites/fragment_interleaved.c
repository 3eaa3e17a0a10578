double a[M][N][P];
double b[M][N][P];
double W[M][N][P][7];
for (long k = 1; k < M - 1; ++k) {
  for (long j = 1; j < N - 1; ++j) {
    for (long i = 1; i < P - 1; ++i) {
      b[k][j][i] = W[k][j][i][0] * a[k][j][i] + W[k][j][i][1] * a[k][j][i - 1] +
                   W[k][j][i][2] * a[k][j][i + 1];
    }
  }
}
