// UsageError: a fault in how stencilc was called; exit code 2.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace stencilc {

class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static inline char ID = 0;
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  std::string message;
};

} // namespace stencilc
