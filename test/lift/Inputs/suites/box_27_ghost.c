#define GRID(a, i, j, k) a[((i) * (ny + 2) + (j)) * (nz + 2) + (k)]
void stencil_3d27pt(int nx, int ny, int nz, double *restrict work, const double *restrict grid) {
  for (int i = 1; i <= nx; i++)
    for (int j = 1; j <= ny; j++)
      for (int k = 1; k <= nz; k++) {
        double slice = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++)
            for (int dk = -1; dk <= 1; dk++)
              slice += GRID(grid, i + di, j + dj, k + dk);
        GRID(work, i, j, k) = slice / 27.0;
      }
}
