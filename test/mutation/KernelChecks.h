// What finds a mutation in the Program itself. Each check answers with one word, or with nothing
// if it saw nothing.
#pragma once

#include "test/mutation/Subject.h"

namespace stencilc::mutation {

/// The rule by which the verifier refuses the program.
std::string verifierFinds(const Program &program);
/// What the audit sees on any of the subject's sizes.
std::string auditFinds(const Subject &subject, const Program &program);
/// How a run past the verifier ends, on any of the subject's sizes: an access or a read that the
/// interpreter stops at, or how the values differ from the reference.
std::string runFinds(const Subject &subject, const Program &program);

} // namespace stencilc::mutation
