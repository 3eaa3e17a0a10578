#include "frontend/lsp/Analysis.h"

#include "frontend/driver/SourceFile.h"
#include "frontend/language/Parser.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lsp {

using Engine = DiagnosticEngine;

static std::unique_ptr<llvm::MemoryBuffer> bufferOf(llvm::StringRef text, llvm::StringRef name) {
  std::string alike = text.str();
  endLinesAlike(alike);
  return llvm::MemoryBuffer::getMemBufferCopy(alike, name);
}

Analysis::Analysis(llvm::StringRef text, llvm::StringRef name) {
  if (text.size() > kMaxSourceBytes) {
    found.push_back({Severity::Error,
                     "refused",
                     "the text has more than " + std::to_string(kMaxSourceBytes) +
                         " bytes, which is the most that a stencil may have",
                     std::nullopt,
                     {}});
    text = "";
  }
  Engine silent(bufferOf(text, name), [](auto &&...) {});
  engine = std::make_unique<Engine>(
      bufferOf(text, name),
      [this](Severity severity, const Engine::Message &message,
             llvm::ArrayRef<Engine::Message> notes) { add(severity, message, notes); });
  source = engine->text();
  words = lex(silent, source);
  if (!found.empty())
    return;
  tree = parseFile(*engine);
  if (!tree)
    return;
  names = findSymbols(*tree);
  meaning = analyse(*engine, {}, *tree);
}

unsigned Analysis::errorCount() const {
  return llvm::count_if(found,
                        [](const Message &message) { return message.severity == Severity::Error; });
}

void Analysis::add(Severity severity, const Engine::Message &message,
                   llvm::ArrayRef<Engine::Message> notes) {
  found.push_back(made(severity, message));
  for (const Engine::Message &note : notes)
    found.back().notes.push_back(made(Severity::Note, note));
}

Message Analysis::made(Severity severity, const Engine::Message &message) const {
  Message result{severity, nameOf(message.id), message.text, std::nullopt, {}};
  if (message.range.isValid())
    result.place = {size_t(message.range.Start.getPointer() - source.begin()),
                    size_t(message.range.End.getPointer() - source.begin())};
  return result;
}

} // namespace stencilc::lsp
