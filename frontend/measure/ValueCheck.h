// ValueCheck: what a compiled Program computes on a small grid, held against the reference.
//
// The grid holds random numbers. Kernels are compiled without fused operations for it, so that the
// values must be the reference's bits. Functions that round otherwise on a GPU (exp, pow, ...) have
// no such bits: there, they must be those of the default schedule on the same GPU.
#pragma once

#include "frontend/measure/DeviceProgram.h"
#include "ir/run/Grid.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

class ValueCheck {
public:
  /// For schedules that fuse at most `mostFused` steps. All arguments outlive this.
  static llvm::Expected<ValueCheck> prepare(const Stencil &stencil, FloatMode mode, int mostFused,
                                            const session::Session &session,
                                            const session::Nvrtc &nvrtc);

  /// Fails where a value differs, and says where.
  llvm::Error check(const VerifiedProgram &program) const;

private:
  const Stencil *stencil = nullptr;
  FloatMode mode = FloatMode::Contract;
  const session::Session *session = nullptr;
  const session::Nvrtc *nvrtc = nullptr;
  int64_t steps = 0;
  State before, after;

  llvm::Expected<State> runOnDevice(const VerifiedProgram &program) const;
};

} // namespace stencilc
