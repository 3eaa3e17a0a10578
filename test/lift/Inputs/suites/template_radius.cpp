template <typename real, int R>
void star(const real *a, real *b, const real *w, int nz, int ny, int nx) {
  const int sy = nx, sz = nx * ny;
  for (int k = R; k < nz - R; k++)
    for (int j = R; j < ny - R; j++)
      for (int i = R; i < nx - R; i++) {
        const int c = k * sz + j * sy + i;
        real acc = w[0] * a[c];
        for (int r = 1; r <= R; r++)
          acc += w[r] * (a[c - r] + a[c + r] + a[c - r * sy] + a[c + r * sy] + a[c - r * sz] +
                         a[c + r * sz]);
        b[c] = acc;
      }
}
void call(const double *a, double *b, const double *w, int n) { star<double, 4>(a, b, w, n, n, n); }
