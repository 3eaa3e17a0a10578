#include "frontend/lift/Edits.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

std::vector<Edit> editsOf(llvm::ArrayRef<Ending> endings, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  std::vector<Edit> edits;
  for (const Ending &ending : endings) {
    const CharSourceRange range = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(ending.condition), sources, context.getLangOpts());
    // What a macro is made of may stand elsewhere, for other uses of it too.
    if (range.isInvalid() || !sources.isWrittenInMainFile(range.getBegin()) ||
        range.getBegin() != sources.getExpansionLoc(ending.condition.getBegin()))
      return {};
    const unsigned begin = sources.getFileOffset(range.getBegin());
    const unsigned end = sources.getFileOffset(range.getEnd());
    std::vector<Edit> found = {{begin, end, ending.instead}};
    if (ending.isKept)
      found = {{begin, begin, "("}, {end, end, ") && " + ending.instead}};
    for (Edit &edit : found)
      if (!llvm::is_contained(edits, edit)) // what was read twice has been found twice
        edits.push_back(std::move(edit));
  }
  return edits;
}

std::string edited(llvm::StringRef text, unsigned start, std::vector<Edit> edits) {
  llvm::stable_sort(edits,
                    [](const Edit &left, const Edit &right) { return left.begin < right.begin; });
  std::string result;
  unsigned done = 0;
  for (const Edit &edit : edits) {
    if (edit.begin < start + done || edit.end > start + text.size())
      continue;
    result += text.slice(done, edit.begin - start);
    result += edit.text;
    done = edit.end - start;
  }
  return result + text.drop_front(done).str();
}

std::string edited(CharSourceRange part, llvm::ArrayRef<Edit> edits, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const llvm::StringRef text = Lexer::getSourceText(part, sources, context.getLangOpts());
  return sources.isWrittenInMainFile(part.getBegin())
             ? edited(text, sources.getFileOffset(part.getBegin()), edits)
             : text.str();
}

} // namespace stencilc::lift
