/* Loops over rows and points, and loops over all points of the same arrays at once. */
#define N 40

// EQUAL
void copied(int steps, double a[N * N], double b[N * N]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        a[i * N + j] = 0.25 * (b[(i - 1) * N + j] + b[(i + 1) * N + j] + b[i * N + j - 1] +
                               b[i * N + j + 1]);
    for (int p = 0; p < N * N; p++)
      b[p] = a[p];
  }
}

// EQUAL
void added(int nx, int ny, int nz, double *u, double *k, double dt) {
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const long p = x + nx * (y + (long)ny * z);
        k[p] = u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] + u[p - nx * ny] + u[p + nx * ny] -
               6 * u[p];
      }
  for (long p = 0; p < (long)nx * ny * nz; p++)
    u[p] += dt * k[p];
}

// EQUAL: a row further on, and an array that no other loop names
void row_on(int nx, int ny, double *u, double *v, double *w) {
  for (int p = nx * ny - 1; p >= 0; p--)
    w[p] = 2 * u[p];
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++)
      v[y * nx + x] = u[y * nx + x - 1] + u[(y - 1) * nx + x];
  for (int p = 0; p < nx * (ny - 1); p++)
    u[p] = v[p + nx] + w[p];
}
