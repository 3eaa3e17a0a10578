#include "frontend/lsp/Completion.h"

#include "frontend/lsp/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lsp {

namespace {

/// Where in a statement a place is, as the tokens before it tell.
struct Context {
  llvm::StringRef word; ///< the first of the statement; empty: one starts here
  char bracket = 0;     ///< the innermost open one
  bool isAfterColon = false, isAfterEquals = false;
  unsigned tokens = 0;
};

Context contextAt(const Analysis &analysis, const char *place) {
  Context context;
  std::vector<char> brackets;
  for (const Token &token : analysis.tokens()) {
    // The word that is being written is not there yet.
    if (token.kind == Token::Kind::End ||
        token.text.end() >= place + (token.kind != Token::Kind::Name))
      break;
    if (token.is(";") || token.is("{") || token.is("}")) {
      context = {};
      brackets.clear();
      continue;
    }
    if (context.tokens++ == 0)
      context.word = token.text;
    if (token.is("(") || token.is("["))
      brackets.push_back(token.text.front());
    else if ((token.is(")") || token.is("]")) && !brackets.empty())
      brackets.pop_back();
    else if (brackets.empty()) {
      context.isAfterColon |= token.is(":");
      context.isAfterEquals |= token.is("=");
    }
  }
  context.bracket = brackets.empty() ? 0 : brackets.back();
  return context;
}

Proposal::Kind kindOf(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Field:
  case SymbolKind::Temp:
  case SymbolKind::Const:
    return Proposal::Kind::Array;
  case SymbolKind::Param:
  case SymbolKind::Parameter:
  case SymbolKind::Index:
  case SymbolKind::Reduction:
    return Proposal::Kind::Number;
  case SymbolKind::Let:
    return Proposal::Kind::Formula;
  case SymbolKind::Function:
    return Proposal::Kind::Function;
  case SymbolKind::Axis:
  case SymbolKind::Stencil:
    return Proposal::Kind::Axis;
  }
  llvm_unreachable("all kinds are listed");
}

class Collector {
public:
  Collector(const Analysis &analysis, const char *place, llvm::ArrayRef<SymbolInfo> known)
      : place(place), isRead(analysis.file()),
        known(isRead ? llvm::ArrayRef(analysis.symbols().all) : known) {}

  void symbols(llvm::ArrayRef<SymbolKind> kinds, llvm::StringRef suffix = "") {
    for (const SymbolInfo &symbol : known)
      if (llvm::is_contained(kinds, symbol.kind) && isSeen(symbol))
        proposals.push_back({kindOf(symbol.kind), (symbol.name + suffix).str(), symbol.text, ""});
  }
  void words(llvm::ArrayRef<Word::Kind> kinds) {
    for (const Word &word : vocabulary())
      if (llvm::is_contained(kinds, word.kind))
        proposals.push_back(
            {word.kind == Word::Kind::Function ? Proposal::Kind::Function : Proposal::Kind::Keyword,
             word.name.str(), word.form.str(), word.text.str()});
  }

  std::vector<Proposal> proposals;

private:
  bool isSeen(const SymbolInfo &symbol) const {
    return symbol.scope.empty() || !isRead ||
           (symbol.scope.begin() <= place && place <= symbol.scope.end());
  }

  const char *place;
  const bool isRead;
  llvm::ArrayRef<SymbolInfo> known;
};

} // namespace

std::vector<Proposal> proposalsAt(const Analysis &analysis, size_t offset,
                                  llvm::ArrayRef<SymbolInfo> known) {
  using Kind = SymbolKind;
  const char *place = analysis.at(offset);
  const Context context = contextAt(analysis, place);
  const llvm::StringRef word = context.word;
  Collector found(analysis, place, known);
  const bool declares = llvm::is_contained({"field", "temp", "const", "param"}, word);
  if (context.tokens == 0) {
    found.words({Word::Kind::Item});
    found.symbols({Kind::Field, Kind::Temp}, "'");
  } else if (context.bracket == '[') {
    if (context.isAfterEquals) {
      found.symbols({Kind::Axis, Kind::Index});
      found.proposals.push_back({Proposal::Kind::Axis, "t", "t", "Time, in steps."});
    } else {
      found.symbols({Kind::Param}); // the bounds of a region
    }
  } else if (word == "boundary" && context.bracket == 0) {
    if (context.isAfterColon) {
      found.words({Word::Kind::Boundary});
      found.symbols({Kind::Axis});
    } else {
      found.symbols({Kind::Field, Kind::Temp, Kind::Const});
    }
  } else if (declares && !context.isAfterEquals) {
    if (context.tokens == 1)
      found.words({Word::Kind::Type});
  } else if (word == "init" && !context.isAfterEquals) {
    found.symbols({Kind::Field, Kind::Const});
  } else {
    found.symbols({Kind::Axis, Kind::Field, Kind::Temp, Kind::Const, Kind::Param, Kind::Let,
                   Kind::Function, Kind::Parameter, Kind::Index});
    found.words({Word::Kind::Function});
  }
  return std::move(found.proposals);
}

} // namespace stencilc::lsp
