// Which name stands for what, for editors that colour names by it.
#include "frontend/lsp/Answers.h"
#include "frontend/lsp/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lsp {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

constexpr llvm::StringLiteral kTypes[] = {"class", "enumMember", "variable", "property",
                                          "macro", "function",   "parameter"};
constexpr llvm::StringLiteral kModifiers[] = {"declaration", "readonly", "defaultLibrary"};
enum Modifier : unsigned { Declaration = 1, ReadOnly = 2, DefaultLibrary = 4 };

struct Colour {
  llvm::StringRef type;
  unsigned modifiers;
};

Colour colourOf(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Stencil:
    return {"class", 0};
  case SymbolKind::Axis:
    return {"enumMember", 0};
  case SymbolKind::Field:
  case SymbolKind::Temp:
  case SymbolKind::Reduction:
    return {"variable", 0};
  case SymbolKind::Const:
    return {"variable", ReadOnly};
  case SymbolKind::Param:
    return {"property", 0};
  case SymbolKind::Let:
    return {"macro", 0};
  case SymbolKind::Function:
    return {"function", 0};
  case SymbolKind::Parameter:
  case SymbolKind::Index:
    return {"parameter", 0};
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace

Value semanticLegend() {
  return Object{{"tokenTypes", Array(llvm::ArrayRef(kTypes))},
                {"tokenModifiers", Array(llvm::ArrayRef(kModifiers))}};
}

Value semanticTokens(const View &view) {
  struct Place {
    llvm::StringRef text;
    Colour colour;
  };
  const Symbols &symbols = view.analysis.symbols();
  std::vector<Place> places;
  for (const Occurrence &occurrence : symbols.occurrences) {
    Colour colour = colourOf(symbols.all[occurrence.symbol].kind);
    if (occurrence.isDeclaration)
      colour.modifiers |= Declaration;
    places.push_back({occurrence.name, colour});
  }
  for (const CallPlace &call : symbols.calls)
    if (!call.symbol && findWord(call.function))
      places.push_back({call.function, {"function", DefaultLibrary}});
  llvm::sort(places, [](const Place &left, const Place &right) {
    return left.text.begin() < right.text.begin();
  });

  // Five numbers each: lines and characters from the one before, length, type, modifiers.
  Array data;
  Position last;
  for (const Place &place : places) {
    const Position at = view.text.positionOf(view.analysis.spanOf(place.text).begin);
    const unsigned type = llvm::find(kTypes, place.colour.type) - std::begin(kTypes);
    for (unsigned number :
         {at.line - last.line, at.line == last.line ? at.character - last.character : at.character,
          unsigned(place.text.size()), type, place.colour.modifiers})
      data.push_back(number);
    last = at;
  }
  return Object{{"data", std::move(data)}};
}

} // namespace stencilc::lsp
