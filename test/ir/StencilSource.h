// Stencils from .stn text, and states with reproducible noise in them, for tests.
#pragma once

#include "frontend/language/Diagnostics.h"
#include "frontend/language/Frontend.h"
#include "ir/stencil/StencilInterpreter.h"

#include <gtest/gtest.h>
#include <random>

namespace stencilc {

/// The meaning of the text, which must be free of errors.
inline Stencil stencilOf(llvm::StringRef source) {
  std::string messages;
  llvm::raw_string_ostream out(messages);
  DiagnosticEngine diagnostics(llvm::MemoryBuffer::getMemBufferCopy(source, "test.stn"), out);
  std::optional<Stencil> stencil = analyse(diagnostics, {});
  EXPECT_TRUE(stencil) << messages;
  return stencil.value_or(Stencil());
}

/// A state with noise in [-1, 1) at every point of every array and level, ghost points included.
inline State noise(const Stencil &stencil, std::vector<int64_t> extents) {
  State state = llvm::cantFail(initialState(stencil, std::move(extents), {}));
  std::mt19937 generator(2026);
  const auto fill = [&](Grid &grid) {
    for (double &value : grid.values)
      value = roundTo(grid.type, generator() * 0x1p-31 - 1.0);
  };
  for (Grid &grid : state.current)
    fill(grid);
  for (Grid &grid : state.previous)
    fill(grid);
  return state;
}

} // namespace stencilc
