void step(int nx, int ny, double u[ny][nx], double w[ny][nx], double a) {
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      double n = (y > 0) ? u[y - 1][x] : 0.0;
      double s = (y < ny - 1) ? u[y + 1][x] : 0.0;
      double l = (x > 0) ? u[y][x - 1] : u[y][x];
      double r = (x < nx - 1) ? u[y][x + 1] : u[y][x];
      w[y][x] = u[y][x] + a * (n + s + l + r - 4.0 * u[y][x]);
    }
}
