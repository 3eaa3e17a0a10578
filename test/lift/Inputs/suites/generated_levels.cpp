#include <cstdint>
typedef float real_t;
typedef std::int64_t idx_t;
#define P(t, x, y, z) p[((((t) & 1) * xn + (x)) * yn + (y)) * zn + (z)]
#define V(x, y, z) v[((x) * yn + (y)) * zn + (z)]
void calc(real_t *__restrict p, const real_t *__restrict v, idx_t nt, idx_t xn, idx_t yn,
          idx_t zn) {
  for (idx_t t = 0; t < nt; t++)
    for (idx_t x = 2; x < xn - 2; x++)
      for (idx_t y = 2; y < yn - 2; y++)
#pragma omp simd
        for (idx_t z = 2; z < zn - 2; z++) {
          // 'temp1' is -8.5.
          const real_t temp1 = -8.5e-3;
          real_t temp2 = P(t, x, y, z) * temp1;
          real_t temp3 = P(t, x - 1, y, z) + P(t, x + 1, y, z);
          temp3 += P(t, x, y - 1, z) + P(t, x, y + 1, z);
          temp3 += P(t, x, y, z - 1) + P(t, x, y, z + 1);
          real_t temp4 = P(t, x - 2, y, z) + P(t, x + 2, y, z);
          temp2 += 1.6e-3 * temp3 - 1e-4 * temp4;
          temp2 = 2.0 * P(t, x, y, z) - P(t + 1, x, y, z) + temp2 * V(x, y, z);
          P(t + 1, x, y, z) = temp2;
        }
}
