// The weights of a bench graph, by a hash of the two vertices.
#pragma once

#include "Case.h"

namespace stencilc::apsp::bench {

STENCILC_APSP_BOTH uint32_t mix(uint32_t x) {
  x ^= x >> 15;
  x *= 0xd168aaadu;
  x ^= x >> 15;
  x *= 0xaf723597u;
  return x ^ x >> 15;
}

/// Returns whether there is an edge.
STENCILC_APSP_BOTH bool edge(const Graph &graph, int64_t from, int64_t to, int32_t &weight) {
  const uint32_t h = mix(mix(uint32_t(from) + 0x9e3779b9u) ^ uint32_t(to));
  weight = graph.lowest + int32_t(mix(h) % uint32_t(graph.highest - graph.lowest + 1));
  return from != to && int(h % 100u) < graph.percent;
}

} // namespace stencilc::apsp::bench
