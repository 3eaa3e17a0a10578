/* How far the new state is from solving the equation. */
#define N 50
double a[N][N], b[N][N], f[N][N];
double relax(int most, double tol, double h) {
  double res = 1;
  for (int k = 0; k < most && res > tol; k++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - h * f[i][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        a[i][j] = b[i][j];
    res = 0;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        double r = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j] -
                   h * f[i][j];
        res += r * r;
      }
  }
  return res;
}
