// The most registers that are alive at once, as nvcc 13 allocates them for compute capability 9.0.
//
// Wanted: loads are issued as early as their addresses allow, so all values that a body loads are
// alive together and then consumed; before that, all its pointers are. Needed: under a cap, a value
// is loaded just before its use and an address is computed anew, so only what is used again, or
// carried from turn to turn, holds a register; what does not fit then is spilled. The constants are
// fitted to compiled code (test/costmodel/results, the examples marked `fit`).
#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/Instructions.h"
#include "ir/kernel/ValueTypes.h"

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

// Needed: beside values that are used again and halves of mapped addresses, straight on and in a
// loop.
constexpr double kNeeded = 14, kNeededInLoop = 24;
constexpr double kNeededMapped = 1.5, kNeededRemade = 3;

struct Demand {
  double wanted = 0, needed = 0;
  void include(const Demand &other) {
    wanted = std::max(wanted, other.wanted);
    needed = std::max(needed, other.needed);
  }
};

class RegisterRules {
public:
  explicit RegisterRules(const Kernel &kernel) : kernel(kernel) {}
  Demand ofBody(const Body &body, AddressScope scope);

private:
  Demand ofLoop(const For &loop, const AddressScope &outside);
  unsigned aliveWords(const Body &body, bool loadsEarly) const;

  const Kernel &kernel;
};

} // namespace

static unsigned words(ScalarType type) {
  return type == ScalarType::Bool ? 0 : sizeInBytes(type) / 4;
}

/// Calls `visit` for each statement of `body` outside loops, in order; what it names is known then.
static void forEachStatement(const Body &body, AddressScope &scope,
                             llvm::function_ref<void(const Statement &)> visit) {
  for (const Statement &statement : body) {
    if (const auto *local = std::get_if<LetIndex>(&statement.node))
      scope.add(*local);
    if (const auto *named = std::get_if<LetPointer>(&statement.node))
      scope.add(*named);
    visit(statement);
    if (const auto *branch = std::get_if<If>(&statement.node)) {
      forEachStatement(branch->then, scope, visit);
      forEachStatement(branch->otherwise, scope, visit);
    }
  }
}

/// Words of the values alive at once, outside loops: any value from its statement to its last use;
/// a loaded one from the start, or late: from its first use on, and not at all if that is its last.
unsigned RegisterRules::aliveWords(const Body &body, bool loadsEarly) const {
  struct Life {
    unsigned words = 0, birth = 0, death = 0, uses = 0;
    bool isLoaded = false;
  };
  std::vector<Life> lives(kernel.registers.size());
  unsigned position = 0;
  AddressScope unused(kernel);
  forEachStatement(body, unused, [&](const Statement &statement) {
    ++position;
    const Value *value = valueOf(statement);
    if (!value)
      return;
    const auto *let = std::get_if<Let>(&statement.node);
    bool loads = false;
    forEachValue(*value, [&](const ValueNode &part) {
      if (const auto *reg = std::get_if<RegisterValue>(&part.node)) {
        Life &life = lives[reg->reg];
        if (++life.uses == 1 && life.isLoaded && !loadsEarly)
          life.birth = position;
        life.death = position;
      }
      if (!std::holds_alternative<LoadGlobal>(part.node) &&
          !std::holds_alternative<LoadShared>(part.node))
        return;
      loads = true;
      if (!let)
        lives.push_back({words(part.type), 0, position, 1, true});
    });
    if (let)
      lives[let->reg] = {words((*value)->type), loads && loadsEarly ? 0 : position, position, 0,
                         loads};
  });

  std::vector<int> change(position + 2);
  for (const Life &life : lives)
    if (loadsEarly || !life.isLoaded || life.uses > 1) {
      change[life.birth] += life.words;
      change[life.death + 1] -= life.words;
    }
  int alive = 0, most = 0;
  for (int step : change)
    most = std::max(most, alive += step);
  return most;
}

Demand RegisterRules::ofLoop(const For &loop, const AddressScope &outside) {
  const int turns = unrolledTurns(loop);
  AddressScope inside = outside.inside(loop);
  llvm::StringSet<> carried, remade;
  Demand nested;
  forEachStatement(loop.body, inside, [&](const Statement &statement) {
    if (const auto *inner = std::get_if<For>(&statement.node))
      nested.include(ofLoop(*inner, inside));
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = inside.address(array, where);
      if (isCarried(address, turns))
        carried.insert(fmt::format("{}: {}", array, address.index));
      else
        remade.insert(address.index);
    });
  });

  unsigned queued = 0;
  for (const Queue &queue : kernel.queues)
    queued += (queue.length() - 1) * words(queue.type);
  Demand own;
  own.wanted = kBesideLoop + kAliveInLoop * (turns * aliveWords(loop.body, true) + queued) +
               kCarriedRow * carried.size() + kRemadeIndex * remade.size();
  own.needed =
      kNeededInLoop + aliveWords(loop.body, false) + queued + kNeededRemade * remade.size();
  own.include(nested);
  return own;
}

Demand RegisterRules::ofBody(const Body &body, AddressScope scope) {
  llvm::StringSet<> rows; // arrays add their bases to shared ones, one after another
  unsigned mapped = 0;
  Demand inLoops;
  forEachStatement(body, scope, [&](const Statement &statement) {
    if (const auto *loop = std::get_if<For>(&statement.node))
      inLoops.include(ofLoop(*loop, scope));
    if (std::holds_alternative<StoreGlobal>(statement.node))
      return;
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = scope.address(array, where);
      if (rows.insert(address.index).second)
        mapped += !address.isNear;
    });
  });
  Demand own;
  own.wanted = std::max(kBesideValues + aliveWords(body, true),
                        (mapped ? kBesideMapped : kBesidePointers) + 2.0 * rows.size());
  own.needed = kNeeded + aliveWords(body, false) + kNeededMapped * mapped;
  own.include(inLoops);
  return own;
}

RegisterEstimate stencilc::estimateRegisters(const Kernel &kernel) {
  const Demand demand = RegisterRules(kernel).ofBody(kernel.body, AddressScope(kernel));
  return {int(std::lround(demand.wanted)),
          int(std::lround(std::min(demand.wanted, demand.needed)))};
}
