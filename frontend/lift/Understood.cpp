#include "frontend/lift/Understood.h"

#include "frontend/lift/LoopPasses.h"
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

std::optional<Understood> understand(clang::ASTContext &context, llvm::StringRef function) {
  Refusals refusals(context.getDiagnostics());
  const auto chosen = choose(context, function, refusals);
  auto tree = chosen ? read(context, *chosen->function, chosen->marked, refusals) : std::nullopt;
  if (!tree)
    return std::nullopt;
  keepSteps(*tree);
  mergeBlocks(*tree);
  rebaseLoops(*tree);
  if (!resolveShapes(*tree, refusals) || !writeCopiesOut(*tree, refusals))
    return std::nullopt;
  widenPrivates(*tree);
  equateMembers(*tree);
  std::optional<Grid> grid;
  {
    const Refusals::Trial trial(refusals);
    grid = makeGrid(*tree, refusals);
  }
  if (!grid) {
    refuseRecurrences(*tree, refusals);
    if (!refusals.any())
      grid = makeGrid(*tree, refusals);
  }
  const auto order = grid ? makeOrder(*tree, *grid, refusals) : std::nullopt;
  const clang::SourceManager &sources = context.getSourceManager();
  const auto positionOf = [&](clang::SourceLocation where) {
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(where));
    return place.isValid() ? SourcePosition{place.getLine(), place.getColumn()} : SourcePosition();
  };
  auto lifted = order ? build(*tree, *grid, *order, refusals, positionOf) : std::nullopt;
  if (!lifted)
    return std::nullopt;
  lifted->comment = commentOf(*chosen->function, context);
  lifted->remarks = remarksIn(*chosen->function, context);
  return Understood{prototypeOf(*chosen->function, context), std::move(*tree), std::move(*grid),
                    std::move(*lifted)};
}

} // namespace stencilc::lift
