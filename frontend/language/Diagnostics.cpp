#include "frontend/language/Diagnostics.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

namespace stencilc {

namespace {

struct Entry {
  llvm::StringRef name;
  Severity severity;
  llvm::StringRef text;
};

constexpr Entry kEntries[] = {
#define DIAGNOSTIC(name, severity, text) {#name, Severity::severity, text},
#include "frontend/language/Diagnostics.def"
#undef DIAGNOSTIC
};

const Entry &entryOf(Diag id) { return kEntries[static_cast<size_t>(id)]; }

llvm::StringRef spelling(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("all severities are listed");
}

llvm::SourceMgr::DiagKind kindOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return llvm::SourceMgr::DK_Error;
  case Severity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case Severity::Note:
    return llvm::SourceMgr::DK_Note;
  }
  llvm_unreachable("all severities are listed");
}

bool alwaysColour(const llvm::raw_ostream &) { return true; }

} // namespace

DiagnosticEngine::Report &
DiagnosticEngine::Report::suggest(llvm::StringRef name,
                                  llvm::ArrayRef<llvm::StringRef> candidates) {
  // About a third of the letters may differ; endless names are not worth the time.
  if (name.size() > 64)
    return *this;
  unsigned best = (name.size() + 2) / 3 + 1;
  llvm::StringRef suggestion;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    // A name with nothing in common is no likeness: `x` was hardly meant to be `u`.
    if (distance < best && distance < std::max(name.size(), candidate.size())) {
      best = distance;
      suggestion = candidate;
    }
  }
  return suggestion.empty() ? *this : hint(Diag::did_you_mean, suggestion);
}

DiagnosticEngine::DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> source,
                                   llvm::raw_ostream &out, DiagnosticOptions options)
    : out(out), options(options) {
  sources.AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  if (options.colour == ColourMode::Always) {
    out.enable_colors(true);
    llvm::WithColor::setAutoDetectFunction(alwaysColour);
  }
}

llvm::StringRef DiagnosticEngine::text() const {
  return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
}

llvm::StringRef DiagnosticEngine::file() const {
  return llvm::sys::path::filename(
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier());
}

llvm::StringRef DiagnosticEngine::addText(llvm::StringRef title, llvm::StringRef text) {
  unsigned id =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, title), llvm::SMLoc());
  return sources.getMemoryBuffer(id)->getBuffer();
}

SourcePosition DiagnosticEngine::position(llvm::SMLoc place) const {
  if (!place.isValid())
    return {};
  auto [line, column] = sources.getLineAndColumn(place);
  return {line, column};
}

llvm::StringRef DiagnosticEngine::textOf(Diag id) { return entryOf(id).text; }

void DiagnosticEngine::report(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const SourceError &error) {
        llvm::SMLoc place;
        if (error.position.line > 0)
          place = sources.FindLocForLineAndColumn(sources.getMainFileID(), error.position.line,
                                                  error.position.column);
        Report made = report(Diag::refused, {place, place}, error.message);
        if (!error.hint.empty())
          made.hint(Diag::refused_hint, error.hint);
      },
      [&](const llvm::ErrorInfoBase &error) {
        report(Diag::refused, llvm::SMRange(), error.message());
      });
}

void DiagnosticEngine::emit(const Message &message, llvm::ArrayRef<Message> notes) {
  Severity severity = entryOf(message.id).severity;
  if (severity == Severity::Error)
    ++errorCount;
  if (errorCount > options.errorLimit) {
    bool isFirst = severity == Severity::Error && errorCount == options.errorLimit + 1;
    return isFirst ? show({Diag::too_many_errors, {}, textOf(Diag::too_many_errors).str()}, {})
                   : void();
  }
  show(message, notes);
}

void DiagnosticEngine::show(const Message &message, llvm::ArrayRef<Message> notes) {
  if (options.format == DiagnosticsFormat::Json)
    return printJson(message, notes);
  printText(message, entryOf(message.id).severity, message.range);
  for (const Message &note : notes)
    printText(note, Severity::Note, message.range);
}

void DiagnosticEngine::printText(const Message &message, Severity severity, llvm::SMRange near) {
  if (message.range.isValid()) {
    llvm::SMDiagnostic diagnostic =
        sources.GetMessage(message.range.Start, kindOf(severity), message.text, {message.range});
    return diagnostic.print(nullptr, out);
  }
  // Without a place of its own a message is shown at the line it is near, which is not repeated.
  unsigned buffer = sources.getMainFileID();
  int line = -1;
  if (near.isValid()) {
    buffer = sources.FindBufferContainingLoc(near.Start);
    line = position(near.Start).line;
  }
  llvm::StringRef name = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
  llvm::SMDiagnostic(sources, llvm::SMLoc(), name, line, -1, kindOf(severity), message.text, "", {})
      .print(nullptr, out);
}

void DiagnosticEngine::printJson(const Message &message, llvm::ArrayRef<Message> notes) {
  llvm::json::OStream json(out);
  auto attributes = [&](const Message &message) {
    json.attribute("severity", spelling(entryOf(message.id).severity));
    json.attribute("name", entryOf(message.id).name);
    json.attribute("message", llvm::json::fixUTF8(message.text));
    if (!message.range.isValid())
      return;
    unsigned buffer = sources.FindBufferContainingLoc(message.range.Start);
    SourcePosition begin = position(message.range.Start), end = position(message.range.End);
    json.attribute("file",
                   llvm::json::fixUTF8(sources.getMemoryBuffer(buffer)->getBufferIdentifier()));
    json.attribute("line", begin.line);
    json.attribute("column", begin.column);
    json.attribute("endLine", end.line);
    json.attribute("endColumn", end.column);
  };
  json.object([&] {
    attributes(message);
    json.attributeArray("notes", [&] {
      for (const Message &note : notes)
        json.object([&] { attributes(note); });
    });
  });
  out << '\n';
}

} // namespace stencilc
