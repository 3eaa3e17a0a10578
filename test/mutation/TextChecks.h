// What finds a mutation in the text: the compiler, and runs in the harness under three orders of
// threads, between guard pages, on poisoned arrays.
#pragma once

#include "test/mutation/Subject.h"

namespace stencilc::mutation {

/// Runs what fuzz::compileText compiled into `folder` on all of the subject's cases. One word for
/// what was seen; nothing if all went well.
std::string textFinds(const Subject &subject, const std::string &folder);

} // namespace stencilc::mutation
