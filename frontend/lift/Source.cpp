#include "frontend/lift/Source.h"

#include "frontend/lift/Candidates.h"
#include "frontend/lift/Prototype.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace stencilc::lift {

/// Where a line of the main file is `#pragma WORD`; invalid if none is.
static SourceLocation findPragma(const SourceManager &sources, StringRef word) {
  StringRef text = sources.getBufferData(sources.getMainFileID());
  for (unsigned line = 1; !text.empty(); ++line) {
    const auto [here, rest] = text.split('\n');
    StringRef trimmed = here.trim();
    if (trimmed.consume_front("#") && (trimmed = trimmed.ltrim()).consume_front("pragma") &&
        trimmed.trim() == word)
      return sources.translateLineCol(sources.getMainFileID(), line, 1);
    text = rest;
  }
  return {};
}

/// With or without its namespaces, and the arguments of a template: `f<float>`.
static bool isCalled(const FunctionDecl &function, StringRef name) {
  return function.getNameAsString() == name || function.getQualifiedNameAsString() == name ||
         fullName(function) == name;
}

std::optional<Chosen> choose(ASTContext &context, StringRef name, Refusals &refusals) {
  const SourceManager &sources = context.getSourceManager();
  const Candidates found = candidatesIn(context);
  const SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
  const SourceLocation begin = findPragma(sources, "scop"), end = findPragma(sources, "endscop");
  const auto isInside = [&](const FunctionDecl &function) {
    if (begin.isInvalid() || end.isInvalid())
      return false;
    const SourceRange body = function.getBody()->getSourceRange();
    return sources.isBeforeInTranslationUnit(sources.getExpansionLoc(body.getBegin()), begin) &&
           sources.isBeforeInTranslationUnit(end, sources.getExpansionLoc(body.getEnd()));
  };
  const auto chosen = [&](const FunctionDecl &function) {
    Chosen result{&function, std::nullopt};
    if (isInside(function))
      result.marked = Marked{begin, end};
    return result;
  };

  std::vector<const FunctionDecl *> candidates;
  if (name.empty() && begin.isInvalid())
    candidates = meantOf(found);
  else
    for (const Candidate &candidate : found.functions)
      if (name.empty() ? isInside(*candidate.function) : isCalled(*candidate.function, name))
        candidates.push_back(candidate.function);
  if (candidates.size() == 1)
    return chosen(*candidates[0]);
  if (candidates.empty() && found.pattern && (name.empty() || isCalled(*found.pattern, name)))
    return refusals.refuse(found.pattern->getLocation(),
                           "the template `" + found.pattern->getNameAsString() +
                               "` has no types here: it is instantiated nowhere in this file",
                           "add a line as `template void f<double>(double *, int);`");
  if (!name.empty())
    return refusals.refuse(start, candidates.empty()
                                      ? "there is no function `" + name + "` with a body here"
                                      : "there are several functions `" + name + "` here");
  if (candidates.empty())
    return refusals.refuse(start, "no function here has a `for` loop that sets numbers");
  llvm::SmallVector<std::string> names;
  for (const FunctionDecl *candidate : candidates)
    names.push_back("`" + fullName(*candidate) + "`");
  return refusals.refuse(start,
                         "there are several functions with loops here: " + llvm::join(names, ", "),
                         "choose one with --function=NAME");
}

// ---- fragments

bool isFragment(StringRef text) {
  LangOptions options;
  const std::string ended = text.str();
  Lexer lexer(SourceLocation(), options, ended.data(), ended.data(), ended.data() + ended.size());
  int depth = 0;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    if (token.is(tok::hash) && token.isAtStartOfLine()) {
      // What a macro holds is not where it stands.
      lexer.setParsingPreprocessorDirective(true);
      while (token.isNot(tok::eod) && !lexer.LexFromRawLexer(token))
        ;
    } else if (token.is(tok::l_brace))
      ++depth;
    else if (token.is(tok::r_brace))
      --depth;
    else if (depth == 0 && token.is(tok::raw_identifier) && token.getRawIdentifier() == "for")
      return true;
  }
  return false;
}

std::string wrapFragment(StringRef text, StringRef name, llvm::ArrayRef<std::string> variables) {
  // Behind the last line that includes a file.
  size_t place = 0;
  for (size_t line = 0; line != StringRef::npos && line < text.size();) {
    const size_t next = text.find('\n', line);
    StringRef here = text.slice(line, next).trim();
    if (here.consume_front("#") && here.ltrim().starts_with("include"))
      place = next == StringRef::npos ? text.size() : next + 1;
    line = next == StringRef::npos ? next : next + 1;
  }
  std::string head = "__attribute__((annotate(\"fragment\"))) void " + name.str() + "(";
  for (const std::string &variable : variables)
    head += (head.back() == '(' ? "int " : ", int ") + variable;
  head += variables.empty() ? "void) {" : ") {";
  if (text.substr(place).ltrim(" \t").starts_with("#"))
    head += "\n#line " + std::to_string(text.take_front(place).count('\n') + 1) + "\n";
  return (text.take_front(place) + head + text.substr(place) + "\n}\n").str();
}

std::string fragmentName(StringRef path) {
  std::string name;
  for (char letter : llvm::sys::path::stem(path))
    name += isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name.empty() || isdigit(static_cast<unsigned char>(name[0])) ? "stencil_" + name : name;
}

} // namespace stencilc::lift
