// BlockState: what the warps of one block have in common while they run.
#pragma once

#include "ir/run/AccessObserver.h"
#include "ir/run/Grid.h"

#include <fmt/format.h>

#include <map>

namespace stencilc {

/// What a launch gives its kernel.
struct KernelArguments {
  std::vector<int64_t> extents;
  std::vector<Grid *> arrays;    ///< one per Kernel::arrays
  std::vector<double> uniforms;  ///< one per Kernel::uniforms
  std::vector<int64_t> integers; ///< one per Kernel::integers
};

/// The contents of a shared tile.
struct TileState {
  enum Content : char { Nothing, Underway, Stored };
  std::vector<double> values;
  std::vector<Content> contents; ///< per element
};

/// What the partner has sent under one number.
struct Message {
  struct Element {
    unsigned tile;
    size_t element;
    double value;
  };
  std::vector<Element> elements;
  unsigned bytes = 0;
};

struct BlockState {
  const Kernel &kernel;
  KernelArguments arguments;
  AccessObserver *observer; ///< may be null
  unsigned firstThread = 0; ///< as observers count them, through a cluster
  std::array<int64_t, 3> number = {};
  std::vector<TileState> tiles = {};
  BlockState *partner = nullptr;            ///< of a cluster
  int64_t awaited = 0;                      ///< messages
  std::map<int64_t, Message> messages = {}; ///< that have not been, by their numbers
  std::string fault = {};                   ///< "<kernel>: what was seen"

  /// Keeps the first fault.
  template <class... Parts> void report(fmt::format_string<Parts...> seen, Parts &&...parts) {
    if (fault.empty())
      fault = kernel.name + ": " + fmt::format(seen, std::forward<Parts>(parts)...);
  }
};

} // namespace stencilc
