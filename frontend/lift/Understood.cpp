#include "frontend/lift/Understood.h"

#include "frontend/lift/Edits.h"
#include "frontend/lift/Ghosts.h"
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/ProgramLoops.h"
#include "frontend/lift/Shapes.h"
#include "frontend/lift/Source.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

namespace stencilc::lift {

/// The comment that stands before the function, without its signs.
static std::vector<std::string> commentOf(const clang::FunctionDecl &function,
                                          clang::ASTContext &context) {
  const clang::RawComment *comment = context.getRawCommentForDeclNoCache(&function);
  if (!comment)
    return {};
  return linesOf(*comment, context);
}

namespace {
/// What follows from a tree whose arrays have one subscript an axis.
struct Result {
  LoopTree tree;
  Grid grid;
  Lifted lifted;
};
using PositionOf = llvm::function_ref<SourcePosition(clang::SourceLocation)>;
} // namespace

static std::optional<Result> resultOf(LoopTree tree, Refusals &refusals, PositionOf positionOf) {
  std::optional<Grid> grid;
  {
    const Refusals::Trial trial(refusals);
    grid = makeGrid(tree, refusals);
  }
  if (!grid) {
    refuseRecurrences(tree, refusals);
    if (!refusals.any())
      grid = makeGrid(tree, refusals);
  }
  const auto order = grid ? makeOrder(tree, *grid, refusals) : std::nullopt;
  auto lifted = order ? build(tree, *grid, *order, refusals, positionOf) : std::nullopt;
  if (!lifted)
    return std::nullopt;
  return Result{std::move(tree), std::move(*grid), std::move(*lifted)};
}

/// With boundaries in place of layers of points that loops set, where that is exact; else with
/// regions for them.
static std::optional<Result> resultWithGhosts(const LoopTree &tree, Refusals &refusals,
                                              PositionOf positionOf) {
  const auto withBoundaries = [&](bool mayAssumeStart) -> std::optional<Result> {
    LoopTree cropped = tree;
    if (!takeGhostsAsBoundaries(cropped, refusals, mayAssumeStart))
      return std::nullopt;
    const Refusals::Trial trial(refusals);
    return resultOf(std::move(cropped), refusals, positionOf);
  };
  // Of a program nobody but whoever runs the stencil sets the start.
  if (auto result = withBoundaries(tree.isProgram))
    return result;
  std::optional<Result> result;
  {
    const Refusals::Trial trial(refusals);
    result = resultOf(tree, refusals, positionOf);
  }
  if (!result)
    result = withBoundaries(true);
  return result ? std::move(result) : resultOf(tree, refusals, positionOf);
}

/// With an array for each use that a step makes of one, where that is needed.
static std::optional<Result> resultWithLives(const LoopTree &tree, Refusals &refusals,
                                             PositionOf positionOf) {
  {
    const Refusals::Trial trial(refusals);
    if (auto result = resultWithGhosts(tree, refusals, positionOf))
      return result;
    for (bool splitsSums : {false, true})
      if (LoopTree split = tree; splitLives(split, splitsSums))
        if (auto result = resultWithGhosts(split, refusals, positionOf))
          return result;
  }
  return resultWithGhosts(tree, refusals, positionOf);
}

/// Of a tree whose arrays have their rows and planes.
static std::optional<Result> resultWithShapes(LoopTree tree, Refusals &refusals,
                                              PositionOf positionOf) {
  equateMembers(tree);
  unwrapPositions(tree);
  pullScatters(tree);
  widenPrivates(tree);
  return resultWithLives(tree, refusals, positionOf);
}

static std::optional<Result> resultOfSteps(LoopTree tree, Refusals &refusals,
                                           PositionOf positionOf) {
  mergeBlocks(tree);
  splitPrivates(tree);
  rollLoops(tree);
  rebaseLoops(tree);
  equateNumbers(tree);
  assumeStrides(tree);
  splitFlatLoops(tree);
  if (!resolveShapes(tree, refusals) || !writeCopiesOut(tree, refusals))
    return std::nullopt;
  countOffsets(tree);
  if (LoopTree split = tree; splitColours(split, refusals)) {
    const Refusals::Trial trial(refusals);
    if (auto result = resultWithShapes(std::move(split), refusals, positionOf))
      return result;
  }
  return resultWithShapes(std::move(tree), refusals, positionOf);
}

/// What follows from a tree as it was read.
static std::optional<Result> resultOfRead(LoopTree tree, Refusals &refusals,
                                          PositionOf positionOf) {
  dropStartingCopies(tree);
  keepSteps(tree);
  if (!checkTurns(tree, refusals))
    return std::nullopt;
  if (LoopTree still = tree; writeSwapsOut(still)) {
    const Refusals::Trial trial(refusals);
    if (auto result = resultOfSteps(tree, refusals, positionOf))
      return result;
    if (auto result = resultOfSteps(std::move(still), refusals, positionOf))
      return result;
  }
  return resultOfSteps(std::move(tree), refusals, positionOf);
}

/// What an array holds at first that a turn makes anew matters where the turn does not set all of
/// it.
static std::optional<Result> resultWithFirst(LoopTree tree, Refusals &refusals,
                                             PositionOf positionOf) {
  if (llvm::any_of(tree.assignments, [](const Assignment &made) { return made.isFirst; })) {
    LoopTree without = tree;
    without.keepAssignments([&](unsigned number) { return !tree.assignments[number].isFirst; });
    const Refusals::Trial trial(refusals);
    if (auto result = resultOfRead(std::move(without), refusals, positionOf))
      return result;
  }
  repeatFirst(tree);
  for (const Assignment &made : tree.assignments)
    if (made.isFirst)
      tree.buffers[made.target.buffer].isMadeAnew = true;
  return resultOfRead(std::move(tree), refusals, positionOf);
}

/// Arguments that are arrays of structs are handed over as arrays of their numbers.
static void takeElements(Prototype &prototype, const LoopTree &tree) {
  using Kind = Prototype::Argument::Kind;
  for (Prototype::Argument &argument : prototype.arguments)
    for (const Buffer &buffer : tree.buffers) {
      if (buffer.name != argument.name || buffer.isLocal || buffer.members.empty())
        continue;
      argument.isOfStructs = true;
      if (argument.kind == Kind::Object && !argument.isPointer)
        argument.kind = Kind::Other;
      else if (argument.kind == Kind::Object || argument.kind == Kind::ObjectPointer)
        argument.kind = Kind::Pointer;
      if (!prototype.isCPlusPlus)
        argument.type = buffer.type == ScalarType::F32 ? "float *" : "double *";
    }
}

std::optional<Understood> understand(clang::ASTContext &context, llvm::StringRef function) {
  Refusals refusals(context.getDiagnostics());
  const auto chosen = choose(context, function, refusals);
  if (!chosen)
    return std::nullopt;
  const clang::SourceManager &sources = context.getSourceManager();
  const auto positionOf = [&](clang::SourceLocation where) {
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(where));
    return place.isValid() ? SourcePosition{place.getLine(), place.getColumn()} : SourcePosition();
  };
  bool hasWeights = false;
  const auto resultOf = [&](bool takesWeights, bool leaves) -> std::optional<Result> {
    auto tree = read(context, *chosen->function, chosen->marked, takesWeights, refusals);
    hasWeights = tree && tree->hasWeights;
    return tree && hasWeights == takesWeights && (!leaves || leaveSettings(*tree))
               ? resultWithFirst(std::move(*tree), refusals, positionOf)
               : std::nullopt;
  };
  // First as it stands, then with small arrays as numbers, then both without what is set in arrays
  // of the function's own before its loop over time, all without a word. If neither can be lifted,
  // the last of them that there is (without such arrays, the first) says why.
  std::optional<Result> result;
  for (bool leaves : {false, true})
    for (bool takesWeights : {false, true}) {
      const Refusals::Trial trial(refusals);
      if (!result)
        result = resultOf(takesWeights, leaves);
    }
  if (!result)
    result = resultOf(hasWeights, false);
  if (!result)
    return std::nullopt;
  result->lifted.comment = commentOf(*chosen->function, context);
  result->lifted.remarks = remarksIn(*chosen->function, context);
  Prototype prototype = prototypeOf(*chosen->function, context);
  takeElements(prototype, result->tree);
  if (prototype.fragment.empty())
    prototype.edits = editsOf(result->tree.endings, context);
  if (prototype.isMain)
    takeLoopsOut(prototype, *chosen->function, chosen->marked, result->tree, result->grid, context);
  return Understood{std::move(prototype), std::move(result->tree), std::move(result->grid),
                    std::move(result->lifted)};
}

} // namespace stencilc::lift
