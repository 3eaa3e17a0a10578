// Declares the asynchronous copies that emitted text uses, for type checks without a toolkit.
#pragma once

#include "cuda_runtime.h"

__device__ void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                        size_t bytes, size_t zeros = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t pending);
