// The most registers that are alive at once, as nvcc 13 allocates them for compute capability 9.0.
// Loads are issued as early as their addresses allow, so all values that a body loads are alive
// together and then consumed; before that, all its pointers are. The constants are fitted to
// compiled code (test/costmodel/results/compiled-sm90.csv, the half marked `fit`).
#include "costmodel/Instructions.h"
#include "costmodel/Pointers.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace stencilc;

namespace {

// Beside loaded values: the point, an output's pointer, what is being computed.
constexpr double kBesideValues = 12;
// Beside pointers, of two registers each: the point; more where indices are mapped.
constexpr double kBesidePointers = 10, kBesideMapped = 18;
// In a loop: the point, counters, strides, and what the turns left over need.
constexpr double kBesideLoop = 27;
// Of the values of all turns that became one, a third is consumed before the last is loaded.
constexpr double kAliveInLoop = 0.65;
// In a loop, of each row with a pointer that is carried along, and of each index vector whose
// address is computed anew from 64-bit parts.
constexpr double kCarriedRow = 1, kRemadeIndex = 4.2;

class RegisterEstimate {
public:
  explicit RegisterEstimate(const Kernel &kernel) : kernel(kernel) {}
  double ofBody(const Body &body, Surroundings surroundings);

private:
  double ofLoop(const For &loop, Surroundings surroundings);
  unsigned aliveWords(const Body &body) const;

  const Kernel &kernel;
};

} // namespace

static unsigned words(ScalarType type) {
  return type == ScalarType::Bool ? 0 : sizeInBytes(type) / 4;
}

/// Calls `visit` for each statement of `body` outside loops, in order; what it names is known then.
static void forEachStatement(const Body &body, Surroundings &surroundings,
                             llvm::function_ref<void(const Statement &)> visit) {
  for (const Statement &statement : body) {
    if (const auto *local = std::get_if<LetIndex>(&statement.node))
      surroundings.add(*local);
    if (const auto *named = std::get_if<LetAddress>(&statement.node))
      surroundings.add(*named);
    visit(statement);
    if (const auto *branch = std::get_if<If>(&statement.node)) {
      forEachStatement(branch->then, surroundings, visit);
      forEachStatement(branch->otherwise, surroundings, visit);
    }
  }
}

/// Words of the values alive at once, outside loops: a loaded value from the start to its last use,
/// any other from its statement on.
unsigned RegisterEstimate::aliveWords(const Body &body) const {
  struct Life {
    unsigned words = 0, birth = 0, death = 0;
  };
  std::vector<Life> registers(kernel.registers.size()), others;
  unsigned position = 0;
  Surroundings unused(kernel);
  forEachStatement(body, unused, [&](const Statement &statement) {
    ++position;
    const Value *value = valueOf(statement);
    if (!value)
      return;
    bool loads = false;
    forEachValue(*value, [&](const ValueNode &part) {
      if (const auto *reg = std::get_if<RegisterValue>(&part.node))
        registers[reg->reg].death = position;
      if (!std::holds_alternative<LoadGlobal>(part.node) &&
          !std::holds_alternative<LoadShared>(part.node))
        return;
      loads = true;
      if (!std::holds_alternative<Let>(statement.node))
        others.push_back({words(part.type), 0, position});
    });
    if (const auto *let = std::get_if<Let>(&statement.node))
      registers[let->reg] = {words((*value)->type), loads ? 0 : position, position};
  });

  std::vector<int> change(position + 2);
  for (const auto *lives : {&registers, &others})
    for (const Life &life : *lives) {
      change[life.birth] += life.words;
      change[life.death + 1] -= life.words;
    }
  int alive = 0, most = 0;
  for (int step : change)
    most = std::max(most, alive += step);
  return most;
}

double RegisterEstimate::ofLoop(const For &loop, Surroundings surroundings) {
  const int turns = unrolledTurns(loop);
  Surroundings inside = surroundings.inside(loop);
  llvm::StringSet<> carried, remade;
  double inner = 0;
  forEachStatement(loop.body, inside, [&](const Statement &statement) {
    if (const auto *nested = std::get_if<For>(&statement.node))
      inner = std::max(inner, ofLoop(*nested, inside));
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = inside.address(array, where);
      if (isCarried(address, turns))
        carried.insert(fmt::format("{}: {}", array, address.index));
      else
        remade.insert(address.index);
    });
  });
  double values = turns * aliveWords(loop.body);
  for (const Queue &queue : kernel.queues)
    values += (queue.length() - 1) * words(queue.type);
  const double own = kBesideLoop + kAliveInLoop * values + kCarriedRow * carried.size() +
                     kRemadeIndex * remade.size();
  return std::max(own, inner);
}

double RegisterEstimate::ofBody(const Body &body, Surroundings surroundings) {
  llvm::StringSet<> rows; // arrays add their bases to shared ones one after another
  bool anyMapped = false;
  double inLoops = 0;
  forEachStatement(body, surroundings, [&](const Statement &statement) {
    if (const auto *loop = std::get_if<For>(&statement.node))
      inLoops = std::max(inLoops, ofLoop(*loop, surroundings));
    if (std::holds_alternative<StoreGlobal>(statement.node))
      return;
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = surroundings.address(array, where);
      anyMapped |= !address.isNear;
      rows.insert(address.index);
    });
  });
  const double ofValues = kBesideValues + aliveWords(body);
  const double ofPointers = (anyMapped ? kBesideMapped : kBesidePointers) + 2.0 * rows.size();
  return std::max({ofValues, ofPointers, inLoops});
}

int stencilc::estimateRegisters(const Kernel &kernel) {
  return std::lround(RegisterEstimate(kernel).ofBody(kernel.body, Surroundings(kernel)));
}
