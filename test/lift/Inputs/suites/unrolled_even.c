#define N 64
void unrolled(double a[N][N], double b[N][N]) {
  for (int i = 1; i < N - 1; i++)
    for (int x = 1; x < N - 1; x += 2) {
      a[i][x] = b[i][x - 1] + b[i][x + 1];
      a[i][x + 1] = b[i][x] + b[i][x + 2];
    }
}
