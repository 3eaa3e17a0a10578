#include <algorithm>
#include <cstddef>
void sweep(std::size_t nz, std::size_t ny, std::size_t nx, const float *in, float *out, float w) {
  const std::size_t rows = 8;
  for (std::size_t z = 2; z < nz - 2; ++z)
    for (std::size_t first = 2; first < ny - 2; first += rows) {
      const std::size_t last = std::min(first + rows, ny - 2);
      for (std::size_t y = first; y < last; ++y)
        for (std::size_t x = 2; x < nx - 2; ++x) {
          const std::size_t c = (z * ny + y) * nx + x;
          out[c] = w * in[c] + in[c - 2] + in[c + 2] + in[c - 2 * nx] + in[c + 2 * nx] +
                   in[c - 2 * nx * ny] + in[c + 2 * nx * ny];
        }
    }
}
