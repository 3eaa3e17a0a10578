void unrolled(int nx, int ny, const double *restrict u, double *restrict v) {
  int x, y;
  for (y = 1; y < ny - 1; y++) {
    for (x = 1; x < nx - 2; x += 2) {
      v[y * nx + x] = 0.25 * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] +
                              u[(y + 1) * nx + x]);
      v[y * nx + x + 1] = 0.25 * (u[y * nx + x] + u[y * nx + x + 2] + u[(y - 1) * nx + x + 1] +
                                  u[(y + 1) * nx + x + 1]);
    }
    for (; x < nx - 1; x++)
      v[y * nx + x] = 0.25 * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] +
                              u[(y + 1) * nx + x]);
  }
}
