#include "codegen/print/RolledText.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/FileNames.h"
#include "codegen/print/SameText.h"
#include "ir/kernel/KernelBuilder.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace stencilc;

/// True of what takes an element, or a few beside each other, to memory or to a tile. Where patches
/// take elements, or conditions are asked, nvcc makes other code of loops.
static bool isMove(const Statement &statement) {
  return std::visit(llvm::makeVisitor(
                        [](const StoreGlobal &node) {
                          return std::holds_alternative<PatchElement>(node.value->node);
                        },
                        [](const StoreSharedVector &) { return true; },
                        [](const CopyAsync &node) { return node.lanes == 1; },
                        [](const auto &) { return false; }),
                    statement.node);
}

/// An index that is `first` in turn 0 and `second` in turn 1 of a loop, by structure.
static Index stepped(const Index &first, const Index &second, const Index &turn) {
  if (equal(first, second))
    return first;
  if (const std::optional<int64_t> step = constantDifference(second, first))
    return std::holds_alternative<IndexConstant>(first->node) ? add(scale(turn, *step), first)
                                                              : add(first, scale(turn, *step));
  const auto both = [&](const auto &one, const auto &other, auto make) -> Index {
    const Index left = stepped(one.left, other.left, turn);
    const Index right = stepped(one.right, other.right, turn);
    return left && right ? make(left, right) : nullptr;
  };
  if (const auto *one = std::get_if<IndexMin>(&first->node))
    if (const auto *other = std::get_if<IndexMin>(&second->node))
      return both(*one, *other, minimum);
  if (const auto *one = std::get_if<IndexMax>(&first->node))
    if (const auto *other = std::get_if<IndexMax>(&second->node))
      return both(*one, *other, maximum);
  return nullptr;
}

/// What says `first` in turn 0 of a loop and `second` in turn 1, as far as their indices go.
static std::optional<Statement> stepped(const Statement &first, const Statement &second,
                                        const Index &turn) {
  const std::vector<Index> before = indicesOf({first}), after = indicesOf({second});
  if (first.node.index() != second.node.index() || before.size() != after.size())
    return std::nullopt;
  std::vector<Index> indices;
  for (const auto &[one, other] : llvm::zip_equal(before, after)) {
    indices.push_back(stepped(one, other, turn));
    if (!indices.back())
      return std::nullopt;
  }
  auto next = indices.begin();
  return changedIndices(first, [&](const Index &) { return *next++; });
}

static Statement inTurn(const Statement &text, const Index &turn, int64_t number) {
  return changedIndices(text, [&](const Index &index) {
    return replaced(index, std::get<Coordinate>(turn->node), constant(number));
  });
}

static bool clamps(const Statement &text) {
  return llvm::any_of(indicesOf({text}), [](const Index &index) {
    return std::holds_alternative<IndexMin>(index->node) ||
           std::holds_alternative<IndexMax>(index->node);
  });
}

static std::set<unsigned> localsOfLoops(const Body &body) {
  std::set<unsigned> locals;
  for (const Statement &statement : body) {
    if (const For *loop = loopOf(statement))
      locals.insert(loop->local);
    forEachBody(statement, [&](const Body &inner) { locals.merge(localsOfLoops(inner)); });
  }
  return locals;
}

namespace {

class Rolling {
public:
  Rolling(const Program &program, const Kernel &kernel);
  Body rolled(Body body);

  RolledText text;

private:
  UniqueNames taken;                ///< of the kernel, but for those of loops
  std::vector<std::string> ofTurns; ///< what locals of new loops are called
  std::vector<unsigned> enclosing;  ///< locals of loops around what is read now

  std::string nameOfTurns();
};

} // namespace

Rolling::Rolling(const Program &program, const Kernel &kernel)
    : text{kernel, unsigned(kernel.locals.size()), {}} {
  reserveNames(taken, kernel);
  for (unsigned uniform : kernel.uniforms)
    taken.reserve(program.uniforms[uniform].name);
  const std::set<unsigned> ofLoops = localsOfLoops(kernel.body);
  for (const auto &[local, name] : llvm::enumerate(kernel.locals))
    if (!ofLoops.contains(local))
      taken.reserve(name);
}

/// One that no loop around is called by.
std::string Rolling::nameOfTurns() {
  for (const std::string &name : ofTurns)
    if (llvm::none_of(enclosing, [&](unsigned outer) { return text.kernel.locals[outer] == name; }))
      return name;
  ofTurns.push_back(taken.fresh("i"));
  return nameOfTurns();
}

/// A loop with the local that says what the first statements of `body` do, if there is one.
static std::optional<For> turnsOf(llvm::ArrayRef<Statement> body, unsigned local) {
  if (body.size() < 2 || !isMove(body.front()))
    return std::nullopt;
  const Index turn = coordinate(CoordinateKind::Local, local);
  std::optional<Statement> text = stepped(body[0], body[1], turn);
  size_t turns = 0;
  while (text && turns < body.size() && SameText().same(inTurn(*text, turn, turns), body[turns]))
    ++turns;
  if (turns < 2)
    return std::nullopt;
  return For{LoopKind::Unroll, local, constant(0), constant(turns), 1, {std::move(*text)}};
}

Body Rolling::rolled(Body body) {
  for (Statement &statement : body) {
    llvm::SaveAndRestore around(enclosing);
    if (const For *loop = loopOf(statement))
      enclosing.push_back(loop->local);
    forEachBody(statement, [&](Body &inner) { inner = rolled(std::move(inner)); });
  }
  Body result;
  for (llvm::ArrayRef<Statement> left = body; !left.empty();) {
    const unsigned local = text.kernel.locals.size();
    std::optional<For> loop = turnsOf(left, local);
    if (!loop) {
      result.push_back(left.front());
      left = left.drop_front();
      continue;
    }
    text.kernel.locals.push_back(nameOfTurns());
    if (clamps(loop->body.front()))
      text.writtenOut.insert(local);
    left = left.drop_front(std::get<IndexConstant>(loop->end->node).value);
    result.push_back({std::move(*loop)});
  }
  return result;
}

RolledText stencilc::rolledText(const Program &program, const Kernel &kernel) {
  Rolling rolling(program, kernel);
  rolling.text.kernel.body = rolling.rolled(kernel.body);
  return std::move(rolling.text);
}
