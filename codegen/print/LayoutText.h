// LayoutText: emitted arithmetic about where the elements of arrays lie.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// What stands before the names of extents and of strides: "args." and "args.stride_".
struct LayoutPrefixes {
  std::string extent, stride;
};

class LayoutText {
public:
  LayoutText(const Signature &signature, LayoutPrefixes prefixes)
      : signature(signature), rank(signature.rank()), prefixes(std::move(prefixes)) {}

  std::string extent(unsigned axis) const { return prefixes.extent + "n" + signature.axes[axis]; }
  std::string stride(unsigned axis) const { return prefixes.stride + signature.axes[axis]; }
  /// "args.ny + 2": points along an axis with its ghost points, and `less` fewer.
  std::string points(unsigned axis, const Widths &ghost, int less = 0) const;
  /// "2 * args.stride_z + args.stride_y + 1": elements between a point and one `steps` away; empty
  /// for none.
  std::string elements(const std::array<int, kMaxRank> &steps) const;

  /// The statements that set the strides of rows of whole lines.
  std::string setStrides(const LineRows &rows) const;
  /// The comment that says which point of a row starts a line.
  std::string startOfLines() const;
  /// Elements from a line to point 0 of an array with these ghost points whose rows have their
  /// `lineStart` at the start of a line; "0" for none.
  std::string lead(const Widths &ghost, int line, int lineStart) const;
  /// Elements from point 0 to the end of an array with these ghost points.
  std::string behind(const Widths &ghost) const;
  /// "(args.nz + 16.0) * ...": a product, as a floating-point number, that no number of elements of
  /// such rows exceeds.
  std::string roughElements(const Widths &ghost, int line) const;
  /// Elements along each dimension of a list.
  std::vector<std::string> lengths(const Buffer &list) const;
  /// Of a buffer without strides: the elements before point 0, empty for none, and all of them.
  std::pair<std::string, std::string> dense(const Buffer &buffer) const;

private:
  const Signature &signature;
  const unsigned rank;
  const LayoutPrefixes prefixes;
};

/// In parentheses if it has several terms.
std::string parenthesised(const std::string &sum);
/// The ghost points on one side of each axis.
std::array<int, kMaxRank> ofSide(const Widths &ghost, Side side);

} // namespace stencilc
