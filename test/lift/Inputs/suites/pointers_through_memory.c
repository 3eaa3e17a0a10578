/* all of the memory, by pointers that go on */
void add3(int nz, int ny, int nx, const double *restrict s, double *restrict d) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        *d++ = 0.5 * *s++ + z;
}
