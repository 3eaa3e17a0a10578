void lap(int nx, int ny, const double *u, double *w) {
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) {
      // what flows in from the four sides
      double l = -4.0 * u[y * nx + x] + (u[y * nx + x - 1] + u[y * nx + x + 1]) +
                 (u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
      /* explicit Euler */
      w[y * nx + x] = u[y * nx + x] + 0.1 * l; // new state
    }
}
