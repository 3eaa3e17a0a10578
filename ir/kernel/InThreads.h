// Independent pieces of work, done by several threads.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace stencilc {

/// Calls `work(number)` for each number below `count`, each by whichever thread is free. `threads`:
/// at most so many, the caller's among them; 0: as many as the machine has cores, up to four. Where
/// no thread can be started, the others do it all.
void doInThreads(size_t count, unsigned threads, llvm::function_ref<void(size_t)> work);

} // namespace stencilc
