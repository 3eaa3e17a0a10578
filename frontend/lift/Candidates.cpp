#include "frontend/lift/Candidates.h"

#include "frontend/lift/LoopWork.h"
#include "frontend/lift/ReaderSyntax.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

using Work = Candidate::Work;

namespace {
class Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(const SourceManager &sources, Candidates &candidates)
      : sources(sources), candidates(candidates) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseFunctionDecl(FunctionDecl *function) { return enter(*function); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *function) { return enter(*function); }

private:
  bool enter(FunctionDecl &function) {
    if (!function.doesThisDeclarationHaveABody() ||
        !sources.isInMainFile(sources.getExpansionLoc(function.getLocation())))
      return true;
    if (function.isDependentContext()) {
      candidates.pattern = &function;
      return true;
    }
    candidates.functions.push_back({&function});
    return TraverseStmt(function.getBody());
  }

  const SourceManager &sources;
  Candidates &candidates;
};
} // namespace

/// False of what takes and frees memory, row by row perhaps, or prints.
static bool setsNumbers(const Stmt &statement) {
  bool result = false;
  forEachPart(statement, [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const bool counts = target && target->getType()->isIntegerType() && plainVariable(*target);
    result |= target && target->getType()->isArithmeticType() && !counts;
    const auto *called = dyn_cast<clang::CallExpr>(&part);
    const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
    result |= called && (!function || function->hasBody() || isa<CXXOperatorCallExpr>(called));
  });
  return result;
}

static void look(Candidate &candidate) {
  const auto raise = [&](Work work) { candidate.work = std::max(candidate.work, work); };
  candidate.takesBody = takesLoopBody(*candidate.function);
  forEachPart(*candidate.function->getBody(), [&](const Stmt &part) {
    if (const auto *call = dyn_cast<clang::CallExpr>(&part))
      if (const FunctionDecl *callee = call->getDirectCallee())
        candidate.calls.insert(callee->getCanonicalDecl());
    if (const auto *loop = dyn_cast<ForStmt>(&part); loop && setsNumbers(*loop->getBody()))
      raise(Work::Sets);
    if (!isLoop(part))
      return;
    if (handsLoopBody(part))
      raise(Work::Sets);
    if (computes(part))
      raise(Work::Computes);
    candidate.stepsItself |= isOverTime(part);
    for (const FunctionDecl *function : repeatedBy(part))
      candidate.repeated.insert(function->getCanonicalDecl());
  });
  if (candidate.stepsItself || !candidate.repeated.empty())
    raise(Work::Steps);
}

Candidates candidatesIn(ASTContext &context) {
  Candidates candidates;
  Finder(context.getSourceManager(), candidates).TraverseAST(context);
  for (Candidate &candidate : candidates.functions)
    look(candidate);
  return candidates;
}

/// The functions with loops that no other such function calls, without `main`.
static std::vector<const Candidate *> outermostOf(const Candidates &candidates, bool takeBody) {
  std::vector<const Candidate *> found;
  for (const Candidate &candidate : candidates.functions) {
    const bool isHelper = llvm::any_of(candidates.functions, [&](const Candidate &other) {
      return &other != &candidate && other.work != Work::None && !other.function->isMain() &&
             other.hasCalled(candidate);
    });
    if (candidate.work != Work::None && candidate.takesBody == takeBody &&
        !candidate.function->isMain() && !isHelper)
      found.push_back(&candidate);
  }
  return found;
}

std::vector<const FunctionDecl *> meantOf(const Candidates &candidates) {
  std::vector<const Candidate *> found = outermostOf(candidates, false);
  if (found.empty())
    found = outermostOf(candidates, true);
  const auto workOf = [](const Candidate *candidate) { return candidate->work; };
  const auto most = [&] {
    return found.empty() ? Work::None : *llvm::max_element(llvm::map_range(found, workOf));
  };
  const auto main = llvm::find_if(candidates.functions, [](const Candidate &candidate) {
    return candidate.function->isMain();
  });
  const bool isProgram = main != candidates.functions.end();
  if (isProgram) {
    const auto isRepeated = [&](const Candidate *candidate) {
      return main->repeated.contains(candidate->function->getCanonicalDecl());
    };
    const auto repeated = llvm::count_if(found, isRepeated);
    if (main->stepsItself) // what it calls in each step is a part of it
      llvm::erase_if(found, isRepeated);
    else if (repeated == 1)
      return {(*llvm::find_if(found, isRepeated))->function};
    else if (repeated > 1)
      return {main->function};
    if (main->work > most())
      return {main->function};
  }
  const Work top = most();
  llvm::erase_if(found, [&](const Candidate *candidate) {
    return candidate->work != top &&
           (candidate->work == Work::Sets || (isProgram && main->hasCalled(*candidate)));
  });
  std::vector<const FunctionDecl *> result;
  for (const Candidate *candidate : found)
    result.push_back(candidate->function);
  if (result.size() < 2)
    return result;
  // A function without loops of its own that calls all of them.
  for (const Candidate &caller : candidates.functions)
    if (!caller.function->isMain() && llvm::all_of(found, [&](const Candidate *candidate) {
          return caller.hasCalled(*candidate);
        }))
      return {caller.function};
  return result;
}

} // namespace stencilc::lift
