// Uniforms: the numbers of a run that its kernels take as arguments.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/stencil/Scalar.h"

namespace stencilc {

/// One per Program::uniforms, for a run with these params.
std::vector<ScalarValue> evaluateUniforms(const Program &program, llvm::ArrayRef<double> params);

} // namespace stencilc
