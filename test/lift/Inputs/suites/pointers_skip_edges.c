void blur(int ny, int nx, const double *restrict a, double *restrict b) {
  const double *p = a + nx;
  double *q = b + nx;
  for (int y = 1; y < ny - 1; y++) {
    p++;
    q++;
    for (int x = 1; x < nx - 1; x++) {
      *q = p[-1] + p[1] + p[-nx] + p[nx];
      p++;
      ++q;
    }
    p++;
    q++;
  }
}
