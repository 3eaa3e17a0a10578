// CodeReader: what the rules of this folder know of an architecture's compiled code. It keeps which
// values of the table were asked for, so that a report can tell what its numbers depend on.
#pragma once

#include "costmodel/device/CodeTable.h"

namespace stencilc {

class CodeReader {
public:
  explicit CodeReader(const CodeTable &table) : table(table) {} ///< outlives this

  /// So many of them.
  InstructionMix of(CodeMix mix, double times = 1);
  double of(CodeNumber number);
  const CodeValues &used() const { return usedValues; }

private:
  const CodeTable &table;
  CodeValues usedValues;
};

/// Instructions that are one by the instruction set.
InstructionMix of(Pipe pipe, double count);

} // namespace stencilc
