// AccessObserver: is told what the threads of a Program do, as they do it.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  virtual void beginPass(const Pass &) {}
  virtual void endPass(const Pass &) {}
  virtual void beginLaunch(const Launch &launch) = 0;
  /// A block, or a cluster, whose threads and warps are counted through.
  virtual void beginBlock() = 0;
  /// Warps `first` .. `first + count - 1` of the block have met at a barrier and go on; or one has
  /// got the message that it awaited.
  virtual void barrier(unsigned first, unsigned count) = 0;
  /// So many lanes of a warp make an operation on numbers: + - * / or a function.
  virtual void compute(unsigned /*lanes*/) {}
  /// One load, store or copy is about to be made by lanes of one warp, in ascending order; one with
  /// several elements a lane takes all of a lane before the next.
  virtual void beginAccess() {}
  /// `argument` is a number in Kernel::arrays, `element` one in the Grid's values.
  virtual void loadGlobal(unsigned argument, size_t element, unsigned thread) = 0;
  virtual void storeGlobal(unsigned argument, size_t element, unsigned thread) = 0;
  virtual void loadShared(unsigned tile, size_t element, unsigned thread) = 0;
  virtual void storeShared(unsigned tile, size_t element, unsigned thread) = 0;
  /// The thread starts a copy to the element; then, in a wait of this thread, the copy arrives.
  virtual void startCopy(unsigned /*tile*/, size_t /*element*/, unsigned /*thread*/) {}
  virtual void endCopy(unsigned /*tile*/, size_t /*element*/, unsigned /*thread*/) {}

  std::string fault; ///< the first complaint; the run stops at it
};

} // namespace stencilc
