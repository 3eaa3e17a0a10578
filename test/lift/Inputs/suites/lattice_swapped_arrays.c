/* The same, direction by direction. */
void lattice_swapped_arrays(int n, int steps, double f[3][n], double g[3][n]) {
  for (int s = 0; s < steps; ++s) {
    for (int x = 1; x < n - 1; ++x) {
      const double mean = (f[0][x] + f[1][x - 1] + f[2][x + 1]) / 3;
      g[0][x] = mean;
      g[1][x] = 0.5 * (f[1][x - 1] + mean);
      g[2][x] = 0.5 * (f[2][x + 1] + mean);
    }
    double(*last)[n] = f;
    f = g;
    g = last;
  }
}
