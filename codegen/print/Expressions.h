// Expressions: C text of indices, conditions and values, with only the parentheses that C's
// precedence asks for. The order and association of the trees is kept as it is; only adding a
// negative number, or a product that starts with one, is written as the subtraction it equals.
//
// The text carries the marks of codegen/print/Layout.h after operators and commas. Two exceptions
// to "only what precedence asks for": `a && b` inside `||` and a `?:` inside another are put in
// parentheses, as compilers and readers like them.
#pragma once

#include "codegen/print/Helpers.h"
#include "codegen/print/NamedNumbers.h"
#include "codegen/print/Print.h"
#include "codegen/print/SameText.h"
#include "ir/stencil/Precedence.h"

namespace stencilc {

struct Printed {
  std::string text;
  Precedence precedence = Precedence::Primary;
};

/// What the leaves of an expression are called, by number.
struct LeafNames {
  std::vector<std::string> extents, strides, rows; ///< per axis; strides of the two layouts
  std::vector<std::string> constants, integers, locals, arrays, uniforms, params, registers;
  std::vector<std::string> tiles, patches;
  NumberNames numbers;
  std::vector<std::vector<std::string>> queues; ///< the slots of each
};

class ExpressionPrinter {
public:
  /// Prints code of a target within `kernel`, or for no kernel (uniforms and the boxes of
  /// launches). `rank` is the stencil's.
  ExpressionPrinter(Target code, FloatMode mode, unsigned rank, LeafNames names, HelperSet &helpers,
                    const Kernel *kernel = nullptr)
      : usedIntegers(names.integers.size()), code(code), mode(mode), rank(rank),
        names(std::move(names)), helpers(helpers), kernel(kernel) {}

  // ---- indices ----
  std::string index(const Index &index) { return integer(index).text; }
  /// The value of a named coordinate, whose type wraps what threadIdx and blockIdx count unsigned.
  std::string coordinateValue(const Index &index);
  /// A Box, joined by &&; its negation, joined by ||.
  Printed holds(const Box &box);
  Printed fails(const Box &box);
  /// The subscript of an array of these axes and ghost widths.
  std::string subscript(const ArrayArgument &array, llvm::ArrayRef<Index> where);
  /// The elements between points `count` apart along an axis: "2 * stride_y".
  std::string steps(Layout layout, unsigned axis, int64_t count);
  /// "stride_y", "row_y".
  std::string strideName(Layout layout, unsigned axis);
  /// `z * stride_z + y * stride_y + x`.
  std::string address(Layout layout, llvm::ArrayRef<Index> where);
  /// The same from a pointer in scope, if one stands a fixed distance away and elsewhere in a row.
  std::optional<std::string> besidePointer(Layout layout, llvm::ArrayRef<Index> where);
  /// Elements per step along an axis of an array: "stride_y", "nx", "(nx + 2)"; empty for 1.
  std::string pitch(Layout layout, llvm::ArrayRef<unsigned> axes, const Widths &ghost,
                    unsigned position);

  // ---- values ----
  Printed value(const Value &value);
  std::string load(const LoadGlobal &load);
  std::string tile(unsigned tile, llvm::ArrayRef<Index> where);
  std::string element(unsigned patch, llvm::ArrayRef<Index> at);
  /// `&u[here + stride_y]`: where an access to an array begins.
  std::string address(unsigned array, llvm::ArrayRef<Index> where);
  std::string slot(unsigned queue, unsigned slot) const;
  /// A number for a RegisterValue that prints as `name`.
  unsigned addName(std::string name) {
    names.registers.push_back(std::move(name));
    return names.registers.size() - 1;
  }
  /// ... and for a local, the next one, which may be below 0.
  void addLocal(std::string name) {
    names.locals.push_back(std::move(name));
    nonNegativeLocals.push_back(false);
  }
  unsigned locals() const { return names.locals.size(); }

  /// What accesses may be written relative to, latest last.
  struct PointerInScope {
    unsigned pointer; ///< number in Kernel::pointers
    std::string name;
    std::vector<Index> where;
    Layout layout = Layout::Strided;
    bool isUsed = false; ///< some text was written relative to it
  };
  std::vector<PointerInScope> pointers;
  /// Indices that have a name where the text stands.
  std::vector<std::pair<Index, std::string>> namedIndices;
  /// Locals known to be at least 0: dividing them needs no care.
  std::vector<bool> nonNegativeLocals;
  /// Locals and registers that stand for others, where branches have a text in common.
  SameText same;
  /// True if the index cannot be negative, as far as its form tells.
  bool isNonNegative(const Index &index) const;

  /// Axes whose extent, or stride in either layout, some text used.
  std::array<bool, kMaxRank> usedExtents = {}, usedStrides = {}, usedRows = {};
  std::vector<bool> usedIntegers;          ///< integer arguments, likewise
  bool callsFunctions = false;             ///< of the C mathematics library
  bool usesWarp = false, usesLane = false; ///< the coordinates of those names

private:
  Printed integer(const Index &index);
  Printed sum(const IndexSum &sum);
  Printed product(const IndexScale &scale);
  Printed divided(const Index &index, int64_t divisor, char op, Helper otherwise);
  std::string extreme(const Index &left, const Index &right, llvm::StringRef device,
                      Helper otherwise);
  std::string mapped(const IndexMap &map);
  std::string coordinateName(const Coordinate &coordinate);
  std::string extentName(unsigned axis);
  /// Comparison of an index with a bound.
  std::string compared(const Index &index, llvm::StringRef op, const Index &bound);
  bool asksBothEnds(const Range &range) const;
  std::optional<std::string> relative(Layout layout, llvm::ArrayRef<Index> where);
  std::string listSubscript(llvm::ArrayRef<Index> lengths, llvm::ArrayRef<Index> where);
  std::string bracketed(std::string name, llvm::ArrayRef<Index> where);

  std::string literal(ScalarType type, double value) const;
  Printed binary(const BinaryValue &node, ScalarType type);
  Printed conditional(Printed condition, const Value &then, const Value &otherwise);
  /// True if arithmetic with the index, as it is printed, is done in 64 bits.
  bool isOf64Bits(const Index &index) const;
  Printed call(const CallValue &node, ScalarType type);

  const Target code;
  const FloatMode mode;
  const unsigned rank;
  LeafNames names;
  HelperSet &helpers;
  const Kernel *const kernel;
  /// Inside a sum that becomes a coordinate or a subscript, where unsigned wrap-around is harmless.
  bool isModular = false;
};

/// "double", "float", "bool".
llvm::StringRef typeName(ScalarType type);
/// Of a kernel's linear addresses: "int", "int64_t".
llvm::StringRef addressType(const Kernel &kernel);
/// "0.1f", "2.0": the shortest text that reads back as the number.
std::string literalText(ScalarType type, double value);

} // namespace stencilc
