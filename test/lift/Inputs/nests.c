/* Several nests and statements, sources, coefficients, conditions. */
#include <math.h>
#define N 40
#define M 36
double u[N][M], v[N][M];
double cx = 0.1;

/* Staggered grids; a value a step on an edge. */
void waves(int tmax, int nx, int ny, double ex[nx][ny], double ey[nx][ny], double hz[nx][ny],
           double pulse[tmax]) {
  int t, i, j;
  for (t = 0; t < tmax; t++) {
    for (j = 0; j < ny; j++)
      ey[0][j] = pulse[t];
    for (i = 1; i < nx; i++)
      for (j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (i = 0; i < nx; i++)
      for (j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (i = 0; i < nx - 1; i++)
      for (j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

/* Globals of a fixed size. */
void plate(int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M - 1; j++)
        v[i][j] = u[i][j] + cx * (u[i - 1][j] + u[i + 1][j] - 2 * u[i][j]) / 3;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M - 1; j++)
        u[i][j] = v[i][j];
  }
}

/* A coefficient for each neighbour, as an array of its own and as a number. */
void coefficients(int n, int m, const double c[3][n][m], const double w[3], double a[n][m],
                  double b[n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = c[0][i][j] * a[i][j] + c[1][i][j] * a[i - 1][j] + c[2][i][j] * a[i + 1][j] +
                w[0] * a[i][j - 1] + w[2] * a[i][j + 1];
}

/* All 27 points, in loops that add up. */
void box(int n, float (*a)[n][n], float (*b)[n][n]) {
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        float s = 0;
        for (int dz = -1; dz <= 1; dz++)
          for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
              s += a[z + dz][y + dy][x + dx] * (dx == 0 && dy == 0 && dz == 0 ? 2 : 1);
        b[z][y][x] = s / 28;
      }
}

/* A source at one point, growing with the step. */
void source(int n, int m, int steps, int si, int sj, double a[n][m], double b[n][m], double dt) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        if (i == si && j == sj)
          b[i][j] += dt * t;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
}

/* Fluxes with a limiter, through arrays that only pass values on. */
#define AT(k, j, i) ((k) * nj * ni + (j) * ni + (i))
void limited(int nk, int nj, int ni, const double *in, const double *coeff, double *out,
             double *lap, double *flx, double *fly) {
  for (int k = 0; k < nk; k++) {
    for (int j = 1; j < nj - 1; j++)
      for (int i = 1; i < ni - 1; i++)
        lap[AT(k, j, i)] = 4 * in[AT(k, j, i)] - (in[AT(k, j, i - 1)] + in[AT(k, j, i + 1)] +
                                                  in[AT(k, j - 1, i)] + in[AT(k, j + 1, i)]);
    for (int j = 2; j < nj - 2; j++)
      for (int i = 1; i < ni - 2; i++) {
        double d = lap[AT(k, j, i + 1)] - lap[AT(k, j, i)];
        flx[AT(k, j, i)] = d * (in[AT(k, j, i + 1)] - in[AT(k, j, i)]) > 0 ? 0 : d;
      }
    for (int j = 1; j < nj - 2; j++)
      for (int i = 2; i < ni - 2; i++) {
        double d = lap[AT(k, j + 1, i)] - lap[AT(k, j, i)];
        fly[AT(k, j, i)] = d * (in[AT(k, j + 1, i)] - in[AT(k, j, i)]) > 0 ? 0 : d;
      }
    for (int j = 2; j < nj - 2; j++)
      for (int i = 2; i < ni - 2; i++)
        out[AT(k, j, i)] =
            in[AT(k, j, i)] - coeff[AT(k, j, i)] * (flx[AT(k, j, i)] - flx[AT(k, j, i - 1)] +
                                                    fly[AT(k, j, i)] - fly[AT(k, j - 1, i)]);
  }
}

/* In place, where the order of the points does not matter: each reads what is still old. */
void upwind(int n, int steps, double *a, double c) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n - 1; i++)
      a[i] = a[i] + c * (a[i + 1] - a[i]);
}
void downwind(int n, int m, int steps, float a[n][m], float c) {
  for (int t = 0; t < steps; t++)
    for (int i = n - 1; i >= 1; i--)
      for (int j = 0; j < m; j++)
        a[i][j] = a[i][j] - c * (a[i][j] - a[i - 1][j]);
}

/* Two statements in one nest, the second of which reads what the first has made, and has yet to
   make. */
void together(int n, double *restrict a, double *restrict b, const double *restrict f) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = a[i] + f[i];
    b[i] = a[i - 1] + a[i] - a[i + 1];
  }
}

/* float with constants of double, divisions of whole numbers, the math library. */
void mixed(int n, int m, const float *a, float *b, float s) {
  const float third = 1.0 / 3;
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = 0.3 * a[i * m + j] + 7 / 2 * third * fabsf(a[(i - 1) * m + j]) +
                     exp(-a[(i + 1) * m + j]) * (i - j) + fmin(s, 0.5) + pow(s, 2) + (s > 0.1f);
}

/* Frames: the outermost points keep, or take their neighbours' value. */
void framed(int n, int m, double a[n][m], double b[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
        b[i][j] = a[i - 1][j] + a[i + 1][j] - a[i][j - 1] - a[i][j + 1];
  for (int j = 0; j < m; j++) {
    b[0][j] = a[1][j];
    b[n - 1][j] = 0;
  }
}

/* Bounds that are params: two layers. */
void layers(int n, int m, int depth, int steps, double a[n][m], double b[n][m], double slow,
            double fast) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < depth; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = a[i][j] + slow * (a[i - 1][j] + a[i + 1][j] - 2 * a[i][j]);
    for (int i = depth; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = a[i][j] + fast * (a[i - 1][j] + a[i + 1][j] - 2 * a[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
}

/* The edges take the value of their neighbours inside, which at the corners are not yet new. */
void insulated(int n, int m, int steps, double a[n][m], double b[n][m]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
    for (int j = 0; j < m; j++) {
      a[0][j] = a[1][j];
      a[n - 1][j] = a[n - 2][j];
    }
    for (int i = 1; i < n - 1; i++) {
      a[i][0] = a[i][1];
      a[i][m - 1] = 0;
    }
  }
}
void insulated_rod(int n, int steps, float *a, float *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    b[0] = b[1];
    b[n - 1] = b[n - 2];
    float *old = a;
    a = b;
    b = old;
  }
}
