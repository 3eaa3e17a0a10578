// The texts of a case: one program in every form that stencilc can write it, each with a C name of
// its own, and the source of the functions that call them.
#pragma once

#include "codegen/print/Print.h"
#include "test/fuzz/Case.h"

namespace stencilc::fuzz {

/// One emitted program.
struct TextForm {
  std::string name;     ///< the stencil's C name, unique in a batch
  std::string source;   ///< file name in the batch's folder
  std::string schedule; ///< with the floating-point mode
  Target target;
  Signature signature;
};

/// Lowers a case for every variant and mode and writes headers and sources into `folder`. `prefix`
/// opens the C names.
llvm::Expected<std::vector<TextForm>> writeForms(const Case &tested, const Stencil &stencil,
                                                 llvm::StringRef prefix, llvm::StringRef folder);

/// The name of the function that calls a form.
std::string callName(const TextForm &form);
/// The source of the functions that call the forms.
void printCalls(llvm::raw_ostream &out, llvm::ArrayRef<TextForm> forms);

} // namespace stencilc::fuzz
