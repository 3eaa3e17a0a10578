/* Gauss-Seidel in the order of a chessboard's squares */
#include <math.h>

/* each colour in turn, by a condition */
// EQUAL
void relaxed(int n, int m, int sweeps, double (*u)[m], double (*f)[m], double omega) {
  for (int s = 0; s < sweeps; s++)
    for (int color = 0; color <= 1; color++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          if ((i + j) % 2 == color) {
            double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
            u[i][j] += omega * (r - u[i][j]);
          }
}

/* every other point of a row, from one on that the row and the colour say */
// EQUAL
void strided(int n, int sweeps, double u[n][n], const double f[n][n]) {
  for (int t = 0; t < sweeps; t++)
    for (int color = 0; color < 2; color++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
          u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}

/* two nests, a wall and a residual behind them */
#define AT(i, j) u[(j) * nx + (i)]
// EQUAL
double walled(int nx, int ny, double *u, int sweeps) {
  double residual = 0;
  for (int s = 0; s < sweeps; s++) {
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        if (((i + j) & 1) == 0)
          AT(i, j) = 0.25 * (AT(i - 1, j) + AT(i + 1, j) + AT(i, j - 1) + AT(i, j + 1));
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        if ((i + j) & 1)
          AT(i, j) = 0.25 * (AT(i - 1, j) + AT(i + 1, j) + AT(i, j - 1) + AT(i, j + 1));
    for (int j = 0; j < ny; j++)
      AT(nx - 1, j) = AT(nx - 2, j);
    residual = 0;
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        residual = fmax(residual, fabs(AT(i - 1, j) + AT(i + 1, j) - 2 * AT(i, j)));
  }
  return residual;
}

/* half a sweep a step, where a mask lets it */
// EQUAL
void half_sweeps(int n, int steps, float *restrict p, const float *restrict mask) {
  for (int s = 0; s < steps; s++)
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        for (int k = 1 + ((i + j + s) & 1); k <= n; k += 2) {
          long c = ((long)i * (n + 2) + j) * (n + 2) + k;
          if (mask[c] > 0.5f)
            p[c] += 0.3f * (p[c - 1] + p[c + 1] + p[c - n - 2] + p[c + n + 2] +
                            p[c - (n + 2) * (n + 2)] + p[c + (n + 2) * (n + 2)] - 6 * p[c]);
        }
}

/* a function sweeps one colour, three colours are given to it in turn */
static void sweep(int n, double *u, int color) {
  for (int i = 1; i < n - 1; i++)
    if (i % 2 == color % 2)
      u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}
// EQUAL
void to_and_fro(int n, int steps, double *u) {
  for (int t = 0; t < steps; t++)
    for (int color = 0; color < 3; color++)
      sweep(n, u, color);
}

/* points that take turns with the steps, each by itself */
// EQUAL
void by_turn(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      if ((i + t) % 2 == 0)
        a[i] = 0.5 * (b[i - 1] + b[i + 1]);
}
