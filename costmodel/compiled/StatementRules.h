// StatementRules: the walk that finds what each statement of a kernel costs. Addresses and indices
// have a file of their own.
#pragma once

#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/CodeReader.h"
#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/UnrolledLoops.h"

#include "llvm/ADT/SmallSet.h"

#include <set>

namespace stencilc {

/// What registers hold: a pointer that arrays share, one of an array, a named one that runs along
/// with a loop, how far a boundary sends an index, a place in a tile, a literal, the outcome of a
/// comparison with a bound, a quotient with its remainder.
enum class Holding {
  SharedPointer,
  Pointer,
  CarriedName,
  Difference,
  TilePlace,
  Literal,
  Bound,
  Division
};

/// Locals of unrolled loops.
using Locals = llvm::SmallSet<unsigned, 4>;

/// What surrounds a statement.
struct CostScope {
  /// False if registers hold it already; `what` tells it from others of its kind.
  bool take(Holding kind, std::initializer_list<int64_t> what, const IndexKey &index = {}) {
    IndexKey key{int64_t(kind)};
    key.append(what);
    key.append(index);
    for (const CostScope *scope = around; scope; scope = scope->around)
      if (scope->known.contains(key))
        return false;
    return known.insert(std::move(key)).second;
  }
  /// That of a body which some threads of this one execute.
  CostScope within() const { return {addresses, this, {}, unrolled, setUp, written}; }
  /// Of all executions of a statement, those that compute anew what depends on these locals alone.
  double shareOf(const Locals &locals) const {
    double share = 1;
    for (auto [local, turns] : unrolledAround)
      if (!locals.contains(local))
        share /= double(turns);
    return share;
  }

  AddressScope addresses;
  const CostScope *around = nullptr; ///< whose registers are at hand here, too
  std::set<IndexKey> known = {};     ///< addresses and literals that registers hold from here on
  int unrolled = 1;                  ///< turns that became one
  InstructionMix *setUp = nullptr;   ///< of the innermost loop: what it needs once
  const For *written = nullptr;      ///< that loop, if it is a march that is written out
  /// Loops around the statement in this body that are unrolled as written: their locals and turns.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> unrolledAround = {};
};

/// Walks a kernel once, in the order of the text: what an earlier statement computed is there for
/// the later ones.
class StatementRules {
public:
  StatementRules(const EstimatedKernel &estimated, CodeReader &code, InstructionEstimate &estimate);

private:
  using Cost = InstructionEstimate::Cost;

  void walk(const Body &body, CostScope &scope);
  Cost cost(const Statement &statement, CostScope &scope);
  Cost cost(const For &loop, CostScope &scope);

  /// What an index of an address, or with `isDistance` false any index, depends on.
  void addLocals(Locals &locals, const Index &index, bool isDistance) const {
    unrolled.forEachLocal(index, isDistance, [&](unsigned local) { locals.insert(local); });
  }
  /// In one turn of all loops that are unrolled or written out: by how much it has marched, is
  /// known.
  Index inTurn(const Index &index, const CostScope &scope) const;
  /// Whether a compiler knows in each turn if the condition holds.
  bool isDecided(const Box &box, const CostScope &scope) const;
  InstructionMix ofIndexOnce(const Index &index, CostScope &scope);
  InstructionMix ofIndexInLoop(const Index &index, CostScope &scope);
  InstructionMix ofLetIndex(const LetIndex &node, CostScope &scope);
  InstructionMix ofBounds(const Box &box, CostScope &scope);
  InstructionMix ofAddress(unsigned array, llvm::ArrayRef<Index> where, CostScope &scope);
  InstructionMix ofTileAddress(unsigned tile, llvm::ArrayRef<Index> where, CostScope &scope);
  InstructionMix difference(const Index &mapped, CostScope &scope);
  InstructionMix ofPlace(const Address &address, CostScope &scope);
  InstructionMix makePointer(unsigned array, llvm::ArrayRef<Index> where, const Address &address,
                             CostScope &scope);
  InstructionMix ofAddressInTurn(unsigned array, llvm::ArrayRef<Index> where, CostScope &scope);
  InstructionMix ofValue(const Value &value, CostScope &scope);
  InstructionMix ofBinary(const BinaryValue &node, ScalarType type);
  const ValueNode *productOf(const Value &value) const;
  double shareBesideProducts(const ValueNode &sum, const BinaryValue &node) const;

  const Kernel &kernel;
  CodeReader &code;
  InstructionEstimate &estimate;
  const PatchWords &inPatches;
  const CommonValues &common;
  UnrolledLoops unrolled;
  std::vector<const Value *> definitions; ///< per register: its value, if it has only one
  std::vector<unsigned> uses;             ///< per register
};

} // namespace stencilc
