// Host: memory and time where the program runs on the CPU.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

/// Owns buffers that start on memory lines.
class Memory {
public:
  /// Null if there is none left.
  void *allocate(size_t bytes) {
    constexpr size_t kLine = 128;
    void *buffer = std::aligned_alloc(kLine, (bytes / kLine + 1) * kLine);
    if (!buffer)
      std::fprintf(stderr, "not enough memory: choose smaller extents\n");
    buffers.push_back(buffer);
    return buffer;
  }
  ~Memory() {
    for (void *buffer : buffers)
      std::free(buffer);
  }

private:
  std::vector<void *> buffers;
};

inline bool upload(void *to, const void *from, size_t bytes) {
  std::memcpy(to, from, bytes);
  return true;
}
inline bool download(void *to, const void *from, size_t bytes) {
  std::memcpy(to, from, bytes);
  return true;
}

/// Prints what memory the program needs; the C++ library cannot tell what is free.
inline bool checkMemory(size_t needed) {
  constexpr double kMiB = 1 << 20;
  std::printf("host: %.1f MiB of memory needed\n", needed / kMiB);
  return true;
}

/// Seconds that `run` takes; none if it fails.
template <class Run> std::optional<double> timeOf(Run run) {
  const auto begin = std::chrono::steady_clock::now();
  if (!run())
    return std::nullopt;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
