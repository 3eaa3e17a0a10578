// LauncherPrinter: heat_run, the host code that runs the launches of a Program step by step.
#pragma once

#include "codegen/print/KernelPrinter.h"

namespace stencilc {

struct PrintedLauncher {
  std::string functions;       ///< stand in the unnamed namespace, after the helpers
  std::string run;             ///< heat_run
  bool callsFunctions = false; ///< of the C mathematics library
  bool computes = false;       ///< floating-point numbers on the host
};

PrintedLauncher printLauncher(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                              const FileNames &file, FloatMode mode, HelperSet &helpers);

} // namespace stencilc
