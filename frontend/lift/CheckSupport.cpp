#include "frontend/lift/CheckSupport.h"

namespace stencilc::lift {

llvm::StringRef comparingText() {
  return R"(
/// From 0 up to 1.
double random_number(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return double(state >> 40) / double(1 << 24);
}
template <class T> std::vector<T> random_array(long long count, uint64_t &state) {
  std::vector<T> values(count > 0 ? count : 1);
  for (T &value : values)
    value = T(0.5 + random_number(state));
  return values;
}
/// Prints the first point where two arrays differ. All NaNs are one.
template <class T>
bool differ(const char *name, const T *mine, const T *theirs, long long step,
            std::initializer_list<long long> extents) {
  long long count = 1;
  for (long long extent : extents)
    count *= extent;
  for (long long point = 0; point < count * step; point += step) {
    if (std::memcmp(&mine[point], &theirs[point], sizeof(T)) == 0 ||
        (std::isnan(mine[point]) && std::isnan(theirs[point])))
      continue;
    std::printf("%s[", name);
    long long rest = point / step, size = count;
    for (long long extent : extents) {
      size /= extent;
      std::printf("%s%lld", size * extent == count ? "" : ", ", rest / size);
      rest %= size;
    }
    std::printf("] is %.17g by the loops and %.17g by the stencil\n", double(theirs[point]),
                double(mine[point]));
    return true;
  }
  return false;
}
/// A number over all points, of which the terms' sizes times their number are `most`.
template <class T>
bool agree(const char *function, const char *name, double mine, double theirs, double most) {
  const double bound = most * std::numeric_limits<T>::epsilon();
  const double off = std::fabs(double(T(mine)) - theirs);
  if (std::isnan(mine) && std::isnan(theirs))
    return true;
  if (!(off <= bound)) {
    std::printf("%s is %.17g by the loops and %.17g by the stencil\n", name, theirs, mine);
    return false;
  }
  if (bound == 0)
    std::printf("%s: %s is equal\n", function, name);
  else
    std::printf("%s: %s is off by %.2g, where rounding explains %.2g\n", function, name, off, bound);
  return true;
}
)";
}

} // namespace stencilc::lift
