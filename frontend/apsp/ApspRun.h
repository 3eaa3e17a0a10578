// What stencilc-apsp does with a graph once it knows what is asked: read, choose, solve, write.
#pragma once

#include "frontend/apsp/ApspCommandLine.h"

namespace stencilc {

/// Solves the graph and writes what was asked for; answers to queries go to `out`. Files appear
/// only when everything has succeeded.
llvm::Error solveGraph(const ApspCommandLine &line, llvm::raw_ostream &out);

/// The number of nodes that the graph's file promises.
llvm::Expected<int64_t> countNodes(const std::string &path);

} // namespace stencilc
