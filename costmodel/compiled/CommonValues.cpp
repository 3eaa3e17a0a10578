#include "costmodel/compiled/CommonValues.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/compiled/PatchWords.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

using namespace stencilc;

namespace {

/// A value by its number; the same computation of the same operands has the same.
using Number = unsigned;

class ValueNumbering {
public:
  explicit ValueNumbering(const Kernel &kernel)
      : kernel(kernel), locals(kernel.locals.size()), registers(kernel.registers.size()) {
    for (const Patch &patch : kernel.patches)
      patches.emplace_back(elementsOf(patch));
    for (const Queue &queue : kernel.queues)
      queues.emplace_back(queue.length());
    walk(kernel.body);
  }

  unsigned betweenStatements() const { return mostAlive(&Life::since, &Life::until, time); }
  unsigned inOrder() const { return mostAlive(&Life::made, &Life::used, valuesMade); }
  unsigned atDivisions() const;
  llvm::DenseMap<const ValueNode *, CommonValues::Times> times;

private:
  struct Life {
    unsigned words, since, until; ///< statements
    unsigned made, used;          ///< values
    bool isLoaded = false;        ///< from global memory
  };
  /// What a node does, of which type, with what.
  using Key = std::pair<uint64_t, uint64_t>;

  unsigned mostAlive(unsigned Life::*from, unsigned Life::*to, unsigned end) const;
  void walk(const Body &body);
  void endLoop(const For &loop, unsigned knownBefore, unsigned begin);
  void inScope(llvm::function_ref<void()> visit);
  void put(std::optional<Number> &place, Number value, ScalarType type);
  void forgetPatches();
  void doStatement(const Statement &statement);
  Number number(const Value &value);
  Number made(ScalarType type);
  void use(Number value) {
    lives[value].until = time;
    lives[value].used = valuesMade + 1; // by the value that is made of it
  }
  std::optional<int64_t> valueOf(const Index &index) const;
  std::optional<Number> *elementAt(unsigned patch, llvm::ArrayRef<Index> at, unsigned lane = 0);
  Number computed(const ValueNode &value, llvm::ArrayRef<Number> operands);

  const Kernel &kernel;
  std::vector<std::optional<int64_t>> locals;              ///< of unrolled loops, in this turn
  std::vector<std::optional<Number>> registers;            ///< by register
  std::vector<std::vector<std::optional<Number>>> patches; ///< by element
  std::vector<std::vector<std::optional<Number>>> queues;  ///< by slot
  llvm::DenseMap<Key, Number> known;
  std::vector<Key> inThisScope; ///< what is forgotten at its end
  std::vector<std::pair<std::optional<Number> *, ScalarType>> placesPut; ///< in it, likewise
  bool isInBranch = false;
  std::vector<Life> lives;
  std::vector<unsigned> divisions; ///< outside loops: values made before each
  unsigned loopsAround = 0;
  unsigned time = 0, valuesMade = 0;
  bool isAgain = false; ///< in the second turn of a loop
};

} // namespace

Number ValueNumbering::made(ScalarType type) {
  ++valuesMade;
  lives.push_back({registerWords(type), time, time, valuesMade, valuesMade});
  return lives.size() - 1;
}

std::optional<int64_t> ValueNumbering::valueOf(const Index &index) const {
  if (anyCoordinate(index, [&](const Coordinate &coordinate) {
        return coordinate.kind != CoordinateKind::Local || !locals[coordinate.number];
      }))
    return std::nullopt;
  return evaluate(index, [&](const Coordinate &coordinate) { return *locals[coordinate.number]; });
}

/// Null of no static element; the verifier refuses it.
std::optional<Number> *ValueNumbering::elementAt(unsigned patch, llvm::ArrayRef<Index> at,
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

static uint64_t pair(uint32_t high, uint32_t low) { return uint64_t(high) << 32 | low; }

/// A kind of computation, told from all others; nothing of what may be another value each time.
static std::optional<uint32_t> kindOf(const ValueNode &value) {
  const std::optional<uint32_t> operation =
      std::visit(llvm::makeVisitor(
                     [](const UnaryValue &node) { return std::optional(uint32_t(node.op)); },
                     [](const BinaryValue &node) { return std::optional(uint32_t(node.op)); },
                     [](const CompareValue &node) { return std::optional(uint32_t(node.op)); },
                     [](const CallValue &node) { return std::optional(uint32_t(node.function)); },
                     [](const SelectValue &) { return std::optional(0u); },
                     [](const CastValue &) { return std::optional(0u); },
                     [](const auto &) { return std::optional<uint32_t>(); }),
                 value.node);
  if (!operation)
    return std::nullopt;
  return *operation << 16 | uint32_t(value.type) << 8 | uint32_t(value.node.index());
}

static bool commutes(const ValueNode &value) {
  return std::visit(llvm::makeVisitor(
                        [](const BinaryValue &node) {
                          return node.op == BinaryOp::Add || node.op == BinaryOp::Multiply;
                        },
                        [](const auto &) { return false; }),
                    value.node);
}

Number ValueNumbering::number(const Value &value) {
  const auto leafOf = [&](std::optional<Number> &place) {
    if (!place)
      place = made(value->type);
    return *place;
  };
  const auto constant = [&](uint32_t kind, uint64_t which) {
    const uint32_t type = uint32_t(value->type);
    const auto [place, isNew] = known.try_emplace(Key{pair(~kind, type), which}, 0);
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
                     [&](const QueueSlotValue &node) -> std::optional<Number> {
                       return leafOf(queues[node.queue][node.slot]);
                     },
                     [&](const LiteralValue &node) -> std::optional<Number> {
                       return constant(0, llvm::bit_cast<uint64_t>(node.value));
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
  const std::optional<uint32_t> kind = kindOf(*value);
  if (!kind)
    return computed(*value, operands);
  if (commutes(*value))
    llvm::sort(operands);
  // Of more than three operands the first ones have a number together.
  operands.resize(std::max<size_t>(operands.size(), 3), ~0u);
  Key key{pair(*kind, operands[0]), pair(operands[1], operands[2])};
  for (Number further : llvm::drop_begin(operands, 3)) {
    const Number together = known.try_emplace(key, lives.size()).first->second;
    if (together == lives.size())
      lives.push_back({0, time, time, valuesMade, valuesMade}), inThisScope.push_back(key);
    key = {pair(*kind, together), pair(further, ~0u)};
  }
  const auto place = known.find(key);
  CommonValues::Times &own = times[value.get()];
  ++own.computed;
  own.anew += place == known.end();
  if (place != known.end())
    return place->second;
  const Number made = computed(*value, operands);
  known.try_emplace(key, made);
  inThisScope.push_back(key);
  return made;
}

static bool divides(const ValueNode &value) {
  return std::visit(
      llvm::makeVisitor([&](const BinaryValue &node) { return isDivision(node, value.type); },
                        [](const auto &) { return false; }),
      value.node);
}

static bool isFromMemory(const ValueNode &value) {
  return std::visit(llvm::makeVisitor([](const LoadGlobal &) { return true; },
                                      [](const auto &) { return false; }),
                    value.node);
}

Number ValueNumbering::computed(const ValueNode &value, llvm::ArrayRef<Number> operands) {
  for (Number operand : operands)
    if (operand != ~0u)
      use(operand);
  if (loopsAround == 0 && divides(value))
    divisions.push_back(valuesMade);
  const Number result = made(value.type);
  lives.back().isLoaded = isFromMemory(value);
  return result;
}

void ValueNumbering::put(std::optional<Number> &place, Number value, ScalarType type) {
  place = value;
  if (isInBranch)
    placesPut.emplace_back(&place, type);
}

void ValueNumbering::forgetPatches() {
  for (auto &elements : patches)
    std::fill(elements.begin(), elements.end(), std::nullopt);
}

/// What is computed there is not known after it, nor what places hold that are filled there.
void ValueNumbering::inScope(llvm::function_ref<void()> visit) {
  std::vector<Key> outside = std::exchange(inThisScope, {});
  auto placesOutside = std::exchange(placesPut, {});
  const bool wasInBranch = std::exchange(isInBranch, true);
  visit();
  isInBranch = wasInBranch;
  for (auto [place, type] : placesPut)
    if (*place) {
      lives[**place].used = valuesMade;
      *place = made(type);
    }
  placesOutside.insert(placesOutside.end(), placesPut.begin(), placesPut.end());
  placesPut = std::move(placesOutside);
  for (const Key &key : inThisScope)
    known.erase(key);
  inThisScope = std::move(outside);
}

void ValueNumbering::doStatement(const Statement &statement) {
  const Value *value = stencilc::valueOf(statement);
  const std::optional<Number> own = value ? std::optional(number(*value)) : std::nullopt;
  const auto fill = [&](const PatchRow &row) {
    for (unsigned lane = 0; lane < row.lanes; ++lane)
      if (std::optional<Number> *element = elementAt(row.patch, row.at, lane))
        put(*element, made(kernel.patches[row.patch].type), kernel.patches[row.patch].type);
  };
  const auto read = [&](const PatchRow &row) {
    for (unsigned lane = 0; lane < row.lanes; ++lane)
      if (std::optional<Number> *element = elementAt(row.patch, row.at, lane); element && *element)
        use(**element);
  };
  std::visit(llvm::makeVisitor(
                 [&](const Let &node) { registers[node.reg] = *own; },
                 [&](const LetMutable &node) { registers[node.reg] = *own; },
                 [&](const Assign &node) { put(registers[node.reg], *own, (*value)->type); },
                 [&](const AssignSlot &node) { queues[node.queue][node.slot] = *own; },
                 [&](const Rotate &node) {
                   auto &slots = queues[node.queue];
                   std::move(slots.begin() + 1, slots.end(), slots.begin());
                 },
                 [&](const AssignElement &node) {
                   if (std::optional<Number> *element = elementAt(node.patch, node.at))
                     put(*element, *own, (*value)->type);
                 },
                 [&](const ShiftPatch &node) {
                   auto &elements = patches[node.patch];
                   const size_t plane = elements.size() / kernel.patches[node.patch].shape.front();
                   std::move(elements.begin() + plane, elements.end(), elements.begin());
                   std::fill(elements.end() - plane, elements.end(), std::nullopt);
                   for (std::optional<Number> &element : elements)
                     if (isInBranch)
                       placesPut.emplace_back(&element, kernel.patches[node.patch].type);
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

void ValueNumbering::walk(const Body &body) {
  for (const Statement &statement : body) {
    ++time;
    doStatement(statement);
    const For *loop = loopOf(statement);
    if (loop && forEachTurn(*loop, locals[loop->local], [&] { walk(loop->body); }))
      continue;
    // A turn does not know which one it is, and what follows not which branch was taken.
    if (loop)
      forgetPatches();
    const unsigned knownBefore = lives.size(), begin = valuesMade;
    const llvm::SaveAndRestore around(loopsAround, loopsAround + (loop ? 1 : 0));
    forEachBody(statement, [&](const Body &inner) { inScope([&] { walk(inner); }); });
    if (loop && kernel.patches.empty())
      endLoop(*loop, knownBefore, begin);
    if (loop)
      forgetPatches();
  }
}

/// What was known before the loop and is used in it, every turn needs; what a turn hands on to the
/// next is alive between them.
void ValueNumbering::endLoop(const For &loop, unsigned knownBefore, unsigned begin) {
  if (!std::exchange(isAgain, true)) {
    inScope([&] { walk(loop.body); });
    isAgain = false;
  }
  for (Life &life : llvm::MutableArrayRef(lives).take_front(knownBefore))
    if (life.used > begin)
      life.used = valuesMade;
}

unsigned ValueNumbering::mostAlive(unsigned Life::*from, unsigned Life::*to, unsigned end) const {
  std::vector<int> changes(end + 2);
  for (const Life &life : lives)
    if (life.*to > life.*from) {
      changes[life.*from] += int(life.words);
      changes[life.*to] -= int(life.words);
    }
  int alive = 0, most = 0;
  for (int change : changes)
    most = std::max(most, alive += change);
  return most;
}

unsigned ValueNumbering::atDivisions() const {
  if (divisions.empty())
    return 0;
  std::vector<int> alive(valuesMade + 2); // after each value made; at first the changes
  for (const Life &life : lives)
    if (life.used > life.made) {
      alive[life.isLoaded && life.used > divisions.front() ? 0 : life.made] += int(life.words);
      alive[life.used] -= int(life.words);
    }
  std::partial_sum(alive.begin(), alive.end(), alive.begin());
  int most = 0;
  for (unsigned division : divisions)
    most = std::max(most, alive[division]);
  return most;
}

double CommonValues::shareOfNew(const ValueNode &value) const {
  const auto place = times.find(&value);
  return place == times.end() ? 1 : double(place->second.anew) / place->second.computed;
}

CommonValues stencilc::commonValues(const Kernel &kernel) {
  CommonValues common;
  ValueNumbering numbering(kernel);
  if (kernel.patches.empty()) {
    common.wordsInOrder = numbering.inOrder();
    common.wordsAtDivisions = numbering.atDivisions();
    return common;
  }
  common.wordsAlive = numbering.betweenStatements();
  common.times = std::move(numbering.times);
  return common;
}
