// Traffic: what the threads of one time step ask of global memory, as the walker counts it from the
// Program and as a log shows that the text does it; and where the two differ.
#pragma once

#include "ir/walk/WalkLaunch.h"
#include "test/trace/AccessLog.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace stencilc::trace {

/// An element that a thread accesses, alone or as part of a vector.
struct ThreadAccess {
  unsigned buffer; ///< number in Program::buffers
  bool isStore;
  int64_t element;           ///< counted from point 0 of the array
  size_t part = 0;           ///< its place in the vector
  uintptr_t instruction = 0; ///< 0: walked
};

struct RequestCount {
  uint64_t requests = 0, sectors = 0;
  bool operator==(const RequestCount &) const = default;
};

struct BlockTraffic {
  std::map<unsigned, std::vector<ThreadAccess>> threads; ///< in the order of execution
  /// By buffer, and whether it is stored to.
  std::map<std::pair<unsigned, bool>, RequestCount> requests;
  /// Walked: sectors of copies past the L1, which eight lanes ask for at a time, beyond those of
  /// the warp. By buffer.
  std::map<unsigned, uint64_t> sectorsAgain;
};

/// By launch and block, without those that access nothing. Launches count those that have blocks.
/// A program for the host is one launch of one thread.
using StepTraffic = std::map<std::pair<unsigned, unsigned>, BlockTraffic>;

/// What the first pass of a run launches, in order, on arrays that lie so.
std::vector<const Launch *> launchesOfFirstPass(const Program &program,
                                                llvm::ArrayRef<ArrayLayout> layouts);

/// The first pass of a run, walked. `layouts` are per buffer of the program, all of them
/// the caller's.
StepTraffic walkStep(const Program &program, llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<ArrayLayout> layouts);

/// The same from a log of one pass that watches the buffers in their order: threads of a warp that
/// execute one instruction for the n-th time do it together, which is so in kernels whose loops
/// count alike in all threads of a warp. `begin` are the addresses where the ranges start,
/// `pointZero` those of point 0.
StepTraffic loggedStep(const Program &program, const std::vector<LoggedAccess> &accesses,
                       llvm::ArrayRef<uintptr_t> begin, llvm::ArrayRef<uintptr_t> pointZero);

/// Where the two differ first, in words; empty if they are equal: every thread makes the same
/// accesses in the same order, and, if those are compared, every block as many requests for as many
/// sectors.
std::string difference(const Program &program, const StepTraffic &walked, const StepTraffic &logged,
                       bool comparesRequests,
                       llvm::function_ref<std::string(uintptr_t instruction)> lineOf);

} // namespace stencilc::trace
