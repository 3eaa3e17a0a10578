// One Program as text: printed, compiled into a folder, and run on cases between guard pages under
// three orders of threads.
#pragma once

#include "test/fuzz/TextRun.h"

namespace stencilc::fuzz {

/// The text that stencilc writes for a program, whether the verifier passes it or not.
std::string sourceOf(const Program &program);

/// Compiles `source`, the text of a program of this signature, into `folder`, where the compiler's
/// words are kept too. False if it refuses the text.
bool compileText(const Program &program, llvm::StringRef source, const std::string &folder);

/// Runs what was compiled into `folder`; one reference per case. Says what is wrong, if anything.
std::optional<Failure> runText(const Program &program, const Stencil &stencil,
                               llvm::ArrayRef<Case> cases, llvm::ArrayRef<Reference> references,
                               const std::string &folder, unsigned seconds = kSecondsOfARun);

} // namespace stencilc::fuzz
