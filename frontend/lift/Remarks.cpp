#include "frontend/lift/Remarks.h"

#include "frontend/lift/ReaderState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace stencilc::lift {

std::vector<std::string> linesOf(const RawComment &comment, ASTContext &context) {
  std::vector<std::string> lines;
  for (const auto &line :
       comment.getFormattedLines(context.getSourceManager(), context.getDiagnostics())) {
    std::string text = StringRef(line.Text).trim(" \t\r*/!<").str();
    for (char &letter : text)
      if (static_cast<unsigned char>(letter) < ' ')
        letter = ' ';
    if (!text.empty())
      lines.push_back(text);
  }
  return lines;
}

namespace {
/// Something is set here.
struct Setting {
  unsigned line; ///< on which the statement begins
  Remark what;
};
} // namespace

static std::vector<Setting> settingsIn(const FunctionDecl &function, const SourceManager &sources) {
  const auto lineOf = [&](SourceLocation where) { return sources.getExpansionLineNumber(where); };
  std::vector<Setting> settings;
  forEachPart(*function.getBody(), [&](const Stmt &part) {
    const unsigned line = lineOf(part.getBeginLoc());
    if (const auto *declaration = dyn_cast<DeclStmt>(&part)) {
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared); variable && variable->hasInit())
          settings.push_back({line, {{}, variable->getNameAsString(), line}});
    } else if (const auto *operation = dyn_cast<BinaryOperator>(&part);
               operation && operation->isAssignmentOp()) {
      const auto *named = dyn_cast<DeclRefExpr>(operation->getLHS()->IgnoreParens());
      settings.push_back({line,
                          {{},
                           named ? named->getDecl()->getNameAsString() : std::string(),
                           lineOf(operation->getOperatorLoc())}});
    }
  });
  llvm::stable_sort(settings, [](const auto &a, const auto &b) { return a.line < b.line; });
  return settings;
}

std::vector<Remark> remarksIn(const FunctionDecl &function, ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  std::vector<Remark> remarks;
  const auto body = sources.getDecomposedExpansionLoc(function.getBody()->getBeginLoc());
  const auto end = sources.getDecomposedExpansionLoc(function.getBody()->getEndLoc());
  const auto *comments = context.Comments.getCommentsInFile(body.first);
  if (!comments || body.first != end.first)
    return remarks;
  const std::vector<Setting> settings = settingsIn(function, sources);
  for (const auto &[offset, comment] : *comments) {
    if (offset < body.second || offset > end.second)
      continue;
    const unsigned first = sources.getExpansionLineNumber(comment->getBeginLoc());
    const unsigned last = sources.getExpansionLineNumber(comment->getEndLoc());
    const auto beside = llvm::find_if(settings, [&](const Setting &setting) {
      return setting.line == first || setting.what.line == first;
    });
    const auto next = llvm::find_if(settings, [&](const Setting &s) { return s.line > last; });
    const auto about = beside != settings.end() ? beside : next;
    if (about == settings.end())
      continue;
    Remark remark = about->what;
    remark.lines = linesOf(*comment, context);
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

std::string withRemarks(StringRef text, llvm::ArrayRef<Remark> remarks) {
  std::string result;
  std::vector<bool> isWritten(remarks.size());
  unsigned line = 0;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, here] : llvm::enumerate(lines)) {
    StringRef rest = here.ltrim();
    const StringRef indent = here.drop_back(rest.size());
    const bool isLet = rest.consume_front("let ");
    const StringRef name = isLet ? rest.take_until([](char c) { return c == ' '; }) : "";
    const bool isPlace = rest.consume_front("#line ") && !rest.consumeInteger(10, line);
    const StringRef deeper = isPlace && number + 1 < lines.size()
                                 ? lines[number + 1].take_while([](char c) { return c == ' '; })
                                 : indent;
    for (auto [place, remark] : llvm::enumerate(remarks)) {
      const bool isIt = isLet ? name == remark.variable
                              : isPlace && remark.variable.empty() && line == remark.line;
      if (!isIt || isWritten[place])
        continue;
      isWritten[place] = true;
      for (const std::string &words : remark.lines)
        result += (deeper + "// " + words + "\n").str();
    }
    result += here;
    if (number + 1 < lines.size())
      result += "\n";
  }
  return result;
}

} // namespace stencilc::lift
