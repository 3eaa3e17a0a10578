/* Cells whose components take turns, in two levels; the first and the last stay. */
void lattice_swapped_inside(int n, int steps, double f[n][3], double g[n][3]) {
  for (int s = 0; s < steps; ++s) {
    for (int x = 1; x < n - 1; ++x) {
      const double mean = (f[x][0] + f[x - 1][1] + f[x + 1][2]) / 3;
      g[x][0] = mean;
      g[x][1] = 0.5 * (f[x - 1][1] + mean);
      g[x][2] = 0.5 * (f[x + 1][2] + mean);
    }
    double(*last)[3] = f;
    f = g;
    g = last;
  }
}
