#include "costmodel/model/LoadPhases.h"

#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "ir/kernel/ValueTypes.h"

#include <cmath>

using namespace stencilc;

static void forEachStatement(const Body &body, llvm::function_ref<void(const Statement &)> visit) {
  for (const Statement &statement : body) {
    visit(statement);
    forEachBody(statement, [&](const Body &inner) { forEachStatement(inner, visit); });
  }
}

static bool loads(const Body &body) {
  bool found = false;
  forEachStatement(body, [&](const Statement &statement) {
    forEachLoad(statement, [&](unsigned, llvm::ArrayRef<Index>) { found = true; });
  });
  return found;
}

static bool meets(const Body &body) {
  bool found = false;
  forEachStatement(body, [&](const Statement &statement) {
    found |= std::visit(
        llvm::makeVisitor([](const Barrier &) { return true; }, [](const auto &) { return false; }),
        statement.node);
  });
  return found;
}

bool stencilc::movesWhatComes(const For &march) {
  std::set<unsigned> loaded, moved; // patches
  forEachStatement(march.body, [&](const Statement &statement) {
    std::visit(llvm::makeVisitor([&](const LoadVector &node) { loaded.insert(node.row.patch); },
                                 [&](const ShiftPatch &node) { moved.insert(node.patch); },
                                 [](const auto &) {}),
               statement.node);
  });
  return march.steady->phasesAhead == 1 &&
         llvm::any_of(moved, [&](unsigned patch) { return loaded.contains(patch); });
}

bool stencilc::loadsEither(const Body &body) {
  bool found = false;
  forEachStatement(body, [&](const Statement &statement) {
    found |= std::visit(
        llvm::makeVisitor([](const If &node) { return loads(node.then) && loads(node.otherwise); },
                          [](const auto &) { return false; }),
        statement.node);
  });
  return found;
}

enum HolderKind : unsigned { InRegister, InPatch, InQueue };

PhaseCounter::PhaseCounter(const LaunchCounts &launch, const CodeTable &table)
    : launch(launch), code(table), unrolled(*launch.kernel) {
  for (const StatementCounts &statement : launch.statements)
    counts[statement.statement] = &statement;
  forEachValue(launch.kernel->body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor([&](const RegisterValue &node) { ++uses[node.reg]; },
                                   [](const auto &) {}),
                 part.node);
    });
  });
  walk(launch.kernel->body);
  endStretch();
  ofEntry = sum;
}

int64_t PhaseCounter::valueAt(const Index &index) const {
  constexpr int64_t far = 1 << 28;
  return evaluate(index, [&](const Coordinate &coordinate) -> int64_t {
    switch (coordinate.kind) {
    case CoordinateKind::Extent:
      return far;
    case CoordinateKind::Block:
      return far >> 16;
    case CoordinateKind::Local:
      return locals.lookup(coordinate.number);
    default:
      return 0;
    }
  });
}

double PhaseCounter::rowsOf(llvm::ArrayRef<Index> where) const {
  std::set<unsigned> locals;
  for (unsigned axis = 1; axis + 1 < where.size(); ++axis)
    unrolled.forEachLocal(where[axis], /*asDistance=*/false,
                          [&](unsigned local) { locals.insert(local); });
  double rows = 1;
  for (auto [local, turns] : around)
    if (locals.contains(local))
      rows *= turns;
  return rows;
}

size_t PhaseCounter::load(unsigned array, llvm::ArrayRef<Index> where, unsigned lanes) {
  llvm::SmallVector<int64_t, 4> row = {array};
  for (const Index &index : where.drop_back(where.empty() ? 0 : 1))
    row.push_back(valueAt(index));
  // In a march the rows of older planes were loaded when those were the newest.
  const auto plane = newest.find(array);
  const bool isOld = plane != newest.end() && valueAt(where[0]) < plane->second;
  const int64_t at = where.size() > 1 ? valueAt(where[0]) : 0;
  all.push_back({rows.insert(row).second && !isOld, stretch, {array, at}, rowsOf(where)});
  double made = 1;
  for (auto [local, turns] : around)
    made *= turns;
  sum.inOrder.insert(sum.inOrder.end(), std::lround(made), all.back().isFirst);
  sum.words += made * lanes * registerWords(launch.kernel->arrays[array].type);
  return all.size() - 1;
}

/// Whether a value is loaded, and nothing is computed of it.
static bool isLoad(const Value &value) {
  return std::visit(llvm::makeVisitor([](const LoadGlobal &) { return true; },
                                      [](const GuardedValue &node) { return isLoad(node.inside); },
                                      [](const auto &) { return false; }),
                    value->node);
}

PhaseCounter::Loads PhaseCounter::loadsOf(const Value &value) {
  Loads loads;
  const auto add = [&](Loads more) { loads.merge(more); };
  forEachOperand(*value, [&](const Value &operand) { add(loadsOf(operand)); });
  std::visit(llvm::makeVisitor(
                 [&](const LoadGlobal &node) { loads.insert(load(node.array, node.index)); },
                 [&](const RegisterValue &node) { add(held[{InRegister, node.reg}]); },
                 [&](const QueueSlotValue &node) { add(held[{InQueue + node.queue, node.slot}]); },
                 [&](const PatchElement &node) { add(held[{InPatch, node.patch}]); },
                 [&](const BinaryValue &node) {
                   for (size_t number : loads)
                     all[number].isUsed = true;
                   if (node.op == BinaryOp::Divide && !isPowerOfTwo(node.right) &&
                       launch.kernel->patches.empty() && (inMarch || launch.barriers() == 0))
                     divide(loads);
                 },
                 [](const auto &) {}),
             value->node);
  return loads;
}

void PhaseCounter::divide(const Loads &loads) {
  for (Load &load : all)
    load.stretch += load.stretch == stretch && !load.hasCome && !load.isUsed && load.isNeededOnce;
  const bool isOnItsWay = waitFor(loads), isWhole = undivided == stretch;
  ++stretch;
  if (isWhole && !isOnItsWay)
    undivided = stretch;
}

bool PhaseCounter::waitFor(const Loads &loads) {
  std::map<std::pair<unsigned, int64_t>, double> planes;
  int latest = -1; // stretch
  for (size_t number : loads)
    if (Load &load = all[number]; !load.hasCome) {
      double &most = planes[load.plane];
      most = std::max(most, load.rows);
      latest = std::max(latest, load.stretch);
    }
  if (planes.empty())
    return false;
  // What a warp loads comes in the order in which it asks for it.
  bool isFirst = false, isBehind = false;
  for (Load &load : all)
    if (!load.hasCome && load.stretch <= latest) {
      (load.stretch < latest ? isBehind : isFirst) |= load.isFirst;
      load.hasCome = true;
    }
  constexpr double afterDivision = 0.5; // chosen on times of programs
  const double phase = latest > undivided && launch.barriers() == 0 ? afterDivision : 1;
  (isFirst || isBehind ? sum.first : sum.known) += phase;
  sum.behind += isBehind && !isFirst ? phase : 0;
  for (const auto &[plane, itsRows] : planes)
    sum.furtherRows += itsRows;
  --sum.furtherRows;
  return true;
}

LaterBatches stencilc::laterBatches(const LoadPhases &turn, double words) {
  const double loads = double(turn.inOrder.size()), batch = loads * words / turn.words;
  LaterBatches later;
  for (double begin = batch; begin < loads; begin += batch) {
    bool isFirst = false;
    for (double load = std::ceil(begin); load < std::min(loads, begin + batch); ++load)
      isFirst |= turn.inOrder[size_t(load)];
    (isFirst ? later.first : later.known) += std::min(1.0, (loads - begin) / batch);
  }
  return later;
}

void PhaseCounter::keep(Place place, const Loads &loads, bool areLoads) {
  held[place].insert(loads.begin(), loads.end());
  for (size_t number : loads)
    all[number].hasCome |= loadsAhead && areLoads;
}

void PhaseCounter::endStretch() {
  waitFor(std::exchange(stored, {}));
  undivided = ++stretch;
}

void PhaseCounter::walk(const Body &body) {
  for (const Statement &statement : body)
    walk(statement);
}

void PhaseCounter::walkApart(const Body &body, bool isApart) {
  isApart &= loads(body);
  if (isApart)
    endStretch();
  walk(body);
  if (isApart)
    endStretch();
}

void PhaseCounter::walk(const Statement &statement) {
  Loads own;
  if (const Value *value = valueOf(statement))
    own = loadsOf(*value);
  std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &node) {
            locals[node.local] = valueAt(node.value);
            unrolled.add(node);
          },
          [](const LetPointer &) {},
          [&](const Let &node) {
            held[{InRegister, node.reg}] = own;
            for (size_t number : own)
              all[number].isNeededOnce &= uses[node.reg] <= 1;
          },
          [&](const LetMutable &node) { held[{InRegister, node.reg}] = own; },
          [&](const Assign &node) { held[{InRegister, node.reg}] = own; },
          [&](const AssignSlot &node) {
            held.erase({InQueue + node.queue, node.slot});
            keep({InQueue + node.queue, node.slot}, own, isLoad(node.value));
          },
          [](const Rotate &) {},
          [&](const AssignElement &node) { keep({InPatch, node.patch}, own, isLoad(node.value)); },
          [](const ShiftPatch &) {}, [&](const StoreGlobal &) { stored.merge(own); },
          [&](const StoreShared &) { stored.merge(own); },
          [&](const LoadVector &node) {
            keep({InPatch, node.row.patch}, {load(node.array, node.index, node.row.lanes)}, true);
          },
          [&](const StoreVector &node) {
            const Loads &row = held[{InPatch, node.row.patch}];
            stored.insert(row.begin(), row.end());
          },
          [](const LoadSharedVector &) {},
          [&](const StoreSharedVector &node) {
            const Loads &row = held[{InPatch, node.row.patch}];
            stored.insert(row.begin(), row.end());
          },
          [](const CopyAsync &) {}, [](const CommitCopies &) {}, [](const WaitCopies &) {},
          [](const SendVector &) {}, [&](const AwaitMessage &) { endStretch(); },
          [&](const Barrier &) { endStretch(); },
          [&](const If &node) { walkEither(statement, node); }, [](const ReturnUnless &) {},
          [&](const For &node) { walkLoop(statement, node); },
          [&](const Roles &node) {
            for (const Role &role : node.roles)
              walkApart(role.body, true);
          },
          [](const Phase &) {}),
      statement.node);
}

/// Where both bodies load, as in marches that make turns within all ends apart, each counts as
/// often as warps execute it, and knows nothing of what the other has loaded.
void PhaseCounter::walkEither(const Statement &statement, const If &branch) {
  const bool isEither = loads(branch.then) && loads(branch.otherwise);
  const StatementCounts *all = counts.lookup(&statement);
  const auto rowsBefore = rows;
  auto rowsOfBoth = rows;
  for (const Body *body : {&branch.then, &branch.otherwise}) {
    const LoadPhases before = sum;
    if (isEither)
      rows = rowsBefore;
    walkApart(*body, !isPredicated(*body, code));
    rowsOfBoth.insert(rows.begin(), rows.end());
    if (!isEither || !all || all->warps == 0)
      continue;
    const StatementCounts *own = counts.lookup(&body->front());
    const double share = own ? std::min(1.0, double(own->warps) / double(all->warps)) : 1;
    sum.first = before.first + share * (sum.first - before.first);
    sum.known = before.known + share * (sum.known - before.known);
    sum.furtherRows = before.furtherRows + share * (sum.furtherRows - before.furtherRows);
  }
  rows.merge(rowsOfBoth);
}

/// Of a march that is written out: how far beyond the planes whose numbers a turn uses are those
/// that it loads into the same patch.
int PhaseCounter::turnsAhead(const For &loop) const {
  std::map<unsigned, int64_t> loaded, used; // by patch
  const auto raise = [&](std::map<unsigned, int64_t> &most, unsigned patch, const Index &plane) {
    int64_t &own = most.try_emplace(patch, 0).first->second;
    own = std::max(own, valueAt(plane));
  };
  forEachValue(loop.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(
          llvm::makeVisitor([&](const PatchElement &node) { raise(used, node.patch, node.at[0]); },
                            [](const auto &) {}),
          part.node);
    });
  });
  int ahead = 0;
  forEachStatement(loop.body, [&](const Statement &statement) {
    std::visit(llvm::makeVisitor(
                   [&](const LoadVector &node) { raise(loaded, node.row.patch, node.row.at[0]); },
                   [&](const AssignElement &node) {
                     if (isLoad(node.value))
                       raise(loaded, node.patch, node.at[0]);
                   },
                   [&](const ShiftPatch &node) { // what moves on has planes along its first axis
                     if (used.contains(node.patch))
                       ahead = std::max<int>(ahead, loaded[node.patch] - used[node.patch]);
                   },
                   [](const auto &) {}),
               statement.node);
  });
  return ahead;
}

void PhaseCounter::walkMarch(const Statement &statement, const For &loop) {
  locals[loop.local] = valueAt(loop.begin) + (1 << 16);
  forEachStatement(loop.body, [&](const Statement &inner) {
    std::visit(
        llvm::makeVisitor([&](const LetIndex &node) { locals[node.local] = valueAt(node.value); },
                          [](const auto &) {}),
        inner.node);
    forEachLoad(inner, [&](unsigned array, llvm::ArrayRef<Index> where) {
      const auto &axes = launch.kernel->arrays[array].axes;
      if (!axes.empty() && axes[0] == 0) {
        const int64_t plane = valueAt(where[0]);
        int64_t &latest = newest.try_emplace(array, plane).first->second;
        latest = std::max(latest, plane);
      }
    });
  });
  endStretch();
  const LoadPhases before = std::exchange(sum, {});
  for (Load &load : all)
    load.hasCome = true;
  loadsAhead = loop.steady->phasesAhead > 0;
  inMarch = true;
  walk(loop.body);
  loadsAhead = inMarch = false;
  endStretch();
  // Of half as many turns as a compiler makes one at most, all loads come first.
  const double most = code.of(CodeNumber::MostTurns), made = unrolledTurns(loop, code);
  sum.turnsAtOnce =
      made < most
          ? made
          : std::max(code.of(CodeNumber::TurnsAtOnce),
                     code.of(CodeNumber::LoadsAtOnce) / std::max<double>(1, sum.inOrder.size()));
  turns[&statement] = std::exchange(sum, before);
  newest.clear();
}

void PhaseCounter::walkLoop(const Statement &statement, const For &loop) {
  if (loop.steady)
    return walkMarch(statement, loop);
  const StatementCounts *counted = counts.lookup(&statement);
  const double own =
      counted && counted->warps > 0 ? double(counted->turns) / double(counted->warps) : 1;
  locals[loop.local] = valueAt(loop.begin);
  const LoadPhases before = sum;
  if (loop.kind == LoopKind::Unroll) {
    around.emplace_back(loop.local, own);
    walk(loop.body);
    around.pop_back();
    const double more = std::max(1.0, own) - 1;
    sum.first += (sum.first - before.first) * more;
    sum.known += (sum.known - before.known) * more;
    sum.furtherRows += (sum.furtherRows - before.furtherRows) * more;
    if (const int ahead = loop.carries.empty() ? 0 : turnsAhead(loop)) {
      sum.ahead += sum.first - before.first;
      writtenAhead = ahead;
    }
    return;
  }
  walkApart(loop.body, true);
  if (meets(loop.body)) { // warps that keep step with those of the steady loop
    sum = before;
    return;
  }
  const LoadPhases once{.first = sum.first - before.first,
                        .known = sum.known - before.known,
                        .behind = sum.behind - before.behind,
                        .furtherRows = sum.furtherRows - before.furtherRows,
                        .inOrder = {}};
  // Of turns that not all warps make, the others wait for those that do. Turns left over by those
  // that are unrolled come first: each by itself, or in a march one and then the rest. A warp whose
  // threads leave different ones over makes both.
  const double together = std::max(1, unrolledTurns(loop, code));
  const auto leftOver = [&](double turns) {
    return std::min(std::fmod(turns, together), inMarch ? 2 : together);
  };
  double each = own;
  if (!loop.body.empty() && counted && counted->lanes > 0)
    if (const StatementCounts *inner = counts.lookup(&loop.body.back()))
      each = double(inner->lanes) / double(counted->lanes);
  const double high = std::ceil(own - 1e-9), low = std::max(1.0, std::floor(each + 1e-9));
  const double full = std::floor(low / together) + leftOver(low);
  const double most = std::floor(high / together) + std::max(leftOver(low), leftOver(high));
  // Only the first of these turns comes behind what was asked for before the loop.
  sum.first = before.first + (once.first - once.behind) * full + once.behind;
  sum.known = before.known + once.known * full + once.behind * (full - 1) +
              (once.first + once.known) * (most - full);
  sum.furtherRows = before.furtherRows + once.furtherRows * most;
}
