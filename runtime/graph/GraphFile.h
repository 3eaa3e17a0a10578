// GraphFile: weighted directed graphs from files, as dense matrices of weights.
//
// | ending | format                                                                           |
// | .gr    | DIMACS shortest paths: `p sp N M`, then M lines `a FROM TO WEIGHT`, nodes from 1 |
// | .mtx   | MatrixMarket, coordinate, real, integer or pattern (weight 1), general or        |
// |        | symmetric: entry (i, j) is the edge from i to j                                  |
// | .npy   | the matrix itself, n x n, f4 f8 i2 u2 i4 i8, in C order                          |
//
// Of parallel edges the lightest counts. Infinity says "no edge", and so does, in an integer .npy,
// every value from the infinity of the type that is read for on. A weight that the type cannot hold
// exactly enough is refused, never rounded into another graph: fractions in an integer type, and
// magnitudes beyond its finite range (apsp/Algebra.h), NaN and negative infinity in any.
// C++17 and the standard library only. Problems come back as text, "roads.gr:17: ...", empty for
// none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stencilc::graph {

/// Weights by rows: `weights[from * n + to]`, Algebra<MinPlus, T>::zero() where there is no edge.
template <class T> struct WeightMatrix {
  int64_t n = 0;
  std::vector<T> weights;
};

/// Is told the number of nodes before memory is taken for them; a text refuses.
using SizeCheck = std::function<std::string(int64_t n)>;

/// T is float, double, int32_t, int16_t or uint16_t.
template <class T>
std::string readGraph(const std::string &path, const SizeCheck &admit, WeightMatrix<T> &graph);

extern template std::string readGraph(const std::string &, const SizeCheck &,
                                      WeightMatrix<float> &);
extern template std::string readGraph(const std::string &, const SizeCheck &,
                                      WeightMatrix<double> &);
extern template std::string readGraph(const std::string &, const SizeCheck &,
                                      WeightMatrix<int32_t> &);
extern template std::string readGraph(const std::string &, const SizeCheck &,
                                      WeightMatrix<int16_t> &);
extern template std::string readGraph(const std::string &, const SizeCheck &,
                                      WeightMatrix<uint16_t> &);

} // namespace stencilc::graph
