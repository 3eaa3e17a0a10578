#define N 33
void wrapped(double a[N][N], double b[N][N], int T) {
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        b[i][j] = 0.25 * (a[(i - 1 + N) % N][j] + a[(i + 1) % N][j] + a[i][(j - 1 + N) % N] +
                          a[i][(j + 1) % N]);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = b[i][j];
  }
}
