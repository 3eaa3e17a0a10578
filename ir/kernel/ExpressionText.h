// ExpressionText: indices, boxes and values as the `--emit=kernel` text spells them, with only the
// parentheses that their precedence asks for.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/stencil/Precedence.h"

namespace stencilc {

struct Text {
  std::string text;
  Precedence precedence = Precedence::Primary;

  std::string within(Precedence outer) const {
    return precedence < outer ? "(" + text + ")" : text;
  }
};

/// Names for what indices refer to. Integer arguments and locals stand in kernels, params outside.
struct IndexNames {
  const std::vector<std::string> &axes;
  const Kernel *kernel = nullptr;
  llvm::ArrayRef<SignatureParam> params = {};

  std::string operator()(const Coordinate &coordinate) const;
};

Text indexText(const Index &index, const IndexNames &names);
std::string indicesText(llvm::ArrayRef<Index> indices, const IndexNames &names);
std::string boxText(const Box &box, const IndexNames &names);
/// "a, b, c".
std::string join(const std::vector<std::string> &parts);

/// Writes values; `kernel` is null for the uniforms of a Program.
class ValueText {
public:
  ValueText(const Kernel *kernel, const std::vector<Uniform> *uniforms,
            const std::vector<SignatureParam> *params, const std::vector<std::string> &axes)
      : kernel(kernel), uniforms(uniforms), params(params), names{axes, kernel} {}

  std::string operator()(const Value &value) const { return text(value).text; }

private:
  Text text(const Value &value) const;
  Text text(const LiteralValue &node) const;
  Text text(const ParamLeaf &node) const;
  Text text(const UniformValue &node) const;
  Text text(const RegisterValue &node) const;
  Text text(const QueueSlotValue &node) const;
  Text text(const LoadGlobal &node) const;
  Text text(const LoadShared &node) const;
  Text text(const UnaryValue &node) const;
  Text binary(Precedence precedence, llvm::StringRef op, const Value &left,
              const Value &right) const;
  Text text(const BinaryValue &node) const;
  Text text(const CompareValue &node) const;
  Text text(const SelectValue &node) const;
  Text text(const CallValue &node) const;
  Text text(const CastValue &node) const;
  Text text(const GuardedValue &node) const;
  Text text(const PatchElement &node) const;
  Text text(const ShuffleValue &node) const;
  Text text(const IndexValue &node) const;

  const Kernel *kernel;
  const std::vector<Uniform> *uniforms;
  const std::vector<SignatureParam> *params;
  IndexNames names;
};

} // namespace stencilc
