// What emitted text has for divisions and square roots, on special numbers: the bits of the plain
// operations.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#define __device__
#include "helpers.h"

template <class T> static bool isSame(T one, T other) {
  return std::memcmp(&one, &other, sizeof(T)) == 0 || (one != one && other != other);
}

template <class T> static int different() {
  using Limits = std::numeric_limits<T>;
  const T numbers[] = {0,
                       -T(0),
                       1,
                       -1,
                       T(0.3),
                       -T(7),
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       Limits::max(),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN()};
  int count = 0;
  for (T a : numbers) {
    count += !isSame<T>(root(a), std::sqrt(a));
    for (T b : numbers)
      count += !isSame<T>(quotient(a, b), a / b);
  }
  return count;
}

int main() {
  std::printf("%d and %d differ\n", different<float>(), different<double>());
  return 0;
}
