// Signature: what the C ABI of a stencil is made of. It depends on the stencil alone, never on how
// it is computed.
#pragma once

#include "ir/stencil/StencilFacts.h"

namespace stencilc {

/// An array as the caller sees it.
struct SignatureArray {
  std::string name;
  ScalarType type;
  llvm::SmallVector<unsigned, 3> axes;
  Widths ghost = {};
  bool isField = true;
  bool hasPrevious = false; ///< `name_prev` exists
  bool hasNext = false;     ///< `name_next` exists
};
struct SignatureParam {
  std::string name;
  ScalarType type;
  std::optional<double> defaultValue;
};
struct Signature {
  std::string name; ///< of the stencil
  std::vector<std::string> axes;
  std::vector<SignatureArray> arrays;
  std::vector<SignatureParam> params;
  /// Least extents (periodic boundaries), per axis.
  std::array<int64_t, kMaxRank> minimumExtent = {};
  int firstUpdated = 0; ///< the first point of a row that a step updates

  unsigned rank() const { return axes.size(); }
};

/// The signature of a stencil; every lowering starts from it.
Signature signatureOf(const Stencil &stencil);
/// Ghost points around the arrays with all axes: the widest of them.
Widths widestGhosts(const Signature &signature);

/// Bytes of a memory line.
inline constexpr unsigned kLineBytes = 128;

/// What the arrays with all axes share in the layout that the emitted layout function recommends:
/// rows of one length in whole lines, and a point in each that starts a line.
struct RecommendedRows {
  Widths ghost = {};    ///< points around the extents
  int line = 1;         ///< elements of a line, of the narrowest type
  int firstUpdated = 0; ///< the point that starts a line
};
RecommendedRows recommendedRows(const Signature &signature);

} // namespace stencilc
