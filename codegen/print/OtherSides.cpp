#include "codegen/print/OtherSides.h"
#include "codegen/print/ChangedIndices.h"
#include "ir/kernel/UnusedNames.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace stencilc;

/// So many vectors are loaded by a turn of a joined loop where the condition holds, at most: of
/// more nvcc spills registers elsewhere.
static constexpr size_t kMostVectors = 2;

static bool equalOrNone(const Index &one, const Index &other) {
  return one && other ? equal(one, other) : !one && !other;
}

// ---- what is known to fail --------------------------------------------------------------------

/// What is the value where this condition fails.
static Value withoutInside(const Value &value, const Range &failed) {
  if (const auto *guarded = std::get_if<GuardedValue>(&value->node))
    if (llvm::any_of(guarded->box, [&](const Range &range) {
          return equal(range.index, failed.index) && equalOrNone(range.lower, failed.lower) &&
                 equalOrNone(range.upper, failed.upper);
        }))
      return withoutInside(guarded->outside, failed);
  ValueNode node = *value;
  forEachOperand(node, [&](Value &operand) { operand = withoutInside(operand, failed); });
  return std::make_shared<const ValueNode>(std::move(node));
}

static void removeInside(Body &body, const Range &failed) {
  for (Statement &statement : body) {
    if (auto *element = std::get_if<AssignElement>(&statement.node))
      element->value = withoutInside(element->value, failed);
    forEachBody(statement, [&](Body &inner) { removeInside(inner, failed); });
  }
}

// ---- loops over the same elements -------------------------------------------------------------

static bool readsPatches(const ValueNode &value) {
  bool reads = std::holds_alternative<PatchElement>(value.node);
  forEachOperand(value, [&](const Value &operand) { reads |= readsPatches(*operand); });
  return reads;
}

static size_t namesOf(llvm::ArrayRef<Statement> body) {
  return llvm::find_if_not(body,
                           [](const Statement &statement) {
                             return std::holds_alternative<LetIndex>(statement.node);
                           }) -
         body.begin();
}

static const If *asLoadingBranch(const Statement &statement);

/// The loop, if all that it does is to take elements from memory, in whatever order.
static const For *asLoads(const Statement &statement) {
  const auto *loop = std::get_if<For>(&statement.node);
  if (!loop || loop->kind != LoopKind::Unroll)
    return nullptr;
  const bool loads = llvm::all_of(
      llvm::ArrayRef(loop->body).drop_front(namesOf(loop->body)), [](const Statement &each) {
        const auto *element = std::get_if<AssignElement>(&each.node);
        if (std::holds_alternative<LoadVector>(each.node))
          return true;
        return element ? !readsPatches(*element->value)
                       : asLoads(each) != nullptr || asLoadingBranch(each) != nullptr;
      });
  return loads ? loop : nullptr;
}

/// Likewise a branch with two sides.
static const If *asLoadingBranch(const Statement &statement) {
  const auto *branch = std::get_if<If>(&statement.node);
  const auto load = [](const Body &body) {
    return !body.empty() && llvm::all_of(body, [](const Statement &each) {
      const auto *element = std::get_if<AssignElement>(&each.node);
      return std::holds_alternative<LoadVector>(each.node) ||
             (element && !readsPatches(*element->value)) || asLoads(each);
    });
  };
  return branch && load(branch->then) && load(branch->otherwise) ? branch : nullptr;
}

static Body saidOf(const Body &body, unsigned local, unsigned other) {
  return changedIndices(body, [&](const Index &index) {
    return replaced(index, {CoordinateKind::Local, local},
                    coordinate(CoordinateKind::Local, other));
  });
}

static bool equal(const Box &one, const Box &other) {
  return llvm::equal(one, other, [](const Range &a, const Range &b) {
    return stencilc::equal(a.index, b.index) && equalOrNone(a.lower, b.lower) &&
           equalOrNone(a.upper, b.upper);
  });
}

static Body joinedLoops(const Body &body, size_t most);

/// Lets a branch load what another of the same condition does.
static bool joinBranches(Statement &statement, const Statement &another) {
  const If *loads = asLoadingBranch(statement), *others = asLoadingBranch(another);
  if (!loads || !others || !equal(loads->box, others->box) ||
      loads->then.size() + others->then.size() > kMostVectors)
    return false;
  auto &branch = std::get<If>(statement.node);
  llvm::append_range(branch.then, others->then);
  llvm::append_range(branch.otherwise, others->otherwise);
  branch.otherwise = joinedLoops(branch.otherwise, std::numeric_limits<size_t>::max());
  return true;
}

static size_t loadsIn(const Body &body) { return body.size() - namesOf(body); }

/// Lets turns of the first statement do what those of the second do, if they are the same turns,
/// make all names that the second needs, and then load no more than so often.
static bool joinLoops(Statement &statement, const Statement &another, size_t most) {
  const For *loads = asLoads(statement), *others = asLoads(another);
  if (!loads || !others || loadsIn(loads->body) + loadsIn(others->body) > most ||
      loads->step != others->step || !equal(loads->begin, others->begin) ||
      !equal(loads->end, others->end))
    return false;
  Body more = saidOf(others->body, others->local, loads->local);
  const llvm::ArrayRef<Statement> names =
      llvm::ArrayRef(loads->body).take_front(namesOf(loads->body));
  while (!more.empty() && std::holds_alternative<LetIndex>(more.front().node)) {
    const LetIndex own = std::get<LetIndex>(more.front().node);
    const auto known = llvm::find_if(names, [&](const Statement &name) {
      return equal(std::get<LetIndex>(name.node).value, own.value);
    });
    if (known == names.end())
      return false;
    more.erase(more.begin());
    more = saidOf(more, own.local, std::get<LetIndex>(known->node).local);
  }
  Body &body = std::get<For>(statement.node).body;
  if (!more.empty() && (asLoadingBranch(body.back()) || asLoadingBranch(more.front()))) {
    // Branches of one condition, or none.
    if (more.size() > 1 || !joinBranches(body.back(), more.front()))
      return false;
    more.clear();
  } else if (!more.empty() && joinLoops(body.back(), more.front(), most)) {
    more.erase(more.begin());
  }
  llvm::append_range(body, more);
  return true;
}

static Body joinedLoops(const Body &body, size_t most) {
  Body result;
  for (const Statement &statement : body)
    if (result.empty() || !joinLoops(result.back(), statement, most))
      result.push_back(statement);
  return result;
}

/// What is loaded in the same way of several arrays, in one loop or branch: that of an earlier
/// statement, with nothing but loads in between.
static Body joinedLoads(const Body &body) {
  Body result;
  for (const Statement &statement : body) {
    const For *loop = asLoads(statement);
    bool isJoined = false;
    if ((loop && namesOf(loop->body) > 0) || asLoadingBranch(statement))
      for (auto earlier = result.rbegin(); earlier != result.rend() && !isJoined; ++earlier) {
        if (!asLoads(*earlier) && !asLoadingBranch(*earlier))
          break;
        isJoined =
            joinLoops(*earlier, statement, kMostVectors) || joinBranches(*earlier, statement);
      }
    if (!isJoined)
      result.push_back(statement);
  }
  return result;
}

// ---- all of a body ----------------------------------------------------------------------------

static Body withShortSides(Body body) {
  for (Statement &statement : body) {
    if (auto *branch = std::get_if<If>(&statement.node);
        branch && !branch->then.empty() && !branch->otherwise.empty()) {
      if (branch->box.size() == 1 && !(branch->box.front().lower && branch->box.front().upper)) {
        removeInside(branch->otherwise, branch->box.front());
        dropUnusedIndices(branch->otherwise);
      }
      branch->otherwise = joinedLoops(branch->otherwise, std::numeric_limits<size_t>::max());
      branch->then = joinedLoops(branch->then, kMostVectors);
    }
    forEachBody(statement, [](Body &inner) { inner = withShortSides(std::move(inner)); });
  }
  return joinedLoads(body);
}

/// What is named before a branch may have been for its other side alone.
Body stencilc::shortOtherSides(Body body) {
  body = withShortSides(std::move(body));
  dropUnusedIndices(body);
  return body;
}
