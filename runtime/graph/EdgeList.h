// EdgeList: the two text formats, line by line, for GraphFile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace stencilc::graph {

/// What a reader tells; a text from either refuses and ends the reading at that line.
struct EdgeSink {
  std::function<std::string(int64_t n)> begin;                              ///< once, first
  std::function<std::string(int64_t from, int64_t to, double weight)> edge; ///< nodes from 0
};

/// Both return what is wrong with its line, ":17: ...", or nothing.
std::string parseDimacs(std::string_view text, const EdgeSink &sink);
std::string parseMatrixMarket(std::string_view text, const EdgeSink &sink);

} // namespace stencilc::graph
