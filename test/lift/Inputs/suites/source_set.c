/* A point that is set anew after all others, from an array that the step goes on to change */
void driven(int ny, int nx, int steps, double a[ny][nx], double b[ny][nx], const double *signal,
            int sy, int sx) {
  for (int t = 0; t < steps; t++) {
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        b[y][x] = 0.5 * a[y][x];
    b[sy][sx] = a[sy][sx] + signal[t];
    for (int y = 1; y < ny - 1; y++)
      for (int x = 0; x < nx; x++)
        a[y][x] = b[y - 1][x] + b[y + 1][x];
  }
}
