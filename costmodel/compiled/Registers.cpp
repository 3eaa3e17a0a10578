// The most registers that are alive at once.
//
// Wanted: loads are issued as early as their addresses allow, so all values that a body loads are
// alive together and then consumed; before that, all its pointers are. A march of large formulas
// wants what is alive in the order of the text, where what is the same is computed once and kept,
// and so do formulas beside tiles (CommonValues.h). Needed: under a cap, a value is loaded just
// before its use and an address is computed anew, so only what is used again, or carried from turn
// to turn, holds a register; what does not fit then is spilled. So is most of what a march has
// alive in order beyond its registers. A thread that marches nowhere needs two things more: what it
// loads under a guard, which stays where the text loads it, and what is alive at a division
// (CommonValues.h).
//
// Patches are registers from the start, and what a kernel with patches or tiles wants is a form of
// its own: words, and the parts of addresses. Without those parts it is what the kernel needs; of a
// march in patches, with what is loaded ahead and what formulas name; of one that loads past them
// at each of several levels, with all of that and its addresses. Where levels on three axes share
// tiles it is what is alive at once, going through the text twice, and so much for a turn, or for
// two where several are written out: rows that the next level or turn reads are loaded early.
// Threads that march nowhere load all of their patches at once, and need all but the addresses of
// rows that they store; they keep what their points have in common from one to the next. A march
// that is unrolled, of one turn, needs what it wants: its loads go as early as registers allow, and
// a compiler that is given fewer spills.
//
// What fills tiles computes the addresses of several cells ahead of them (TileFills.h). A march
// wants registers for each tile, unless a promise of resident blocks leaves its threads few.
// Patches that move up and are completed from tiles are taken as they are read: an element that
// lies there needs a register from the first value that reads it to the last, in the order of the
// text.
#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/Stores.h"
#include "costmodel/compiled/TileFills.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace stencilc;

/// Of a march that is unrolled; with more, star5.stn in f64 spills 2.7 KB a thread (nvcc 13.0,
/// sm_90), and takes fifty times as long.
static constexpr double kMostUnrolled = 192, kNoThreadHas = 256;

namespace {

struct Demand {
  double wanted = 0, needed = 0;
  void include(const Demand &other) {
    wanted = std::max(wanted, other.wanted);
    needed = std::max(needed, other.needed);
  }
};

/// From when on a loaded value is alive.
enum class Loads {
  Early,            ///< from the start
  Late,             ///< from its first use, and not at all if that is its last
  LateUnlessGuarded ///< under a guard from where the text loads it, others late
};

class RegisterRules {
public:
  RegisterRules(const EstimatedKernel &estimated, const CodeTable &table, CodeReader &code,
                bool haveFew)
      : estimated(estimated), kernel(estimated.kernel), table(table), code(code),
        inPatches(estimated.inPatches), common(estimated.common()), haveFew(haveFew) {}
  Demand ofBody(const Body &body, AddressScope scope);
  double inFunctions() const;

private:
  Demand ofLoop(const For &loop, const AddressScope &outside);
  bool movesLoads(const Body &turn) const;
  Demand besideTiles(const For &loop, double alive) const;
  double wantedWithTiles() const;
  Demand besideTilesAndPatches(const For &loop, double alive, unsigned pointers) const;
  bool holdsOneRegister(const Address &address, int turns) const;
  unsigned aliveWords(const Body &body, Loads loads) const;
  unsigned wordsLoadedBeside(const Body &body, unsigned times) const;
  double ofFormulas(const Body &body) const;
  double of(CodeNumber number) const { return code.of(number); }

  const EstimatedKernel &estimated;
  const Kernel &kernel;
  const CodeTable &table;
  CodeReader &code;
  const PatchWords &inPatches;
  const CommonValues &common;
  const bool haveFew;
};

} // namespace

/// Of a patch that is completed from tiles: of star5.stn all that were tried up to 1848 elements
/// are taken apart, of 2156 and more none.
static constexpr unsigned kMostTakenElements = 1848;

static bool keepsPatchInMemory(const Kernel &kernel) {
  return llvm::any_of(kernel.patches,
                      [](const Patch &patch) { return elementsOf(patch) > kMostTakenElements; });
}

/// The loop that a statement is, if it stays one in the compiled code, or a march that is unrolled:
/// its turns share registers as those of a loop do.
static const For *marchOf(const Statement &statement) {
  const For *loop = loopOf(statement);
  return loop && !leavesNoLoop(*loop) ? loop : nullptr;
}

/// Calls `visit` for each statement of `body` outside loops, in order.
static void forEachStatement(const Body &body, llvm::function_ref<void(const Statement &)> visit) {
  for (const Statement &statement : body) {
    visit(statement);
    if (!marchOf(statement))
      forEachBody(statement, [&](const Body &inner) { forEachStatement(inner, visit); });
  }
}

/// The same; what a statement names is known then.
static void forEachStatement(const Body &body, AddressScope &scope,
                             llvm::function_ref<void(const Statement &)> visit) {
  forEachStatement(body, [&](const Statement &statement) {
    std::visit(llvm::makeVisitor([&](const LetIndex &node) { scope.add(node); },
                                 [&](const LetPointer &node) { scope.add(node); },
                                 [](const auto &) {}),
               statement.node);
    visit(statement);
  });
}

namespace {
/// What values are to registers.
struct Source {
  std::optional<unsigned> reg; ///< that is read
  bool isLoad = false;
  std::optional<unsigned> array = {}; ///< that it is loaded from
  bool isGuard = false;
};
} // namespace

static Source sourceOf(const ValueNode &value) {
  return std::visit(
      llvm::makeVisitor(
          [](const RegisterValue &node) { return Source{node.reg}; },
          [](const LoadGlobal &node) { return Source{{}, true, node.array}; },
          [](const LoadShared &) { return Source{{}, true}; },
          [](const LiteralValue &) { return Source(); }, [](const ParamLeaf &) { return Source(); },
          [](const UniformValue &) { return Source(); },
          [](const QueueSlotValue &) { return Source(); },
          [](const UnaryValue &) { return Source(); }, [](const BinaryValue &) { return Source(); },
          [](const CompareValue &) { return Source(); },
          [](const SelectValue &) { return Source(); }, [](const CallValue &) { return Source(); },
          [](const CastValue &) { return Source(); },
          [](const GuardedValue &) { return Source{{}, false, {}, true}; },
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

/// Words that a body loads into registers of their own from arrays with all axes, over all turns of
/// loops that are unrolled.
unsigned RegisterRules::wordsLoadedBeside(const Body &body, unsigned times) const {
  unsigned loaded = 0;
  for (const Statement &statement : body) {
    if (madeBy(statement))
      forEachValue(*valueOf(statement), [&](const ValueNode &part) {
        if (const auto array = sourceOf(part).array;
            array && hasStrides(kernel.arrays[*array].layout))
          loaded += times * registerWords(part.type);
      });
    const For *loop = loopOf(statement);
    forEachBody(statement, [&](const Body &inner) {
      loaded += wordsLoadedBeside(inner, loop ? times * unrolledTripCount(*loop) : times);
    });
  }
  return loaded;
}

/// Words of the values alive at once, outside loops: any value from its statement to its last use,
/// a loaded one as `loads` says.
unsigned RegisterRules::aliveWords(const Body &body, Loads loads) const {
  struct Life {
    unsigned words = 0, birth = 0, death = 0, uses = 0;
    bool isLate = false;
  };
  const bool areEarly = loads == Loads::Early;
  std::vector<Life> lives(kernel.registers.size());
  unsigned position = 0;
  forEachStatement(body, [&](const Statement &statement) {
    ++position;
    const Value *value = valueOf(statement);
    if (!value)
      return;
    const std::optional<unsigned> made = madeBy(statement);
    bool isLoaded = false, isGuarded = false;
    forEachValue(*value, [&](const ValueNode &part) {
      const Source source = sourceOf(part);
      isGuarded |= source.isGuard;
      if (source.reg) {
        Life &life = lives[*source.reg];
        if (++life.uses == 1 && life.isLate)
          life.birth = position;
        life.death = position;
      }
      if (!source.isLoad)
        return;
      isLoaded = true;
      if (!made)
        lives.push_back({registerWords(part.type), 0, position, 1, !areEarly});
    });
    const bool isInOrder = loads == Loads::LateUnlessGuarded && isGuarded;
    if (made)
      lives[*made] = {registerWords((*value)->type), isLoaded && areEarly ? 0 : position, position,
                      0, isLoaded && !areEarly && !isInOrder};
  });

  std::vector<int> change(position + 2);
  for (const Life &life : lives)
    if (!life.isLate || life.uses > 1) {
      change[life.birth] += life.words;
      change[life.death + 1] -= life.words;
    }
  int alive = 0, most = 0;
  for (int step : change)
    most = std::max(most, alive += step);
  return most;
}

/// True of a pointer that runs along with a loop, near a named one, or in a loop small enough to be
/// unrolled as far as any. Others take the parts that they are computed from.
bool RegisterRules::holdsOneRegister(const Address &address, int turns) const {
  return address.motion != Motion::Remade && (address.isNear || turns == of(CodeNumber::MostTurns));
}

/// What formulas keep of what they have computed, beside elements of patches, is in registers
/// however late all else is loaded.
double RegisterRules::ofFormulas(const Body &body) const {
  return of(CodeNumber::Needed) + aliveWords(body, Loads::Late) +
         (inPatches.kept ? inPatches.kept : inPatches.alive);
}

/// By a kernel without patches.
double RegisterRules::wantedWithTiles() const {
  const TileFills fills = tileFills(kernel, estimated.instructions(table));
  const bool isShort =
      fills.leastInstructions > 0 && fills.leastInstructions <= of(CodeNumber::MostInShortFill);
  if (fills.inMarch)
    return of(CodeNumber::FillingInMarch) + of(CodeNumber::InOrderFilling) * common.wordsInOrder +
           (haveFew && !fills.divides ? 0 : of(CodeNumber::TileInMarch) * kernel.tiles.size()) +
           (isShort || fills.divides ? of(CodeNumber::FillingMoreInMarch) : 0);
  double wanted = of(CodeNumber::WithTiles) +
                  of(CodeNumber::InOrderWithTiles) * common.wordsInOrder +
                  of(CodeNumber::ArrayWithTiles) * kernel.arrays.size();
  if (fills.divides)
    wanted += of(CodeNumber::FillingRows);
  if (common.wordsAtDivisions > 0)
    wanted = std::max(wanted, of(CodeNumber::AtDivisionWithTiles) + common.wordsAtDivisions);
  return isShort ? std::max(wanted, of(CodeNumber::ShortFill)) : wanted;
}

/// Of a loop in a kernel with tiles and no patches; what it wants is the whole kernel's.
Demand RegisterRules::besideTiles(const For &loop, double alive) const {
  Demand own;
  own.wanted = own.needed =
      std::max(ofFormulas(loop.body),
               of(CodeNumber::BesideTiles) + of(CodeNumber::AliveBesideTiles) * alive);
  return own;
}

/// And in one with patches, too.
Demand RegisterRules::besideTilesAndPatches(const For &loop, double alive,
                                            unsigned pointers) const {
  Demand own;
  if (inPatches.taken) {
    const double words = inPatches.alive + aliveWords(loop.body, Loads::Late);
    own.needed = of(CodeNumber::NeededBesideTaken) + words;
    own.wanted = of(CodeNumber::BesideTaken) + words;
    if (keepsPatchInMemory(kernel))
      own.wanted = own.needed = kNoThreadHas;
    return own;
  }
  own.wanted =
      of(CodeNumber::BesideTiles) + of(CodeNumber::AliveBesideTiles) * (alive + inPatches.read);
  const bool isMarchOfLevels = kernel.rank() == 3 && inPatches.kept;
  own.needed =
      isMarchOfLevels
          ? of(CodeNumber::BesideTurnOfLevels) * std::min<int64_t>(loop.step, 2) + inPatches.kept
          : std::max(own.wanted, of(CodeNumber::BesidePatches) + inPatches.made);
  own.needed += wordsLoadedBeside(loop.body, 1) / loop.step;
  own.needed = std::max(own.needed, ofFormulas(loop.body));
  own.wanted = std::max(own.needed, own.wanted + of(CodeNumber::PointerBesideTiles) * pointers);
  return own;
}

/// Whether loads of a turn may move above the stores of the one before: all are of arrays that the
/// kernel does not write.
bool RegisterRules::movesLoads(const Body &turn) const {
  bool moves = true;
  forEachStatement(turn, [&](const Statement &statement) {
    forEachLoad(statement, [&](unsigned array, llvm::ArrayRef<Index>) {
      moves &= kernel.arrays[array].access == Access::Read;
    });
  });
  return moves;
}

Demand RegisterRules::ofLoop(const For &loop, const AddressScope &outside) {
  const int turns = unrolledTurns(loop, code);
  AddressScope inside = outside.inside(loop);
  std::set<std::pair<unsigned, IndexKey>> carried; // by array
  std::set<IndexKey> remade;
  Demand nested;
  forEachStatement(loop.body, inside, [&](const Statement &statement) {
    if (const For *inner = marchOf(statement))
      nested.include(ofLoop(*inner, inside));
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = inside.address(array, where);
      if (holdsOneRegister(address, turns))
        carried.insert({array, address.index});
      else
        remade.insert(address.index);
    });
  });

  unsigned queued = 0;
  for (const Queue &queue : kernel.queues)
    queued += (queue.length() - 1) * registerWords(queue.type);
  const bool isAhead = loop.steady && loop.steady->phasesAhead > 0;
  int together = turns; // whose loads are alive
  if (turns == of(CodeNumber::MostTurns))
    together = !movesLoads(loop.body) ? 1 : isAhead ? turns / 2 : turns;
  const double loaded = together * aliveWords(loop.body, Loads::Early), alive = loaded + queued;
  const size_t pointers = carried.size() + remade.size();
  Demand own;
  if (!kernel.tiles.empty()) {
    own = inPatches.read ? besideTilesAndPatches(loop, alive, pointers) : besideTiles(loop, alive);
  } else if (inPatches.read) {
    own.needed =
        of(CodeNumber::BesidePatches) + inPatches.held + aliveWords(loop.body, Loads::Late);
    if (const unsigned loaded = wordsLoadedBeside(loop.body, 1) / loop.step)
      own.needed += of(CodeNumber::LoadingBesidePatches) + loaded;
    const bool isUnrolled = loop.kind == LoopKind::Unroll;
    const bool movesUp = !isUnrolled && llvm::any_of(inPatches.ways, [](const auto &columns) {
      return !columns.empty();
    });
    own.wanted = movesUp ? of(CodeNumber::PatchesInMarch) + inPatches.held +
                               aliveWords(loop.body, Loads::Early)
                         : of(CodeNumber::BesidePatches) + inPatches.read +
                               of(CodeNumber::PointerBesidePatches) * pointers;
    own.wanted = std::max(own.needed, own.wanted);
    if (isAhead && !updatesPatch(loop.body))
      own.wanted =
          std::max(own.needed, of(CodeNumber::BesideAhead) + of(CodeNumber::LoadedAhead) * loaded +
                                   of(CodeNumber::HeldAhead) * inPatches.held);
    if (isUnrolled)
      own.needed = own.wanted = own.wanted > kMostUnrolled ? kNoThreadHas : own.wanted;
  } else {
    own.wanted = of(CodeNumber::BesideLoop) + of(CodeNumber::AliveInLoop) * alive +
                 of(CodeNumber::CarriedRow) * carried.size() +
                 of(CodeNumber::RemadeIndex) * remade.size();
    own.wanted = std::max(own.wanted, of(CodeNumber::BesideInOrder) +
                                          of(CodeNumber::InOrderInLoop) * common.wordsInOrder);
    own.needed = of(CodeNumber::NeededInLoop) + aliveWords(loop.body, Loads::Late) + queued +
                 of(CodeNumber::NeededRemade) * remade.size();
    own.needed = std::max(own.needed, of(CodeNumber::NeededInOrder) * common.wordsInOrder);
  }
  own.include(nested);
  return own;
}

Demand RegisterRules::ofBody(const Body &body, AddressScope scope) {
  std::set<IndexKey> rows; // arrays add their bases to shared ones, one after another
  unsigned mapped = 0;
  llvm::SmallVector<unsigned, 4> turns; // of loops that are unrolled, by their locals
  bool storesRows = false;
  Demand inLoops;
  forEachStatement(body, scope, [&](const Statement &statement) {
    if (const For *loop = marchOf(statement))
      inLoops.include(ofLoop(*loop, scope));
    else if (const For *unrolled = loopOf(statement))
      turns.push_back(unrolled->local);
    storesRows |= storesRowOf(turns, statement);
    if (storesToArray(statement))
      return;
    forEachAccess(statement, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const Address address = scope.address(array, where);
      if (rows.insert(address.index).second)
        mapped += !address.isNear;
    });
  });
  Demand own;
  if (inPatches.read) {
    if (inLoops.wanted > 0) // they are counted there
      return inLoops;
    const double words = of(CodeNumber::AliveAtPoint) * common.wordsAlive +
                         of(CodeNumber::LoadedAtPoint) * aliveWords(body, Loads::Early);
    own.needed = of(CodeNumber::NeededAtPoint) + words;
    own.wanted = of(CodeNumber::BesidePatchesAtPoint) + words +
                 (storesRows ? of(CodeNumber::RowsAtPoint) : 0);
    return own;
  }
  // A pointer takes two registers.
  own.wanted = kernel.tiles.empty()
                   ? std::max(of(CodeNumber::BesideValues) + aliveWords(body, Loads::Early),
                              of(CodeNumber::BesidePointers) + 2.0 * rows.size())
                   : wantedWithTiles();
  own.needed = ofFormulas(body) + of(CodeNumber::NeededMapped) * mapped;
  own.wanted = std::max(own.wanted, ofFormulas(body));
  unsigned inOrder = common.wordsAtDivisions;
  if (inLoops.wanted == 0)
    inOrder = std::max(inOrder, aliveWords(body, Loads::LateUnlessGuarded));
  own.needed = std::max(own.needed, of(CodeNumber::Needed) + inOrder);
  own.include(inLoops);
  return own;
}

/// While the largest of the functions is computed that take many instructions.
double RegisterRules::inFunctions() const {
  constexpr double many = 20;
  unsigned most = 0;
  forEachValue(kernel.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor(
                     [&](const CallValue &node) {
                       if (code.of(mixOf(node.function, part.type)).all() > many)
                         most = std::max(most, registerWords(part.type));
                     },
                     [](const auto &) {}),
                 part.node);
    });
  });
  return most > 0 ? most * of(CodeNumber::InFunction) : 0;
}

RegisterEstimate stencilc::estimateRegisters(const EstimatedKernel &estimated,
                                             const CodeTable &table, bool haveFew) {
  CodeReader code(table);
  const Kernel &kernel = estimated.kernel;
  RegisterRules rules(estimated, table, code, haveFew);
  const Demand demand = rules.ofBody(kernel.body, AddressScope(kernel));
  const double beside = rules.inFunctions();
  return {int(std::lround(demand.wanted + beside)),
          int(std::lround(std::min(demand.wanted, demand.needed) + beside)), code.used()};
}
