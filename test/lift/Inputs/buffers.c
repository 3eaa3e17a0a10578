/* Loops over time, and where they keep the levels. */

/* Two flat arrays whose pointers change places. */
void heat_swap(int nz, int ny, int nx, int steps, double *u, double *unew, double alpha,
               double beta) {
  for (int t = 0; t < steps; t++) {
    for (int z = 1; z < nz - 1; z++)
      for (int y = 1; y < ny - 1; y++)
        for (int x = 1; x < nx - 1; x++) {
          double around = u[(z * ny + y) * nx + x - 1] + u[(z * ny + y) * nx + x + 1] +
                          u[(z * ny + y - 1) * nx + x] + u[(z * ny + y + 1) * nx + x] +
                          u[((z - 1) * ny + y) * nx + x] + u[((z + 1) * ny + y) * nx + x];
          unew[(z * ny + y) * nx + x] = alpha * u[(z * ny + y) * nx + x] + beta * around;
        }
    double *old = u;
    u = unew;
    unew = old;
  }
}

/* The same in two dimensions, with the pointer that helps declared outside. */
void plate_swap(int rows, int columns, int steps, float *restrict a, float *restrict b) {
  float *help;
  int i, j, t;
  for (t = 1; t <= steps; ++t) {
#pragma omp parallel for private(j)
    for (i = 1; i <= rows - 2; ++i)
      for (j = 1; j <= columns - 2; ++j)
        b[i * columns + j] = 0.25f * (a[i * columns + j - 1] + a[i * columns + j + 1] +
                                      a[(i - 1) * columns + j] + a[(i + 1) * columns + j]);
    help = a;
    a = b;
    b = help;
  }
}

/* One array with two levels. */
void star_modulo(int steps, int n, float A[2][n][n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] =
              0.25f * A[t % 2][i][j][k] + 0.125f * A[t % 2][i - 1][j][k] +
              0.1251f * A[t % 2][i + 1][j][k] + 0.1252f * A[t % 2][i][j - 1][k] +
              0.1253f * A[t % 2][i][j + 1][k] + 0.1254f * A[t % 2][i][j][k - 1] +
              0.1255f * A[t % 2][i][j][k + 1];
}

void plate_modulo(int steps, int n, int m, double A[2][n][m]) {
  for (int t = 0; t < steps; t++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        A[1 - t % 2][i][j] = (A[t & 1][i - 2][j] + A[t & 1][i + 2][j] + A[t & 1][i][j - 2] +
                              A[t & 1][i][j + 2] + A[t & 1][i][j]) / 5.0;
}

/* Two nests, to and fro. */
void plate_alternating(int steps, int n, double A[n][n], double B[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}

void rod_alternating(int steps, int n, double A[n], double B[n]) {
  int t, i;
  for (t = 0; t < steps; t++) {
    for (i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

/* Back by a copy. */
void plate_copied(int n, int m, int steps, float u[n][m], float w[n][m], float c) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i <= n - 2; ++i)
      for (int j = 1; j <= m - 2; ++j)
        w[i][j] = u[i][j] + c * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] -
                                 4.0f * u[i][j]);
    for (int i = 1; i <= n - 2; ++i)
      for (int j = 1; j <= m - 2; ++j)
        u[i][j] = w[i][j];
  }
}

void rod_copied(int n, int steps, double *u, double *w, double c) {
  for (int t = 0; t < steps; ++t) {
    for (int i = n - 2; i > 0; --i)
      w[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      u[i] = w[i];
  }
}

/* Three levels, with two buffers and with three. */
void wave_two(int n, int m, int steps, double (*restrict p)[m], double (*restrict q)[m],
              const double (*restrict c)[m], double dt) {
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        p[i][j] = 2 * q[i][j] - p[i][j] +
                  dt * dt * c[i][j] *
                      (q[i - 1][j] + q[i + 1][j] + q[i][j - 1] + q[i][j + 1] - 4 * q[i][j]);
    double(*other)[m] = p;
    p = q;
    q = other;
  }
}

void wave_three(int n, int m, int steps, float (*restrict p)[m], float (*restrict q)[m],
                float (*restrict r)[m], const float (*restrict c)[m], float dt) {
  const float w[3] = {-2.5f, 4.0f / 3, -1.0f / 12};
  for (int s = 0; s < steps; s++) {
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++) {
        float laplace = 2 * w[0] * q[i][j];
        for (int d = 1; d <= 2; d++)
          laplace += w[d] * (q[i - d][j] + q[i + d][j] + q[i][j - d] + q[i][j + d]);
        r[i][j] = 2 * q[i][j] - p[i][j] + dt * dt * c[i][j] * laplace;
      }
    float(*last)[m] = p;
    p = q;
    q = r;
    r = last;
  }
}
