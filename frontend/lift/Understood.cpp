#include "frontend/lift/Understood.h"

#include "frontend/lift/Shapes.h"
#include "frontend/lift/Source.h"

#include "clang/Basic/SourceManager.h"

namespace stencilc::lift {

std::optional<Understood> understand(clang::ASTContext &context, llvm::StringRef function) {
  Refusals refusals(context.getDiagnostics());
  const auto chosen = choose(context, function, refusals);
  auto tree = chosen ? read(context, *chosen->function, chosen->marked, refusals) : std::nullopt;
  if (!tree || !resolveShapes(*tree, refusals))
    return std::nullopt;
  auto grid = makeGrid(*tree, refusals);
  const auto order = grid ? makeOrder(*tree, *grid, refusals) : std::nullopt;
  const clang::SourceManager &sources = context.getSourceManager();
  const auto positionOf = [&](clang::SourceLocation where) {
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(where));
    return place.isValid() ? SourcePosition{place.getLine(), place.getColumn()} : SourcePosition();
  };
  auto lifted = order ? build(*tree, *grid, *order, refusals, positionOf) : std::nullopt;
  if (!lifted)
    return std::nullopt;
  return Understood{prototypeOf(*chosen->function, context), std::move(*tree), std::move(*grid),
                    std::move(*lifted)};
}

} // namespace stencilc::lift
