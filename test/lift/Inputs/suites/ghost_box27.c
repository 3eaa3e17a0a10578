void mg_stencil_3d27pt(int nx, int ny, int nz, double *grid_in, double *grid_out) {
#define G(a, i, j, k) a[((k) * (ny + 2) + (j)) * (nx + 2) + (i)]
  const double div = 1.0 / 27.0;
  int i, j, k, ii, jj, kk;
  for (k = 1; k <= nz; k++)
    for (j = 1; j <= ny; j++)
      for (i = 1; i <= nx; i++) {
        double s = 0.0;
        for (kk = -1; kk <= 1; kk++) for (jj = -1; jj <= 1; jj++) for (ii = -1; ii <= 1; ii++)
          s += G(grid_in, i + ii, j + jj, k + kk);
        G(grid_out, i, j, k) = s * div;
      }
}
