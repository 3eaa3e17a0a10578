#include "frontend/lift/CheckSupport.h"

namespace stencilc::lift {

llvm::StringRef comparingText() {
  return R"(
/// From 0 up to 1.
double random_number(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return double(state >> 40) / double(1 << 24);
}
/// From 0.5 up to 1.5; with `isSigned`, one in four below 0.
template <class T> std::vector<T> random_array(long long count, uint64_t &state, bool isSigned) {
  std::vector<T> values(count > 0 ? count : 1);
  for (T &value : values) {
    value = T(0.5 + random_number(state));
    if (isSigned && random_number(state) < 0.25)
      value = -value;
  }
  return values;
}
/// Whole numbers: most are 0 or 1, as in masks and automata, others small, a few up to `most`.
template <class T>
std::vector<T> random_whole(long long count, uint64_t &state, bool isSigned, double most) {
  std::vector<T> values(count > 0 ? count : 1);
  for (T &value : values) {
    const double kind = random_number(state);
    value = T(std::floor((kind < 0.5 ? 2 : kind < 0.7 ? std::min(most + 1, 5.0) : most + 1) *
                         random_number(state)));
    if (isSigned && random_number(state) < 0.25)
      value = value == 0 ? value : -value;
  }
  return values;
}
template <class T> bool is_equal(const T *mine, const T *theirs) {
  return std::memcmp(mine, theirs, sizeof(T)) == 0;
}
/// Of whole numbers: a number that they do not have is another one, and so is -0.
template <class T, class W> bool is_equal(const T *mine, const W *theirs) {
  const T number = T(*theirs);
  return is_equal(mine, &number);
}
/// Prints the first point where two arrays differ. All NaNs are one.
template <class T, class W>
bool differ(const char *name, const T *mine, const W *theirs, long long step,
            std::initializer_list<long long> extents) {
  long long count = 1;
  for (long long extent : extents)
    count *= extent;
  for (long long point = 0; point < count * step; point += step) {
    if (is_equal(&mine[point], &theirs[point]) ||
        (std::isnan(mine[point]) && std::isnan(double(theirs[point]))))
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

llvm::StringRef membersText() {
  return R"(
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <valarray>
#include <vector>
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif
struct AnyPointer {
  void *pointer;
  template <class T> operator T *() const { return (T *)pointer; }
};
namespace {
template <class T, class V> void lift_set(const T &member, V value) { const_cast<T &>(member) = T(value); }
template <class T> void lift_hand(T *const &member, void *from, long long, size_t) {
  const_cast<T *&>(member) = (T *)from;
}
template <class T> void lift_hand(const std::vector<T> &member, void *from, long long count, size_t size) {
  T *const first = (T *)from;
  new (const_cast<std::vector<T> *>(&member)) std::vector<T>(first, first + count * size / sizeof(T));
}
template <class T> void lift_hand(const std::valarray<T> &member, void *from, long long count, size_t) {
  new (const_cast<std::valarray<T> *>(&member)) std::valarray<T>((const T *)from, size_t(count));
}
#if __has_include(<span>) && __cplusplus >= 202002L
template <class T, size_t N> void lift_hand(const std::span<T, N> &member, void *from, long long count, size_t) {
  new (const_cast<std::span<T, N> *>(&member)) std::span<T, N>((T *)from, size_t(count));
}
template <class T, size_t N> void lift_fetch(const std::span<T, N> &, void *, long long, size_t) {}
#endif
template <class T, class D> void lift_hand(const std::unique_ptr<T, D> &member, void *from, long long, size_t) {
  using Pointer = typename std::unique_ptr<T, D>::pointer;
  new (const_cast<std::unique_ptr<T, D> *>(&member)) std::unique_ptr<T, D>((Pointer)from);
}
template <class T, size_t N>
void lift_hand(const T (&member)[N], void *from, long long count, size_t size) {
  std::memcpy((void *)&member, from, std::min<size_t>(sizeof member, count * size));
}
template <class T, size_t N>
void lift_hand(const std::array<T, N> &member, void *from, long long count, size_t size) {
  std::memcpy((void *)&member, from, std::min<size_t>(sizeof member, count * size));
}
/// Rows of vectors, which lie one after the other from `from` on; how many there are of each.
template <class T> T *lift_take_rows(T &element, T *from, const std::vector<long long> &, size_t = 0) {
  element = *from;
  return from + 1;
}
template <class T>
T *lift_take_rows(std::vector<bool> &row, T *from, const std::vector<long long> &extents, size_t depth) {
  row.assign(from, from + extents[depth]);
  return from + extents[depth];
}
template <class V, class T>
T *lift_take_rows(std::vector<V> &rows, T *from, const std::vector<long long> &extents, size_t depth = 0) {
  rows.resize(extents[depth]);
  for (V &row : rows)
    from = lift_take_rows(row, from, extents, depth + 1);
  return from;
}
template <class T> T *lift_give_rows(const T &element, T *to) { return *to = element, to + 1; }
template <class T> T *lift_give_rows(const std::vector<bool> &row, T *to) {
  return std::copy(row.begin(), row.end(), to);
}
template <class V, class T> T *lift_give_rows(const std::vector<V> &rows, T *to) {
  for (const V &row : rows)
    to = lift_give_rows(row, to);
  return to;
}
template <class T> void lift_fetch(T *const &, void *, long long, size_t) {}
template <class T> void lift_fetch(const std::vector<T> &member, void *to, long long count, size_t size) {
  std::copy(member.begin(), member.end(), (T *)to);
}
template <class T> void lift_fetch(const std::valarray<T> &member, void *to, long long, size_t) {
  std::copy(std::begin(member), std::end(member), (T *)to);
}
/// Pointers may have changed places: all are looked at before any memory is set.
std::vector<std::pair<void *, std::vector<char>>> lift_fetched;
template <class T, class D>
void lift_fetch(const std::unique_ptr<T, D> &member, void *to, long long count, size_t size) {
  const char *from = (const char *)member.get();
  lift_fetched.emplace_back(to, std::vector<char>(from, from + count * size));
}
void lift_settle() {
  for (auto &fetched : lift_fetched)
    std::memcpy(fetched.first, fetched.second.data(), fetched.second.size());
  lift_fetched.clear();
}
template <class T, size_t N>
void lift_fetch(const T (&member)[N], void *to, long long count, size_t size) {
  std::memcpy(to, (const void *)&member, std::min<size_t>(sizeof member, count * size));
}
template <class T, size_t N>
void lift_fetch(const std::array<T, N> &member, void *to, long long count, size_t size) {
  std::memcpy(to, (const void *)&member, std::min<size_t>(sizeof member, count * size));
}
}
)";
}

} // namespace stencilc::lift
