// Control over how kernels run on the CPU (see cuda_runtime.h): for tests, not for emitted text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

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

/// Where the thread that runs now stands. All numbers are from 0; of blocks and threads, x is
/// fastest.
struct ThreadPlace {
  unsigned launch; ///< of this process
  unsigned block, thread;
  unsigned interval; ///< barriers that the block has passed
};
/// None while no kernel runs.
std::optional<ThreadPlace> threadPlace();
/// How many launches this process has performed.
unsigned launchCount();

/// The shared tiles of the program that launched last.
std::span<const char> sharedMemory();

} // namespace stencilc::harness
