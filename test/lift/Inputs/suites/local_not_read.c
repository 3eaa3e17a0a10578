/* A local array that holds a value for the rest of the turn alone. */
void local_not_read(int ny, int nx, double f[ny][nx], double g[ny][nx]) {
  double flux[ny][nx];
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) {
      flux[y][x] = f[y][x + 1] - f[y][x - 1];
      g[y][x] = f[y][x] - 0.5 * flux[y][x];
    }
}
