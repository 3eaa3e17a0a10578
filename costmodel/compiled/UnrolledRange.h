// UnrolledRange: the turns of a loop that is unrolled as written, between constants.
#pragma once

#include "ir/kernel/Kernel.h"

#include <optional>

namespace stencilc {

/// Calls `turn` for each turn of such a loop, its number in `local`; false of other loops.
bool forEachTurn(const For &loop, std::optional<int64_t> &local, llvm::function_ref<void()> turn);
/// How many turns it has, or 1 of other loops.
int64_t unrolledTripCount(const For &loop);
/// Whether a loop is unrolled and hands nothing from turn to turn: the compiled code is as if all
/// its turns stood in the text. Turns of a march that is unrolled still share registers.
bool leavesNoLoop(const For &loop);

} // namespace stencilc
