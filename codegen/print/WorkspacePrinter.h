// WorkspacePrinter: what a run takes from its workspace, as ir/kernel/ArrayLayout.h lays it out.
//
// `struct Workspace` holds the strides of its rows and a pointer to point 0 of each buffer;
// `lay_out` fills it in from the arguments and counts the bytes, which fit 63 bits.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

class WorkspacePrinter {
public:
  explicit WorkspacePrinter(const Program &program);

  bool isNeeded() const { return count > 0; }
  /// What a buffer's pointer is called in the struct; empty for the caller's.
  llvm::StringRef member(unsigned buffer) const { return members[buffer]; }
  /// The struct, before anything that takes it, and the function, after the limits of check(); both
  /// in the unnamed namespace. Empty where none is needed.
  std::string structure() const;
  std::string layOut() const;
  /// heat_workspace_bytes.
  std::string bytesFunction() const;

private:
  /// Whether what the buffer takes cannot be counted; empty where the same was asked before.
  std::vector<std::string> refusals() const;
  std::string take(const Buffer &buffer) const;
  bool has(Layout layout) const;

  const Program &program;
  const Signature &signature;
  const unsigned rank;
  std::vector<std::string> members; ///< per buffer of the program
  unsigned count = 0;               ///< of them in the workspace
};

} // namespace stencilc
