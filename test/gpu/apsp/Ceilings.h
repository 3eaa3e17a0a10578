#pragma once

#include <string>
#include <vector>

namespace stencilc::apsp::bench {

struct Ceiling {
  std::string name;
  double pairsPerSecond;
};

std::vector<Ceiling> measureCeilings();

} // namespace stencilc::apsp::bench
