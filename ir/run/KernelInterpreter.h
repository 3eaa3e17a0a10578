// Runs a verified Program on the CPU, launch by launch and block by block, as the semantics in
// ir/kernel/Kernel.h and ir/kernel/Program.h say: all lanes of a warp execute a statement before
// the next, and warps take turns at barriers.
//
// It shares only scalar arithmetic (ir/stencil/Scalar.h) with the StencilInterpreter.
#pragma once

#include "ir/kernel/ArrayLayout.h"
#include "ir/run/Grid.h"
#include "ir/run/WarpOrder.h"

#include "llvm/Support/Error.h"

namespace stencilc {

struct InterpretOptions {
  /// Elements by which point (0,0,0) of the caller's arrays follows a 128-byte line, as launches
  /// see it.
  int phase = 0;
  /// Where launches see the elements of each of the program's buffers. Empty: rows of the caller's
  /// arrays are without padding, and the workspace is laid out as the launcher does it.
  std::vector<ArrayLayout> layouts = {};
  /// What buffers made by the run hold at first; NaN shows reads of what nothing wrote.
  double poison = std::numeric_limits<double>::quiet_NaN();
  /// Largest grid dimension along y and z before a launch is cut into slabs.
  int64_t maxGridYZ = 65535;
  WarpOrder order = {};
  /// The caller takes the numbers of all reductions, or of none.
  bool takesResults = true;
};

/// Advances `state` by `steps` steps. Errors: an extent below the minimum, params that are refused,
/// an array over time that is too short, an access outside an array's box, a shared or register
/// value read before it was written (possible only for programs built past the verifier).
llvm::Error interpret(const VerifiedProgram &program, State &state, int64_t steps,
                      const InterpretOptions &options = {});

} // namespace stencilc
