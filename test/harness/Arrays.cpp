#include "test/harness/Arrays.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace stencilc::harness {
namespace {

// Signalling NaNs that no arithmetic makes.
constexpr uint32_t kPoison32 = 0x7fa0dead;
constexpr uint64_t kPoison64 = 0x7ff4deadbeefdead;

void poison(char *element, unsigned bytes) {
  if (bytes == sizeof kPoison32)
    std::memcpy(element, &kPoison32, bytes);
  else
    std::memcpy(element, &kPoison64, bytes);
}

bool isPoison(const char *element, unsigned bytes) {
  char pattern[sizeof kPoison64];
  poison(pattern, bytes);
  return std::memcmp(element, pattern, bytes) == 0;
}

} // namespace

std::vector<int64_t> denseStrides(const std::vector<int64_t> &extents,
                                  const std::vector<int64_t> &low, const std::vector<int64_t> &high,
                                  int64_t pitch) {
  std::vector<int64_t> strides(extents.size());
  int64_t stride = 1;
  for (size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= extents[axis] + low[axis] + high[axis];
    if (axis + 1 == extents.size())
      stride += pitch;
  }
  return strides;
}

GuardedArray::GuardedArray(ArrayLayout newLayout) : layout(std::move(newLayout)) {
  int64_t span = 1;
  for (size_t axis = 0; axis < layout.extents.size(); ++axis) {
    const int64_t points = layout.extents[axis] + layout.low[axis] + layout.high[axis];
    span = points == 0 || span == 0 ? 0 : span + (points - 1) * layout.strides[axis];
  }
  const size_t page = sysconf(_SC_PAGESIZE);
  const size_t bytes = (span + layout.padding) * layout.elementBytes;
  memoryBytes = std::max<size_t>((bytes + page - 1) / page, 1) * page;
  pageBytes = memoryBytes + 2 * page;
  pages =
      static_cast<char *>(mmap(nullptr, pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  memory = pages + page;
  if (pages == MAP_FAILED || mprotect(memory, memoryBytes, PROT_READ | PROT_WRITE) != 0) {
    std::perror("harness: cannot map an array");
    std::abort();
  }
  for (size_t offset = 0; offset < memoryBytes; offset += layout.elementBytes)
    poison(memory + offset, layout.elementBytes);
  first = layout.flush == Flush::Left ? memory + layout.padding * layout.elementBytes
                                      : memory + memoryBytes - bytes;
}

GuardedArray::~GuardedArray() { munmap(pages, pageBytes); }

int64_t GuardedArray::originOffset() const {
  int64_t offset = 0;
  for (size_t axis = 0; axis < layout.low.size(); ++axis)
    offset += layout.low[axis] * layout.strides[axis];
  return offset;
}

char *GuardedArray::address(Index index) const {
  int64_t offset = originOffset();
  for (size_t axis = 0; axis < index.size(); ++axis)
    offset += index[axis] * layout.strides[axis];
  return first + offset * layout.elementBytes;
}

double GuardedArray::get(Index index) const {
  if (layout.elementBytes == sizeof(double)) {
    double value;
    std::memcpy(&value, address(index), sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, address(index), sizeof value);
  return value;
}

void GuardedArray::set(Index index, double value) {
  if (layout.elementBytes == sizeof(double)) {
    std::memcpy(address(index), &value, sizeof value);
    return;
  }
  const float narrow = static_cast<float>(value);
  std::memcpy(address(index), &narrow, sizeof narrow);
}

bool GuardedArray::paddingIsIntact() const {
  const size_t rank = layout.extents.size();
  // Marks every element of the array's box, then looks at all others.
  std::vector<bool> inside(memoryBytes / layout.elementBytes);
  std::vector<int64_t> index(rank);
  for (size_t axis = 0; axis < rank; ++axis)
    index[axis] = -layout.low[axis];
  bool more = true;
  for (size_t axis = 0; axis < rank; ++axis)
    more = more && index[axis] < layout.extents[axis] + layout.high[axis];
  while (more) {
    inside[(address(index) - memory) / layout.elementBytes] = true;
    more = false;
    for (size_t axis = rank; axis-- > 0 && !more;) {
      more = ++index[axis] < layout.extents[axis] + layout.high[axis];
      if (!more)
        index[axis] = -layout.low[axis];
    }
  }
  for (size_t element = 0; element < inside.size(); ++element)
    if (!inside[element] && !isPoison(memory + element * layout.elementBytes, layout.elementBytes))
      return false;
  return true;
}

void GuardedArray::makeReadOnly() {
  if (mprotect(memory, memoryBytes, PROT_READ) != 0) {
    std::perror("harness: cannot protect an array");
    std::abort();
  }
}

} // namespace stencilc::harness
