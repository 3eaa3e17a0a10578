// RunUniforms: the numbers that heat_run computes once and passes to kernels.
#pragma once

#include "codegen/print/Expressions.h"

namespace stencilc {

/// What heat_run calls the uniforms of its Program: params are members of its arguments, the others
/// are its own variables.
struct RunUniforms {
  UniqueNames taken;              ///< by heat_run for itself
  std::vector<std::string> names; ///< per uniform; empty where no kernel needs it

  explicit RunUniforms(const Program &program);
};

/// The definitions of those variables; empty if there are none.
std::string defineUniforms(const Program &program, const RunUniforms &uniforms,
                           ExpressionPrinter &expressions);

} // namespace stencilc
