/* lid-driven cavity pieces: pressure Poisson with Neumann walls set after */
void pressure(int nx, int ny, int nit, double p[ny][nx], double pn[ny][nx], double b[ny][nx], double dx, double dy) {
  for (int q = 0; q < nit; q++) {
    for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++) pn[j][i] = p[j][i];
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        p[j][i] = ((pn[j][i+1] + pn[j][i-1]) * dy * dy + (pn[j+1][i] + pn[j-1][i]) * dx * dx) / (2 * (dx * dx + dy * dy)) - dx * dx * dy * dy / (2 * (dx * dx + dy * dy)) * b[j][i];
    for (int j = 0; j < ny; j++) { p[j][nx-1] = p[j][nx-2]; p[j][0] = p[j][1]; }
    for (int i = 0; i < nx; i++) { p[0][i] = p[1][i]; p[ny-1][i] = 0; }
  }
}
