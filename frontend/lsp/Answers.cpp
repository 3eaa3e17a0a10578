#include "frontend/lsp/Answers.h"

#include "frontend/language/Format.h"
#include "frontend/lsp/Completion.h"
#include "frontend/lsp/Hover.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace stencilc::lsp {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value toJson(Position position) {
  return Object{{"line", position.line}, {"character", position.character}};
}

Value View::range(Span span) const {
  return Object{{"start", toJson(text.positionOf(span.begin))},
                {"end", toJson(text.positionOf(span.end))}};
}

static std::string fixed(llvm::StringRef text) { return llvm::json::fixUTF8(text); }

// ---- diagnostics ------------------------------------------------------------------------------

static int numberOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Note:
    return 3; // "information"
  }
  llvm_unreachable("all severities are listed");
}

static Value toJson(const View &view, const Message &message) {
  std::string text = message.text;
  Array related;
  for (const Message &note : message.notes) {
    if (note.place)
      related.push_back(
          Object{{"location", Object{{"uri", view.uri.str()}, {"range", view.range(*note.place)}}},
                 {"message", fixed(note.text)}});
    else
      text += "\n" + note.text;
  }
  Object result{{"range", view.range(message.place.value_or(Span{}))},
                {"severity", numberOf(message.severity)},
                {"code", message.name},
                {"source", "stencilc"},
                {"message", fixed(text)}};
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}

Array diagnosticsOf(const View &view) {
  Array result;
  for (const Message &message : view.analysis.messages())
    result.push_back(toJson(view, message));
  return result;
}

// ---- names --------------------------------------------------------------------------------------

static const Occurrence *nameAt(const View &view, Position position) {
  return view.analysis.symbols().at(view.analysis.at(view.offsetOf(position)));
}

/// What stands for the same thing, in the order of the text.
static std::vector<Occurrence> sameAs(const View &view, const Occurrence &name) {
  std::vector<Occurrence> result;
  for (const Occurrence &other : view.analysis.symbols().occurrences)
    if (other.symbol == name.symbol)
      result.push_back(other);
  return result;
}

static Value location(const View &view, llvm::StringRef slice) {
  return Object{{"uri", view.uri.str()}, {"range", view.range(slice)}};
}

Value hover(const View &view, Position position) {
  const std::optional<Hover> found = hoverAt(view.analysis, view.offsetOf(position));
  if (!found)
    return nullptr;
  return Object{{"contents", Object{{"kind", "markdown"}, {"value", fixed(found->text)}}},
                {"range", view.range(found->about)}};
}

Value definition(const View &view, Position position) {
  const Occurrence *name = nameAt(view, position);
  return name ? location(view, view.analysis.symbols().all[name->symbol].name) : Value(nullptr);
}

Value references(const View &view, Position position, bool withDeclaration) {
  Array result;
  if (const Occurrence *name = nameAt(view, position))
    for (const Occurrence &other : sameAs(view, *name))
      if (withDeclaration || !other.isDeclaration)
        result.push_back(location(view, other.name));
  return result;
}

Value highlights(const View &view, Position position) {
  Array result;
  if (const Occurrence *name = nameAt(view, position))
    for (const Occurrence &other : sameAs(view, *name))
      result.push_back(Object{{"range", view.range(other.name)}});
  return result;
}

Value completion(const View &view, Position position, llvm::ArrayRef<SymbolInfo> known) {
  const auto kindOf = [](Proposal::Kind kind) {
    // CompletionItemKind of the protocol.
    switch (kind) {
    case Proposal::Kind::Keyword:
      return 14;
    case Proposal::Kind::Array:
      return 5; // Field
    case Proposal::Kind::Number:
      return 6; // Variable
    case Proposal::Kind::Formula:
      return 21; // Constant
    case Proposal::Kind::Function:
      return 3;
    case Proposal::Kind::Axis:
      return 20; // EnumMember
    }
    llvm_unreachable("all kinds are listed");
  };
  Array result;
  for (const Proposal &proposal : proposalsAt(view.analysis, view.offsetOf(position), known))
    result.push_back(Object{{"label", fixed(proposal.label)},
                            {"kind", kindOf(proposal.kind)},
                            {"detail", fixed(proposal.detail)},
                            {"documentation", fixed(proposal.text)}});
  return result;
}

Value prepareRename(const View &view, Position position) {
  const Occurrence *name = nameAt(view, position);
  return name ? view.range(name->name) : Value(nullptr);
}

/// A name captures another, or is caught, if some name of the text stands for something else then.
static bool sameStructure(const Symbols &left, const Symbols &right) {
  return llvm::equal(
      left.occurrences, right.occurrences, [](const Occurrence &one, const Occurrence &other) {
        return one.symbol == other.symbol && one.isDeclaration == other.isDeclaration;
      });
}

llvm::Expected<Value> rename(const View &view, Position position, llvm::StringRef newName) {
  const Occurrence *name = nameAt(view, position);
  if (!name)
    return llvm::createStringError("there is no name of the stencil here");
  const auto inName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (newName.empty() || llvm::isDigit(newName.front()) || !llvm::all_of(newName, inName))
    return llvm::createStringError("`" + fixed(newName) + "` is no name: letters, digits and `_`");
  if (isReservedWord(newName))
    return llvm::createStringError("`" + newName + "` is a word of the language");
  std::string text;
  const char *at = view.analysis.text().begin();
  Array edits;
  for (const Occurrence &other : sameAs(view, *name)) {
    text.append(at, other.name.begin()).append(newName);
    at = other.name.end();
    edits.push_back(Object{{"range", view.range(other.name)}, {"newText", newName}});
  }
  text.append(at, view.analysis.text().end());
  const Analysis renamed(text, "renamed.stn");
  if (renamed.errorCount() > view.analysis.errorCount())
    return llvm::createStringError(renamed.messages().front().text);
  if (!sameStructure(view.analysis.symbols(), renamed.symbols()))
    return llvm::createStringError("`" + newName + "` already stands for something else here");
  Object changes;
  changes[view.uri.str()] = std::move(edits);
  return Object{{"changes", std::move(changes)}};
}

// ---- the text as a whole
// -------------------------------------------------------------------------

Value formatting(const View &view) {
  DiagnosticEngine engine(llvm::MemoryBuffer::getMemBufferCopy(view.analysis.text()),
                          [](auto &&...) {});
  const std::optional<std::string> made = format(engine);
  if (!made)
    return nullptr;
  if (*made == view.text.content())
    return Array();
  return Array{Object{{"range", view.range(Span{0, view.text.content().size()})},
                      {"newText", fixed(*made)}}};
}

} // namespace stencilc::lsp
