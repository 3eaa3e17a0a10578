/* All points are copied, those within a halo of any depth made anew */
void inside(int nx, int ny, int depth, const double *k, double *u, double *old) {
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      old[y * nx + x] = u[y * nx + x];
  for (int y = depth; y < ny - depth; y++)
    for (int x = depth; x < nx - depth; x++) {
      const int at = y * nx + x;
      u[at] = (old[at] + k[at + 1] * old[at + 1] + k[at] * old[at - 1] + k[at + nx] * old[at + nx] +
               k[at] * old[at - nx]) /
              (1 + k[at] + k[at + 1] + k[at + nx]);
    }
}
