// WorkspacePrinter: what a run takes from its workspace, as ir/kernel/ArrayLayout.h lays it out.
//
// `struct Workspace` holds the strides of its rows and a pointer to point 0 of each buffer;
// `lay_out` fills it in from the arguments and counts the bytes, which fit 63 bits. What only
// results need is left out where the caller takes none of them.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

class WorkspacePrinter {
public:
  explicit WorkspacePrinter(const Program &program);

  bool isNeeded() const { return count > 0; }
  /// True if some runs need none of it.
  bool mayBeEmpty() const;
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
  /// Whose pointers tell whether a buffer is needed: results, or nobody's.
  struct Use {
    bool always = false;
    std::vector<unsigned> results; ///< buffers
  };
  void findUses(const Actions &actions, std::optional<unsigned> wanted);
  /// "args.energy != nullptr"; empty where every run needs the buffer.
  std::string needFor(unsigned buffer) const;

  std::vector<std::string> members; ///< per buffer of the program
  std::vector<Use> uses;            ///< likewise
  unsigned count = 0;               ///< of them in the workspace
};

} // namespace stencilc
