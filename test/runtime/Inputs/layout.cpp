// Lays out arrays of extreme extents, which must not overflow; prints what is laid out.
#include "heat.h"

#include <cstdio>

int main() {
  const int64_t least = INT64_MIN, most = INT64_MAX, large = 2000000000;
  const int64_t extents[][3] = {
      {2, 3, 4},     {most, 1, 1},         {1, most, 1},       {1, 1, most},
      {-1, -1, -1},  {least, 1, most},     {most, most, most}, {large, large, large},
      {1, 1, large}, {least, least, least}};
  for (const auto &[z, y, x] : extents) {
    heat_args args = heat_args_default();
    args.nz = z;
    args.ny = y;
    args.nx = x;
    int64_t lead = 0, elements = 0;
    heat_layout(&args, &lead, &elements);
    std::printf("%lld*%lld*%lld: %lld\n", (long long)z, (long long)y, (long long)x,
                (long long)elements);
  }
}
