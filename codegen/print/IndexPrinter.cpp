// The half of ExpressionPrinter that prints integers: indices, conditions and addresses.
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

namespace stencilc {

static std::optional<int64_t> asConstant(const Index &index) {
  if (const auto *node = std::get_if<IndexConstant>(&index->node))
    return node->value;
  return std::nullopt;
}

/// "x + 1" put where a factor stands.
static std::string factor(const Printed &printed) {
  return printed.precedence < Precedence::Multiplicative ? "(" + printed.text + ")" : printed.text;
}

/// `left op right` of two whole operands, for terms joined by + and -.
static std::string joinTerms(const std::string &left, bool isNegative, const std::string &term) {
  if (left.empty())
    return isNegative ? "-" + term : term;
  return left + (isNegative ? " - " : " + ") + term;
}

/// `count` times `unit`; an empty unit is 1.
static std::string multiple(int64_t count, const std::string &unit) {
  if (unit.empty())
    return std::to_string(count);
  return count == 1 ? unit : fmt::format("{} * {}", count, unit);
}

// ---- leaves -----------------------------------------------------------------------------------

std::string ExpressionPrinter::extentName(unsigned axis) {
  usedExtents[axis] = true;
  return names.extents[axis];
}

std::string ExpressionPrinter::strideName(Layout layout, unsigned axis) {
  assert(hasStrides(layout) && "what is dense has none");
  const bool isRows = layout == Layout::Rows;
  (isRows ? usedRows : usedStrides)[axis] = true;
  return (isRows ? names.rows : names.strides)[axis];
}

std::string ExpressionPrinter::coordinateName(const Coordinate &coordinate) {
  const char letter = "xyz"[coordinate.number % 3];
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    return fmt::format(fmt::runtime(isModular ? "blockIdx.{}" : "int(blockIdx.{})"), letter);
  case CoordinateKind::Thread:
    return fmt::format(fmt::runtime(isModular ? "threadIdx.{}" : "int(threadIdx.{})"), letter);
  case CoordinateKind::Warp:
    usesWarp = true;
    return "warp";
  case CoordinateKind::Lane:
    usesLane = true;
    return "lane";
  case CoordinateKind::Extent:
    return extentName(coordinate.number);
  case CoordinateKind::WholeParam:
    return names.params[coordinate.number];
  case CoordinateKind::Argument:
    usedIntegers[coordinate.number] = true;
    return names.integers[coordinate.number];
  case CoordinateKind::Local:
    return names.locals[same.local(coordinate.number)];
  }
  llvm_unreachable("every kind of coordinate has a name");
}

// ---- indices ----------------------------------------------------------------------------------

Printed ExpressionPrinter::integer(const Index &index) {
  for (const auto &[named, name] : namedIndices)
    if (equal(named, index))
      return {name};
  auto outOfSum = [&](auto print) {
    llvm::SaveAndRestore plain(isModular, false);
    return print();
  };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &node) -> Printed {
            if (node.name)
              return {names.constants[*node.name]};
            return {std::to_string(node.value),
                    node.value < 0 ? Precedence::Unary : Precedence::Primary};
          },
          [&](const Coordinate &node) -> Printed { return {coordinateName(node)}; },
          [&](const IndexSum &node) { return sum(node); },
          [&](const IndexScale &node) { return product(node); },
          [&](const IndexQuotient &node) {
            return outOfSum(
                [&] { return divided(node.index, node.divisor, '/', Helper::FloorQuotient); });
          },
          [&](const IndexRemainder &node) {
            return outOfSum(
                [&] { return divided(node.index, node.divisor, '%', Helper::FloorRemainder); });
          },
          [&](const IndexMin &node) -> Printed {
            return outOfSum([&] {
              return Printed{extreme(node.left, node.right, "min", Helper::LesserIndex)};
            });
          },
          [&](const IndexMax &node) -> Printed {
            return outOfSum([&] {
              return Printed{extreme(node.left, node.right, "max", Helper::GreaterIndex)};
            });
          },
          [&](const IndexMap &node) -> Printed {
            return outOfSum([&] { return Printed{mapped(node)}; });
          }),
      index->node);
}

Printed ExpressionPrinter::sum(const IndexSum &node) {
  const std::string left = integer(node.left).text;
  // Adding a negative constant or multiple reads better as a difference.
  if (std::optional<int64_t> value = asConstant(node.right); value && *value < 0)
    return {fmt::format("{} - {}", left, -*value), Precedence::Additive};
  if (const auto *scaled = std::get_if<IndexScale>(&node.right->node); scaled && scaled->factor < 0)
    return {left + " - " + product({scaled->index, -scaled->factor}).text, Precedence::Additive};
  const Printed right = integer(node.right);
  return {left + " + " +
              (right.precedence <= Precedence::Additive ? "(" + right.text + ")" : right.text),
          Precedence::Additive};
}

Printed ExpressionPrinter::product(const IndexScale &node) {
  const Printed operand = integer(node.index);
  if (node.factor == 1)
    return operand;
  // It stands to the right of `*`, so a quotient needs parentheses as well.
  const std::string text =
      operand.precedence <= Precedence::Multiplicative ? "(" + operand.text + ")" : operand.text;
  if (node.factor == -1)
    return {"-" + text, Precedence::Unary};
  if (const auto *block = std::get_if<Coordinate>(&node.index->node);
      block && block->kind == CoordinateKind::Block && kernel) {
    const std::optional<unsigned> side = kernel->sides[block->number];
    if (side && kernel->constants[*side].value == node.factor)
      return {text + " * " + names.constants[*side], Precedence::Multiplicative};
  }
  return {fmt::format("{} * {}", node.factor, text), Precedence::Multiplicative};
}

Printed ExpressionPrinter::divided(const Index &index, int64_t divisor, char op, Helper otherwise) {
  if (isNonNegative(index))
    return {fmt::format("{} {} {}", factor(integer(index)), op, divisor),
            Precedence::Multiplicative};
  return {fmt::format("{}({}, {})", helpers.use(otherwise).str(), integer(index).text, divisor)};
}

std::string ExpressionPrinter::extreme(const Index &left, const Index &right,
                                       llvm::StringRef device, Helper otherwise) {
  const std::string name = (code == Target::Device ? device : helpers.use(otherwise)).str();
  return fmt::format("{}({}, {})", name, integer(left).text, integer(right).text);
}

std::string ExpressionPrinter::mapped(const IndexMap &map) {
  if (map.boundary == BoundaryKind::Clamp && code == Target::Host)
    return extreme(maximum(map.index, constant(0)), add(extent(map.axis), -1), "min",
                   Helper::LesserIndex);
  const Helper helper = map.boundary == BoundaryKind::Clamp      ? Helper::Clamp
                        : map.boundary == BoundaryKind::Periodic ? Helper::Wrap
                        : map.boundary == BoundaryKind::Reflect  ? Helper::Reflect
                                                                 : Helper::Symmetric;
  return fmt::format("{}({}, {})", helpers.use(helper).str(), integer(map.index).text,
                     extentName(map.axis));
}

std::string ExpressionPrinter::coordinateValue(const Index &index) {
  llvm::SaveAndRestore modular(isModular, true);
  return integer(index).text;
}

bool ExpressionPrinter::isNonNegative(const Index &index) const {
  auto test = [&](const Index &part) { return isNonNegative(part); };
  return std::visit(
      llvm::makeVisitor([](const IndexConstant &node) { return node.value >= 0; },
                        [&](const Coordinate &node) {
                          if (node.kind == CoordinateKind::Argument) {
                            const Index &atLeast = kernel->integers[node.number].atLeast;
                            return atLeast && asConstant(atLeast) >= 0;
                          }
                          return node.kind != CoordinateKind::WholeParam &&
                                 (node.kind != CoordinateKind::Local ||
                                  (node.number < nonNegativeLocals.size() &&
                                   nonNegativeLocals[same.local(node.number)]));
                        },
                        [&](const IndexSum &node) { return test(node.left) && test(node.right); },
                        [&](const IndexScale &node) { return node.factor > 0 && test(node.index); },
                        [&](const IndexQuotient &node) { return test(node.index); },
                        [](const IndexRemainder &) { return true; },
                        [&](const IndexMin &node) { return test(node.left) && test(node.right); },
                        [&](const IndexMax &node) { return test(node.left) || test(node.right); },
                        [](const IndexMap &) { return true; }),
      index->node);
}

// ---- conditions -------------------------------------------------------------------------------

std::string ExpressionPrinter::compared(const Index &index, llvm::StringRef op,
                                        const Index &bound) {
  // `x - 1 >= 0` reads better as `x >= 1`.
  if (std::optional<int64_t> number = asConstant(bound))
    if (const auto *sum = std::get_if<IndexSum>(&index->node))
      if (std::optional<int64_t> shift = asConstant(sum->right))
        return compared(sum->left, op, constant(*number - *shift));
  // A bare threadIdx.x may be compared with a number as it is: neither is negative.
  const std::optional<int64_t> number = asConstant(bound);
  llvm::SaveAndRestore modular(isModular, std::holds_alternative<Coordinate>(index->node) &&
                                              number && *number >= 0);
  return fmt::format("{} {} {}", integer(index).text, op.str(), integer(bound).text);
}

static bool isOnePoint(const Range &range) {
  return range.lower && range.upper && constantDifference(range.upper, range.lower) == 1;
}

/// True of a neighbour that may lie beyond either end of an axis.
bool ExpressionPrinter::asksBothEnds(const Range &range) const {
  const auto *end = range.upper ? std::get_if<Coordinate>(&range.upper->node) : nullptr;
  return code == Target::Device && range.lower && asConstant(range.lower) == 0 && end &&
         end->kind == CoordinateKind::Extent &&
         !std::holds_alternative<Coordinate>(range.index->node) && !isOf64Bits(range.index);
}

/// Of a single term.
static Precedence precedenceOf(const Box &box) {
  return isOnePoint(box.front()) ? Precedence::Equality : Precedence::Relational;
}

Printed ExpressionPrinter::holds(const Box &box) {
  std::vector<std::string> terms;
  for (const Range &range : box) {
    if (isOnePoint(range)) {
      terms.push_back(compared(range.index, "==", range.lower));
      continue;
    }
    if (asksBothEnds(range)) {
      terms.push_back(fmt::format("{}({}, {})", helpers.use(Helper::OnGrid).str(),
                                  integer(range.index).text, integer(range.upper).text));
      continue;
    }
    if (range.lower)
      terms.push_back(compared(range.index, ">=", range.lower));
    if (range.upper)
      terms.push_back(compared(range.index, "<", range.upper));
  }
  if (terms.empty())
    return {"true"};
  return {llvm::join(terms, std::string(" &&") + kBreak),
          terms.size() > 1 ? Precedence::And : precedenceOf(box)};
}

Printed ExpressionPrinter::fails(const Box &box) {
  std::vector<std::string> terms;
  for (const Range &range : box) {
    if (isOnePoint(range)) {
      terms.push_back(compared(range.index, "!=", range.lower));
      continue;
    }
    if (range.lower)
      terms.push_back(compared(range.index, "<", range.lower));
    if (range.upper)
      terms.push_back(compared(range.index, ">=", range.upper));
  }
  if (terms.empty())
    return {"false"};
  return {llvm::join(terms, std::string(" ||") + kBreak),
          terms.size() > 1 ? Precedence::Or : precedenceOf(box)};
}

// ---- addresses --------------------------------------------------------------------------------

std::string ExpressionPrinter::pitch(Layout layout, llvm::ArrayRef<unsigned> axes,
                                     const Widths &ghost, unsigned position) {
  if (position + 1 == axes.size())
    return "";
  if (hasStrides(layout))
    return strideName(layout, axes[position]);
  std::string points;
  for (unsigned axis : axes.drop_front(position + 1)) {
    const int ghosts = ghost[axis][Low] + ghost[axis][High];
    const std::string extent = extentName(axis);
    const std::string row = ghosts ? fmt::format("({} + {})", extent, ghosts) : extent;
    points += (points.empty() ? "" : " * ") + row;
  }
  return points;
}

std::string ExpressionPrinter::steps(Layout layout, unsigned axis, int64_t count) {
  return multiple(count, axis + 1 == rank ? "" : strideName(layout, axis));
}

std::string ExpressionPrinter::address(Layout layout, llvm::ArrayRef<Index> where) {
  std::string text;
  for (unsigned axis = 0; axis < where.size(); ++axis) {
    if (std::optional<int64_t> value = asConstant(where[axis])) {
      if (*value != 0)
        text = joinTerms(text, *value < 0, steps(layout, axis, std::abs(*value)));
      continue;
    }
    const Printed printed = integer(where[axis]);
    text = joinTerms(text, false,
                     axis + 1 == rank ? printed.text
                                      : factor(printed) + " * " + strideName(layout, axis));
  }
  return text.empty() ? "0" : text;
}

/// True of what has a name of its own, such as the neighbour that a boundary sends a read to.
static bool isNamed(const Index &index) {
  const auto *own = std::get_if<Coordinate>(&index->node);
  return own && own->kind == CoordinateKind::Local;
}

/// What is added to `own` to give `index`, if that is a sum of locals and a constant: how far a
/// turn of a loop is from where a pointer stands.
static Index addedTo(const Index &own, const Index &index) {
  const LinearIndex difference = linearDifference(index, own);
  Index sum;
  for (const LinearIndex::Term &term : difference.terms) {
    const auto *node = std::get_if<Coordinate>(&term.atom->node);
    if (!node || node->kind != CoordinateKind::Local || term.factor < 0)
      return nullptr;
    const Index part = scale(term.atom, term.factor);
    sum = sum ? add(sum, part) : part;
  }
  return sum ? add(sum, difference.constant) : constant(difference.constant);
}

std::optional<std::string> ExpressionPrinter::relative(Layout layout, llvm::ArrayRef<Index> where) {
  // The pointer from which fewest axes differ by more than a constant, and of these the nearest, in
  // steps along axes; the latest of equals.
  PointerInScope *best = nullptr;
  std::pair<unsigned, int64_t> bestDistance;
  for (PointerInScope &pointer : pointers) {
    if (pointer.layout != layout)
      continue;
    std::pair<unsigned, int64_t> distance;
    bool isNear = true;
    unsigned elsewhere = 0;
    for (auto [index, own] : llvm::zip_equal(where, pointer.where)) {
      const Index added = addedTo(own, index);
      if (std::optional<int64_t> step = added ? asConstant(added) : std::nullopt)
        distance.second += std::abs(*step);
      else
        ++distance.first;
      elsewhere += !added;
      isNear &= added || (isNamed(index) && isNamed(own));
    }
    isNear &= elsewhere < where.size() || where.empty();
    if (isNear && (!best || distance <= bestDistance)) {
      best = &pointer;
      bestDistance = distance;
    }
  }
  if (!best)
    return std::nullopt;
  best->isUsed = true;
  std::string text = best->name;
  for (unsigned axis = 0; axis < where.size(); ++axis) {
    const Index &own = best->where[axis];
    const Index added = addedTo(own, where[axis]);
    if (std::optional<int64_t> count = added ? asConstant(added) : std::nullopt) {
      if (*count != 0)
        text = joinTerms(text, *count < 0, steps(layout, axis, std::abs(*count)));
    } else if (added) {
      const Printed turn = integer(added);
      text =
          joinTerms(text, false,
                    axis + 1 == rank ? turn.text : factor(turn) + " * " + strideName(layout, axis));
    } else {
      const std::string away =
          fmt::format("({} - {})", integer(where[axis]).text, integer(own).text);
      text =
          joinTerms(text, false, axis + 1 == rank ? away : away + " * " + strideName(layout, axis));
    }
  }
  return text;
}

std::optional<std::string> ExpressionPrinter::besidePointer(Layout layout,
                                                            llvm::ArrayRef<Index> where) {
  const auto isFixed = [](const auto &pair) {
    return constantDifference(std::get<0>(pair), std::get<1>(pair)).has_value();
  };
  const auto isBeside = [&](const PointerInScope &pointer) {
    return pointer.layout == layout &&
           llvm::all_of(llvm::zip_equal(where, pointer.where), isFixed) &&
           !equal(where.back(), pointer.where.back());
  };
  return llvm::any_of(pointers, isBeside) ? relative(layout, where) : std::nullopt;
}

/// Of what has no axes: a list, of which none has more elements than 32 bits count, an array over
/// time, or a single number.
std::string ExpressionPrinter::listSubscript(llvm::ArrayRef<Index> lengths,
                                             llvm::ArrayRef<Index> where) {
  std::string text;
  for (auto [dimension, index] : llvm::enumerate(where)) {
    if (dimension == 0) {
      text = integer(index).text;
      continue;
    }
    const std::string before = llvm::StringRef(text).contains(' ') ? "(" + text + ")" : text;
    const Printed length = integer(lengths[dimension]);
    text = joinTerms(before + " * " +
                         (length.precedence <= Precedence::Multiplicative ? "(" + length.text + ")"
                                                                          : length.text),
                     false, integer(index).text);
  }
  return text.empty() ? "0" : text;
}

std::string ExpressionPrinter::subscript(const ArrayArgument &array, llvm::ArrayRef<Index> where) {
  if (hasStrides(array.layout)) {
    if (std::optional<std::string> text = relative(array.layout, where))
      return *text;
    return address(array.layout, where);
  }
  if (array.axes.empty())
    return listSubscript(array.lengths, where);
  // Extents are 32 bits wide on the device, and their products are not.
  std::string text;
  for (unsigned position = 0; position < where.size(); ++position) {
    const std::string rows = pitch(array.layout, array.axes, array.ghost, position);
    const Printed printed = integer(where[position]);
    if (rows.empty())
      text = joinTerms(text, false, printed.text);
    else if (code == Target::Device)
      text = joinTerms(text, false, fmt::format("int64_t({}) * {}", printed.text, rows));
    else
      text = joinTerms(text, false, fmt::format("{} * {}", factor(printed), rows));
  }
  return text;
}

std::string ExpressionPrinter::address(unsigned array, llvm::ArrayRef<Index> where) {
  return "&" + names.arrays[array] + "[" + subscript(kernel->arrays[array], where) + "]";
}

std::string ExpressionPrinter::bracketed(std::string name, llvm::ArrayRef<Index> where) {
  for (const Index &index : where)
    name += "[" + coordinateValue(index) + "]";
  return name;
}

std::string ExpressionPrinter::tile(unsigned tile, llvm::ArrayRef<Index> where) {
  return bracketed(names.tiles[tile], where);
}

std::string ExpressionPrinter::element(unsigned patch, llvm::ArrayRef<Index> at) {
  return bracketed(names.patches[patch], at);
}

} // namespace stencilc
