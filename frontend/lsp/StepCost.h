// StepCost: what a step of the stencil reads and writes, and what a model expects of it.
#pragma once

#include "frontend/lsp/Analysis.h"

namespace stencilc::lsp {

/// In Markdown: loads, flops, reach, ghost points and frames, and, for the device and sizes that
/// the command line takes by default, speed and bottleneck. Of a stencil with errors: that it has
/// some.
std::string costText(const Analysis &analysis);

} // namespace stencilc::lsp
