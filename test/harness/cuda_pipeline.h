// Asynchronous copies of emitted text on the CPU: they arrive only when they are waited for.
#pragma once

#include "cuda_runtime.h"

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) {
  stencilc::harness::copyAsync(to, from, bytes);
  // Read once more in the text's own code, where a log of its accesses sees it.
  unsigned char piece[16];
  __builtin_memcpy(piece, from, bytes);
  asm volatile("" : : "r"(piece) : "memory");
}
inline void __pipeline_commit() { stencilc::harness::commitCopies(); }
inline void __pipeline_wait_prior(unsigned pending) { stencilc::harness::waitCopies(pending); }
