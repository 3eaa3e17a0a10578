// Asynchronous copies of emitted text on the CPU: they arrive only when they are waited for.
#pragma once

#include "cuda_runtime.h"

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) {
  stencilc::harness::copyAsync(to, from, bytes);
}
inline void __pipeline_commit() { stencilc::harness::commitCopies(); }
inline void __pipeline_wait_prior(unsigned pending) { stencilc::harness::waitCopies(pending); }
