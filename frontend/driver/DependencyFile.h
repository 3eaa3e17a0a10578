// The text of a dependency file, as make and ninja read it.
#pragma once

#include "frontend/driver/CommandLine.h"

namespace stencilc {

/// One rule: `outputs` (or the targets of -MT, as given) depend on `inputs`. Names stand as the
/// user wrote them, never made absolute; standard input and output are no files and are left out.
/// With -MP every input but the first also gets an empty rule, so that it may vanish.
std::string dependencyRule(const DependencyOptions &options, llvm::ArrayRef<std::string> outputs,
                           llvm::ArrayRef<std::string> inputs);

} // namespace stencilc
