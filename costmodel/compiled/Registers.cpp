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

#include <algorithm>
#include <cmath>
#include <set>

using namespace stencilc;

namespace {

// Beside loaded values: the point, an output's pointer, what is being computed.
constexpr double kBesideValues = 12;
// Beside pointers, of two registers each: the point.
constexpr double kBesidePointers = 10;
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
    std::visit(llvm::makeVisitor([&](const LetIndex &node) { scope.add(node); },
                                 [&](const LetPointer &node) { scope.add(node); },
                                 [](const auto &) {}),
               statement.node);
    visit(statement);
    if (!loopOf(statement))
      forEachBody(statement, [&](const Body &inner) { forEachStatement(inner, scope, visit); });
  }
}

namespace {
/// What values are to registers.
struct Source {
  std::optional<unsigned> reg; ///< that is read
  bool isLoad = false;
};
} // namespace

static Source sourceOf(const ValueNode &value) {
  const Source load{{}, true};
  return std::visit(
      llvm::makeVisitor(
          [](const RegisterValue &node) { return Source{node.reg}; },
          [&](const LoadGlobal &) { return load; }, [&](const LoadShared &) { return load; },
          [](const LiteralValue &) { return Source(); }, [](const ParamLeaf &) { return Source(); },
          [](const UniformValue &) { return Source(); },
          [](const QueueSlotValue &) { return Source(); },
          [](const UnaryValue &) { return Source(); }, [](const BinaryValue &) { return Source(); },
          [](const CompareValue &) { return Source(); },
          [](const SelectValue &) { return Source(); }, [](const CallValue &) { return Source(); },
          [](const CastValue &) { return Source(); }, [](const GuardedValue &) { return Source(); },
          [](const PatchElement &) { return Source(); },
          [](const ShuffleValue &) { return Source(); },
          [](const IndexValue &) { return Source(); }),
      value.node);
}

/// The register that a statement makes with its only value.
static std::optional<unsigned> madeBy(const Statement &statement) {
  using Made = std::optional<unsigned>;
  return std::visit(llvm::makeVisitor([](const Let &node) { return Made(node.reg); },
                                      [](const auto &) { return Made(); }),
                    statement.node);
}

static bool storesToArray(const Statement &statement) {
  return std::visit(llvm::makeVisitor([](const StoreGlobal &) { return true; },
                                      [](const StoreVector &) { return true; },
                                      [](const auto &) { return false; }),
                    statement.node);
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
    const std::optional<unsigned> made = madeBy(statement);
    bool loads = false;
    forEachValue(*value, [&](const ValueNode &part) {
      const Source source = sourceOf(part);
      if (source.reg) {
        Life &life = lives[*source.reg];
        if (++life.uses == 1 && life.isLoaded && !loadsEarly)
          life.birth = position;
        life.death = position;
      }
      if (!source.isLoad)
        return;
      loads = true;
      if (!made)
        lives.push_back({words(part.type), 0, position, 1, true});
    });
    if (made)
      lives[*made] = {words((*value)->type), loads && loadsEarly ? 0 : position, position, 0,
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
  std::set<std::pair<unsigned, IndexKey>> carried; // by array
  std::set<IndexKey> remade;
  Demand nested;
  forEachStatement(loop.body, inside, [&](const Statement &statement) {
    if (const For *inner = loopOf(statement))
      nested.include(ofLoop(*inner, inside));
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = inside.address(array, where);
      if (isCarried(address, turns))
        carried.insert({array, address.index});
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
  std::set<IndexKey> rows; // arrays add their bases to shared ones, one after another
  unsigned mapped = 0;
  Demand inLoops;
  forEachStatement(body, scope, [&](const Statement &statement) {
    if (const For *loop = loopOf(statement))
      inLoops.include(ofLoop(*loop, scope));
    if (storesToArray(statement))
      return;
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = scope.address(array, where);
      if (rows.insert(address.index).second)
        mapped += !address.isNear;
    });
  });
  Demand own;
  own.wanted =
      std::max(kBesideValues + aliveWords(body, true), kBesidePointers + 2.0 * rows.size());
  own.needed = kNeeded + aliveWords(body, false) + kNeededMapped * mapped;
  own.include(inLoops);
  return own;
}

RegisterEstimate stencilc::estimateRegisters(const Kernel &kernel) {
  const Demand demand = RegisterRules(kernel).ofBody(kernel.body, AddressScope(kernel));
  return {int(std::lround(demand.wanted)),
          int(std::lround(std::min(demand.wanted, demand.needed)))};
}
