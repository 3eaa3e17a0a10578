// InstructionMix: warp instructions by where they go.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <array>

namespace stencilc {

/// Where an instruction goes. What is not arithmetic on numbers of the stencil is Integer (adds,
/// shifts, comparisons, selects, minima, moves), MultiplyAdd (integer multiply-add) or Control
/// (branches, barriers, exits). Uniform is what all lanes of a warp share: arguments, numbers of
/// blocks and threads. It has ways of its own beside the pipes, and takes but the issue.
enum class Pipe { Fp32, Fp64, Integer, MultiplyAdd, Special, LoadStore, Control, Uniform };
inline constexpr unsigned kPipes = 8;
llvm::StringRef spelling(Pipe pipe);

/// Warp instructions by pipe. Estimates, hence not integers.
struct InstructionMix {
  std::array<double, kPipes> count = {};
  /// Divisions, and what goes on as they do: from an estimate by the special pipe, with a branch
  /// around the exact way, beside which nothing else runs. Their instructions are counted above.
  double chains = 0;

  double &operator[](Pipe pipe) { return count[unsigned(pipe)]; }
  double operator[](Pipe pipe) const { return count[unsigned(pipe)]; }
  double all() const;
  InstructionMix &add(const InstructionMix &other, double times = 1);
};

} // namespace stencilc
