#include "codegen/print/AskedEnds.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// The factor of a product that has one beyond an end alone.
static const GuardedValue *factorOf(const BinaryValue &product) {
  const auto *factor = std::get_if<GuardedValue>(&product.right->node);
  if (product.op != BinaryOp::Multiply || !factor || factor->box.size() != 1)
    return nullptr;
  const auto *inside = std::get_if<LiteralValue>(&factor->inside->node);
  return inside && inside->value == 1 ? factor : nullptr;
}

AskedLoad stencilc::askedLoad(const Value &value) {
  AskedLoad result{value};
  while (true) {
    if (const auto *guard = std::get_if<GuardedValue>(&result.load->node)) {
      for (const Range &range : guard->box)
        result.asks.push_back({range, {guard->outside, false}});
      result.load = Value(guard->inside);
      continue;
    }
    const auto *product = std::get_if<BinaryValue>(&result.load->node);
    const GuardedValue *factor = product ? factorOf(*product) : nullptr;
    if (!factor)
      return result;
    result.asks.push_back({factor->box.front(), {factor->outside, true}});
    result.load = Value(product->left);
  }
}

std::optional<AskedEnds> stencilc::endsOf(const AskedLoad &load, llvm::ArrayRef<Index> index) {
  AskedEnds ends;
  for (const auto &[range, end] : load.asks) {
    // Factors that stand beside numbers ask for those, too.
    if (end.isFactor != load.asks.front().end.isFactor)
      return std::nullopt;
    const auto *own =
        llvm::find_if(index, [&](const Index &each) { return equal(each, range.index); });
    const unsigned axis = own - index.begin();
    if (own == index.end() || (range.lower && !equal(range.lower, constant(0))) ||
        (range.upper && !equal(range.upper, extent(axis))))
      return std::nullopt;
    if (range.lower)
      ends[axis][Low] = end;
    if (range.upper)
      ends[axis][High] = end;
  }
  return ends;
}

static bool sameNumber(const Value &some, const Value &other) {
  const auto *literal = std::get_if<LiteralValue>(&some->node);
  const auto *otherLiteral = std::get_if<LiteralValue>(&other->node);
  const auto *uniform = std::get_if<UniformValue>(&some->node);
  const auto *otherUniform = std::get_if<UniformValue>(&other->node);
  return (literal && otherLiteral && literal->value == otherLiteral->value) ||
         (uniform && otherUniform && uniform->argument == otherUniform->argument);
}

static bool sameEnd(const AskedEnd &some, const AskedEnd &other) {
  return some.isFactor == other.isFactor && sameNumber(some.number, other.number);
}

bool stencilc::joinEnds(AskedEnds &ends, const AskedEnds &others, unsigned axis) {
  for (const Side side : {Low, High}) {
    std::optional<AskedEnd> &end = ends[axis][side];
    const std::optional<AskedEnd> &other = others[axis][side];
    if (end && other && !sameEnd(*end, *other))
      return false;
    if (other)
      end = other;
  }
  return true;
}

bool stencilc::sameEnds(const AskedEnds &some, const AskedEnds &others, unsigned axis) {
  return llvm::all_of(std::array{Low, High}, [&](Side side) {
    const auto &end = some[axis][side], &other = others[axis][side];
    return end ? other && sameEnd(*end, *other) : !other;
  });
}

bool stencilc::haveOneNumber(const AskedEnds &ends) {
  const AskedEnd *first = nullptr;
  for (const auto &sides : ends)
    for (const std::optional<AskedEnd> &end : sides) {
      if (!end || end->isFactor)
        continue;
      if (first && !sameEnd(*first, *end))
        return false;
      first = &*end;
    }
  return true;
}

Value stencilc::withEnds(Value load, const AskedEnds &ends, llvm::ArrayRef<Index> index) {
  const ScalarType type = load->type;
  const auto guarded = [&](Box box, Value inside, Value outside) {
    return makeValue(type, GuardedValue{std::move(box), std::move(inside), std::move(outside)});
  };
  Box onGrid;
  Value number;
  for (unsigned axis = 0; axis < index.size(); ++axis) {
    const auto &[low, high] = ends[axis];
    const auto ask = [&](bool asksLow, bool asksHigh, const AskedEnd &end) {
      const Range range = {index[axis], asksLow ? constant(0) : nullptr,
                           asksHigh ? extent(axis) : nullptr};
      if (end.isFactor) {
        const Value one = makeValue(type, LiteralValue{1});
        load = makeValue(type,
                         BinaryValue{BinaryOp::Multiply, load, guarded({range}, one, end.number)});
      } else {
        onGrid.push_back(range);
        number = end.number;
      }
    };
    if (low && high && sameEnd(*low, *high)) {
      ask(true, true, *low);
      continue;
    }
    if (low)
      ask(true, false, *low);
    if (high)
      ask(false, true, *high);
  }
  return onGrid.empty() ? load : guarded(std::move(onGrid), load, number);
}
