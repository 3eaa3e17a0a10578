#include <stddef.h>
static inline size_t idx(size_t x, size_t y, size_t z, size_t nx, size_t ny) {
  return x + nx * (y + ny * z);
}
void jac(const double *restrict in, double *restrict out, size_t nx, size_t ny, size_t nz) {
  for (size_t z = 1; z < nz - 1; ++z)
    for (size_t y = 1; y < ny - 1; ++y)
      for (size_t x = 1; x < nx - 1; ++x)
        out[idx(x, y, z, nx, ny)] = (in[idx(x - 1, y, z, nx, ny)] + in[idx(x + 1, y, z, nx, ny)] +
                                     in[idx(x, y - 1, z, nx, ny)] + in[idx(x, y + 1, z, nx, ny)] +
                                     in[idx(x, y, z - 1, nx, ny)] + in[idx(x, y, z + 1, nx, ny)]) /
                                    6.0;
}
