/* elastic staggered grid, two nests, macros with strides */
#define A(p, k, j, i) p[((k) * (long)ny + (j)) * nx + (i)]
#define DXF(p)                                                                                     \
  (c1 * (A(p, k, j, i + 1) - A(p, k, j, i)) + c2 * (A(p, k, j, i + 2) - A(p, k, j, i - 1)))
#define DYB(p)                                                                                     \
  (c1 * (A(p, k, j, i) - A(p, k, j - 1, i)) + c2 * (A(p, k, j + 1, i) - A(p, k, j - 2, i)))
#define DZB(p)                                                                                     \
  (c1 * (A(p, k, j, i) - A(p, k - 1, j, i)) + c2 * (A(p, k + 1, j, i) - A(p, k - 2, j, i)))
void elastic(int nz, int ny, int nx, int nt, float dt, float *restrict vx, float *restrict sxx,
             float *restrict sxy, float *restrict sxz, const float *restrict rho,
             const float *restrict mu) {
  const float c1 = 9.f / 8, c2 = -1.f / 24;
  for (int t = 0; t < nt; t++) {
    for (int k = 2; k < nz - 2; k++)
      for (int j = 2; j < ny - 2; j++)
        for (int i = 2; i < nx - 2; i++)
          A(vx, k, j, i) += dt / A(rho, k, j, i) * (DXF(sxx) + DYB(sxy) + DZB(sxz));
    for (int k = 2; k < nz - 2; k++)
      for (int j = 2; j < ny - 2; j++)
        for (int i = 2; i < nx - 2; i++) {
          A(sxx, k, j, i) += dt * A(mu, k, j, i) * DXF(vx);
          A(sxy, k, j, i) += dt * A(mu, k, j, i) * DYB(vx);
          A(sxz, k, j, i) += dt * A(mu, k, j, i) * DZB(vx);
        }
  }
}
