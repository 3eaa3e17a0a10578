// An error that points into the .stn file; the front end prints it with line and caret.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/Support/Error.h"

namespace stencilc {

class SourceError : public llvm::ErrorInfo<SourceError> {
public:
  static inline char ID = 0;
  SourceError(SourcePosition position, std::string message)
      : position(position), message(std::move(message)) {}

  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  SourcePosition position;
  std::string message; ///< lower case, no final period: what was seen
};

} // namespace stencilc
