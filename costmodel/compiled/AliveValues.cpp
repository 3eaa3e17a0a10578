#include "costmodel/compiled/AliveValues.h"
#include "costmodel/compiled/PatchWords.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace stencilc;

namespace {

/// A value by its number; the same computation of the same operands has the same.
using Number = unsigned;

class AliveValues {
public:
  explicit AliveValues(const Kernel &kernel)
      : kernel(kernel), locals(kernel.locals.size()), registers(kernel.registers.size()) {
    for (const Patch &patch : kernel.patches)
      patches.emplace_back(elementsOf(patch));
    walk(kernel.body);
  }

  unsigned most() const;

private:
  struct Life {
    unsigned words, since, until;
  };
  /// What a node does, of which type, with what.
  using Key = std::vector<int64_t>;

  void walk(const Body &body);
  void inScope(llvm::function_ref<void()> visit);
  void doStatement(const Statement &statement);
  Number number(const Value &value);
  Number made(ScalarType type);
  void use(Number value) { lives[value].until = time; }
  std::optional<int64_t> valueOf(const Index &index) const;
  std::optional<Number> *elementAt(unsigned patch, llvm::ArrayRef<Index> at, unsigned lane = 0);
  std::optional<Key> keyOf(const ValueNode &value, llvm::ArrayRef<Number> operands) const;

  const Kernel &kernel;
  std::vector<std::optional<int64_t>> locals;              ///< of unrolled loops, in this turn
  std::vector<std::optional<Number>> registers;            ///< by register
  std::vector<std::vector<std::optional<Number>>> patches; ///< by element
  std::map<Key, Number> known;
  std::vector<Key> inThisScope; ///< what is forgotten at its end
  std::vector<Life> lives;
  unsigned time = 0;
};

} // namespace

Number AliveValues::made(ScalarType type) {
  lives.push_back({registerWords(type), time, time});
  return lives.size() - 1;
}

std::optional<int64_t> AliveValues::valueOf(const Index &index) const {
  if (anyCoordinate(index, [&](const Coordinate &coordinate) {
        return coordinate.kind != CoordinateKind::Local || !locals[coordinate.number];
      }))
    return std::nullopt;
  return evaluate(index, [&](const Coordinate &coordinate) { return *locals[coordinate.number]; });
}

/// Null of no static element; the verifier refuses it.
std::optional<Number> *AliveValues::elementAt(unsigned patch, llvm::ArrayRef<Index> at,
                                              unsigned lane) {
  int64_t number = 0;
  for (auto [extent, index] : llvm::zip_equal(kernel.patches[patch].shape, at)) {
    const std::optional<int64_t> value = valueOf(index);
    if (!value)
      return nullptr;
    number = number * extent + *value;
  }
  number += lane;
  return number >= 0 && size_t(number) < patches[patch].size() ? &patches[patch][number] : nullptr;
}

/// Nothing of what may be another value each time.
std::optional<AliveValues::Key> AliveValues::keyOf(const ValueNode &value,
                                                   llvm::ArrayRef<Number> operands) const {
  Key key = {int64_t(value.node.index()), int64_t(value.type)};
  const bool isFixed = std::visit(
      llvm::makeVisitor(
          [&](const UnaryValue &node) { return key.push_back(int64_t(node.op)), true; },
          [&](const BinaryValue &node) { return key.push_back(int64_t(node.op)), true; },
          [&](const CompareValue &node) { return key.push_back(int64_t(node.op)), true; },
          [&](const CallValue &node) { return key.push_back(int64_t(node.function)), true; },
          [](const SelectValue &) { return true; }, [](const CastValue &) { return true; },
          [](const auto &) { return false; }),
      value.node);
  if (!isFixed)
    return std::nullopt;
  key.insert(key.end(), operands.begin(), operands.end());
  return key;
}

Number AliveValues::number(const Value &value) {
  const auto leafOf = [&](std::optional<Number> &place) {
    if (!place)
      place = made(value->type);
    return *place;
  };
  const auto constant = [&](int64_t kind, int64_t which) {
    const auto [place, isNew] = known.try_emplace(Key{-1 - kind, int64_t(value->type), which}, 0);
    if (isNew) {
      place->second = made(value->type);
      lives.back().words = 0; // instructions name it
    }
    return place->second;
  };
  const std::optional<Number> leaf =
      std::visit(llvm::makeVisitor(
                     [&](const RegisterValue &node) -> std::optional<Number> {
                       return leafOf(registers[node.reg]);
                     },
                     [&](const PatchElement &node) -> std::optional<Number> {
                       std::optional<Number> *element = elementAt(node.patch, node.at);
                       return element ? leafOf(*element) : made(value->type);
                     },
                     [&](const LiteralValue &node) -> std::optional<Number> {
                       return constant(0, llvm::bit_cast<int64_t>(node.value));
                     },
                     [&](const UniformValue &node) -> std::optional<Number> {
                       return constant(1, node.argument);
                     },
                     [](const auto &) -> std::optional<Number> { return std::nullopt; }),
                 value->node);
  if (leaf)
    return *leaf;

  llvm::SmallVector<Number, 4> operands;
  forEachOperand(*value, [&](const Value &operand) { operands.push_back(number(operand)); });
  const std::optional<Key> key = keyOf(*value, operands);
  if (key)
    if (const auto place = known.find(*key); place != known.end())
      return place->second;
  llvm::for_each(operands, [&](Number operand) { use(operand); });
  const Number own = made(value->type);
  if (key) {
    known.emplace(*key, own);
    inThisScope.push_back(*key);
  }
  return own;
}

/// What is computed there is not known after it.
void AliveValues::inScope(llvm::function_ref<void()> visit) {
  std::vector<Key> outside = std::exchange(inThisScope, {});
  visit();
  for (const Key &key : inThisScope)
    known.erase(key);
  inThisScope = std::move(outside);
}

void AliveValues::doStatement(const Statement &statement) {
  const Value *value = stencilc::valueOf(statement);
  const std::optional<Number> own = value ? std::optional(number(*value)) : std::nullopt;
  const auto fill = [&](const PatchRow &row) {
    for (unsigned lane = 0; lane < row.lanes; ++lane)
      if (std::optional<Number> *element = elementAt(row.patch, row.at, lane))
        *element = made(kernel.patches[row.patch].type);
  };
  const auto read = [&](const PatchRow &row) {
    for (unsigned lane = 0; lane < row.lanes; ++lane)
      if (std::optional<Number> *element = elementAt(row.patch, row.at, lane); element && *element)
        use(**element);
  };
  std::visit(llvm::makeVisitor(
                 [&](const Let &node) { registers[node.reg] = *own; },
                 [&](const LetMutable &node) { registers[node.reg] = *own; },
                 [&](const Assign &node) { registers[node.reg] = *own; },
                 [&](const AssignElement &node) {
                   if (std::optional<Number> *element = elementAt(node.patch, node.at))
                     *element = *own;
                 },
                 [&](const ShiftPatch &node) {
                   auto &elements = patches[node.patch];
                   const size_t plane = elements.size() / kernel.patches[node.patch].shape.front();
                   std::move(elements.begin() + plane, elements.end(), elements.begin());
                   std::fill(elements.end() - plane, elements.end(), std::nullopt);
                 },
                 [&](const LoadVector &node) { fill(node.row); },
                 [&](const LoadSharedVector &node) { fill(node.row); },
                 [&](const StoreVector &node) { read(node.row); },
                 [&](const StoreSharedVector &node) { read(node.row); },
                 [&](const auto &) {
                   if (own)
                     use(*own);
                 }),
             statement.node);
}

void AliveValues::walk(const Body &body) {
  for (const Statement &statement : body) {
    ++time;
    doStatement(statement);
    const For *loop = loopOf(statement);
    if (const std::optional<UnrolledRange> range = loop ? rangeOf(*loop) : std::nullopt) {
      for (int64_t turn = range->begin; turn < range->end; turn += range->step) {
        locals[loop->local] = turn;
        walk(loop->body);
      }
      locals[loop->local] = std::nullopt;
      continue;
    }
    forEachBody(statement, [&](const Body &inner) { inScope([&] { walk(inner); }); });
  }
}

unsigned AliveValues::most() const {
  std::vector<int> changes(time + 2);
  for (const Life &life : lives)
    if (life.until > life.since) {
      changes[life.since] += int(life.words);
      changes[life.until] -= int(life.words);
    }
  int alive = 0, most = 0;
  for (int change : changes)
    most = std::max(most, alive += change);
  return most;
}

unsigned stencilc::wordsAlive(const Kernel &kernel) { return AliveValues(kernel).most(); }
