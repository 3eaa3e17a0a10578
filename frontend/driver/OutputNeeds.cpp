// What an output depends on.
#include "frontend/driver/CommandLine.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace stencilc {

/// Whether what is printed is of a schedule.
static bool isOfSchedule(Emit emit) {
  switch (emit) {
  case Emit::Schedule:
  case Emit::Kernel:
  case Emit::Traffic:
  case Emit::Prediction:
  case Emit::Cuda:
    return true;
  case Emit::Ast:
  case Emit::Stencil:
  case Emit::Header:
  case Emit::Interface:
  case Emit::Main:
  case Emit::Values:
    return false;
  }
  llvm_unreachable("all outputs are known");
}

bool CommandLine::printsOfModel() const {
  return isOfSchedule(emit) && !host &&
         (!schedule.unoptimized || emit == Emit::Prediction || !sweep.parts.empty());
}

bool CommandLine::wantsModel() const {
  return printsOfModel() || (isOfSchedule(emit) && !host && explain);
}

} // namespace stencilc
