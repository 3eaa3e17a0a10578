// Arrays that show every access that should not be: they lie against inaccessible pages, and all
// that the program must not read or need not write holds a signalling NaN with a known pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stencilc::harness {

/// Which end of the array touches an inaccessible page.
enum class Flush { Left, Right };

/// Shape of an array; all vectors have one entry per axis, slowest first.
struct ArrayLayout {
  unsigned elementBytes; ///< 4 or 8
  std::vector<int64_t> extents;
  std::vector<int64_t> low, high; ///< ghost points at each end
  std::vector<int64_t> strides;   ///< in elements; the last one is 1
  Flush flush = Flush::Left;
  int64_t padding = 0; ///< elements between the array and the page it is flush with
};

/// Strides of the array as if it were alone in memory: rows end where the next ones begin, save for
/// `pitch` more elements in each.
std::vector<int64_t> denseStrides(const std::vector<int64_t> &extents,
                                  const std::vector<int64_t> &low, const std::vector<int64_t> &high,
                                  int64_t pitch = 0);

class GuardedArray {
public:
  /// One number per axis.
  using Index = std::span<const int64_t>;

  explicit GuardedArray(ArrayLayout layout);
  ~GuardedArray();
  GuardedArray(const GuardedArray &) = delete;
  GuardedArray &operator=(const GuardedArray &) = delete;

  /// Address of point (0, 0, 0), also where there is no such point.
  void *origin() const { return first + originOffset() * layout.elementBytes; }
  /// The element at an index from -low to extent + high - 1 on each axis, as a number.
  double get(Index index) const;
  void set(Index index, double value);
  /// True if no element between the rows, and none before or after the array, was written since
  /// the array was made.
  bool paddingIsIntact() const;
  /// Everything between the inaccessible pages.
  std::span<const char> accessible() const { return {memory, memoryBytes}; }
  /// Faults on every write from now on.
  void makeReadOnly();

private:
  int64_t originOffset() const;
  char *address(Index index) const;

  ArrayLayout layout;
  char *pages;      ///< the mapping, guard pages included
  size_t pageBytes; ///< of the mapping
  char *memory;     ///< what may be accessed: whole pages
  size_t memoryBytes;
  char *first; ///< the element at index -low
};

} // namespace stencilc::harness
