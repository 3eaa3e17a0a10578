// LoadPhases: how often a warp waits for what it has loaded from global memory.
//
// A compiler issues all loads of a stretch of statements before it uses the first of them, so that
// they are waited for at once: one phase. A stretch ends at a barrier, and where a loop that is not
// unrolled, or a body under a condition that is too long to be predicated, begins and ends, if
// there are loads in it: no load moves up above these. What is stored, to an array or a tile, must
// have come by then; what only waits in registers is on its way until it is needed. A warp's loads
// come in the order in which it asks for them: a row for a tile that the L2 has comes no sooner
// than the newest row, if that was asked for before it.
//
// A turn of a march is such a stretch, or several turns are where it is unrolled. Registers may not
// hold all that they load; then it comes in batches. A division has a branch for numbers that are
// seldom, and what is loaded for a single use after it is loaded after it, unless it is kept in
// patches. So compiled code has it, but by times of 896 kernels of 161 programs such a phase costs
// half of another, however many there are, for what reason is not known. In marches that fill tiles
// it costs as much as any, where tiles are filled without a march nothing.
#pragma once

#include "costmodel/compiled/CodeReader.h"
#include "costmodel/compiled/UnrolledLoops.h"
#include "costmodel/count/Counts.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace stencilc {

/// Phases by how far away what they wait for is.
struct LoadPhases {
  double first = 0;  ///< rows that no earlier phase and no earlier turn of the march has loaded
  double known = 0;  ///< rows that one has, but for what neighbouring blocks have loaded
  double behind = 0; ///< of the first: known rows, which come behind new ones of a stretch before
  /// Rows that these wait for beyond one each: phases of their own where no registers are free.
  double furtherRows = 0;
  double ahead = 0; ///< of the first: in turns that are written out and load for later ones
  /// Of a march's turn: its loads in the order of the text, those of unrolled loops as often as
  /// they are made; true of the first of a row.
  std::vector<bool> inOrder = {};
  double words = 0; ///< that all of them load
  /// Of a march: turns whose loads a compiler issues before it uses the first, if it makes one of
  /// as many and has the registers.
  double turnsAtOnce = 1;
};

/// Batches beyond the first, where a march has registers for so many words of what a turn loads;
/// the last one counts as far as it is full.
struct LaterBatches {
  double first = 0; ///< with the first load of a row
  double known = 0;
};
LaterBatches laterBatches(const LoadPhases &turn, double words);

/// Of one kernel, by how often its launch executes its statements.
class PhaseCounter {
public:
  PhaseCounter(const LaunchCounts &launch, const CodeTable &table);

  const LoadPhases &once() const { return ofEntry; } ///< outside of steady loops
  LoadPhases turn(const Statement &steadyLoop) const { return turns.lookup(&steadyLoop); }
  /// Values of the table that all this has asked for.
  const CodeValues &used() const { return code.used(); }
  /// Turns between the load of a plane and its first use in a march that is written out.
  int turnsAhead() const { return writtenAhead; }

private:
  using Loads = std::set<size_t>; ///< by their number
  struct Load {
    bool isFirst;                       ///< of its row
    int stretch;                        ///< in which it stands
    std::pair<unsigned, int64_t> plane; ///< of an array
    double rows; ///< of that plane, in all turns of the unrolled loops around it
    bool hasCome = false;
    bool isUsed = false;      ///< by an operation
    bool isNeededOnce = true; ///< in all that is computed
  };
  /// What can hold a number: a register, a slot of a queue, a patch.
  using Place = std::pair<unsigned, unsigned>;

  void walk(const Body &body);
  void walk(const Statement &statement);
  void walkApart(const Body &body, bool isApart);
  void walkEither(const Statement &statement, const If &branch);
  void walkLoop(const Statement &statement, const For &loop);
  int turnsAhead(const For &loop) const;
  void walkMarch(const Statement &statement, const For &loop);
  size_t load(unsigned array, llvm::ArrayRef<Index> where, unsigned lanes = 1);
  double rowsOf(llvm::ArrayRef<Index> where) const;
  /// The loads that a value depends on.
  Loads loadsOf(const Value &value);
  bool waitFor(const Loads &loads); ///< whether any of them had not come yet
  /// Ends a stretch in the middle of a value, of which `loads` are needed so far.
  void divide(const Loads &loads);
  /// Puts it in a patch or a queue.
  void keep(Place place, const Loads &loads, bool areLoads);
  void endStretch();
  int64_t valueAt(const Index &index) const;

  const LaunchCounts &launch;
  CodeReader code;
  llvm::DenseMap<const Statement *, const StatementCounts *> counts;
  llvm::DenseMap<unsigned, int64_t> locals;     ///< their values at a point far from every end
  llvm::DenseMap<unsigned, int64_t> newest;     ///< by array: the newest plane that a turn loads
  std::set<llvm::SmallVector<int64_t, 4>> rows; ///< that were loaded: array, and where
  UnrolledLoops unrolled;
  llvm::SmallVector<std::pair<unsigned, double>, 4> around; ///< unrolled loops: locals and turns
  std::vector<Load> all;
  llvm::DenseMap<unsigned, unsigned> uses; ///< by register
  std::map<Place, Loads> held;
  Loads stored;
  int stretch = 0;
  int undivided = 0; ///< the last stretch that begins otherwise than with a division
  bool inMarch = false;
  bool loadsAhead = false; ///< the march around
  int writtenAhead = 0;
  LoadPhases sum, ofEntry;
  llvm::DenseMap<const Statement *, LoadPhases> turns;
};

/// Whether both bodies of a condition load, of which a warp runs one.
bool loadsEither(const Body &body);

/// Whether what a turn loads for the next one is moved on in registers, and so waited for, before
/// the turn has ended: in patches that march, whose turns no compiler unrolls.
bool movesWhatComes(const For &march);

} // namespace stencilc
