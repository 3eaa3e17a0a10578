// Control over how kernels run on the CPU (see cuda_runtime.h): for tests, not for emitted text.
#pragma once

#include <cstdint>

namespace stencilc::harness {

/// The order in which the blocks of a grid, and the threads of a block between two barriers, run.
/// A program without races gives the same values under all of them.
enum class ThreadOrder { Ascending, Descending, Random };

/// Takes effect with the next launch. The environment variable STENCILC_THREAD_ORDER, one of
/// `ascending`, `descending`, `random`, sets the order that a process starts with.
void setThreadOrder(ThreadOrder order, uint64_t seed = 0);

/// Lets `count` more launches through and makes the next one fail; a negative count, the state at
/// the start, lets all through.
void failLaunchAfter(int count);

} // namespace stencilc::harness
