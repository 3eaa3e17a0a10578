// The one way round the verifier: lets a test run a Program that is faulty on purpose.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

struct UncheckedProgramFactory {
  static VerifiedProgram make(Program program) { return VerifiedProgram(std::move(program)); }
};

} // namespace stencilc
