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
  /// Divisions, roots and functions that branch where a fast estimate does not do: until one of
  /// them has ended, its warp computes nothing else. Their instructions are in `count` as well.
  double chains = 0;

  double &operator[](Pipe pipe) { return count[unsigned(pipe)]; }
  double operator[](Pipe pipe) const { return count[unsigned(pipe)]; }
  double all() const;
  InstructionMix &add(const InstructionMix &other, double times = 1);
};

} // namespace stencilc
