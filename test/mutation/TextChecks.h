// What finds a mutation in the text: the compiler, and runs in the harness under three orders of
// threads, between guard pages, on poisoned arrays.
#pragma once

#include "test/mutation/Subject.h"

namespace stencilc::mutation {

/// The text that stencilc writes for the program.
std::string sourceOf(const Program &program);

/// Compiles `source`, the text of a program of the subject's signature, into `folder`. False if the
/// compiler refuses it.
bool compile(const Subject &subject, llvm::StringRef source, const std::string &folder);
/// Runs what was compiled into `folder` on all of the subject's cases. One word for what was seen;
/// nothing if all went well.
std::string textFinds(const Subject &subject, const std::string &folder);

} // namespace stencilc::mutation
