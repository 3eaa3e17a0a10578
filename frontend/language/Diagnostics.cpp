#include "frontend/language/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

/// Longer lines are not quoted, and longer messages are cut.
constexpr size_t kLongestLine = 500;
constexpr size_t kLongestMessage = 2000;

/// The line of the source that `place` is on.
llvm::StringRef lineAround(const llvm::MemoryBuffer &buffer, llvm::SMLoc place) {
  const llvm::StringRef text = buffer.getBuffer();
  const size_t at = place.getPointer() - text.data();
  const size_t before = text.take_front(at).rfind('\n');
  const size_t begin = before == llvm::StringRef::npos ? 0 : before + 1;
  return text.slice(begin, text.find('\n', at));
}

bool alwaysColour(const llvm::raw_ostream &) { return true; }

} // namespace

llvm::StringRef nameOf(Diag id) { return entryOf(id).name; }

DiagnosticEngine::Report &
DiagnosticEngine::Report::suggest(llvm::StringRef name,
                                  llvm::function_ref<std::vector<llvm::StringRef>()> candidates) {
  if (engine.errorCount >= engine.options.errorLimit)
    return *this;
  // About a third of the letters may differ; of one or two, none.
  if (name.size() < 3)
    return *this;
  unsigned best = (name.size() + 2) / 3 + 1;
  llvm::StringRef suggestion;
  for (llvm::StringRef candidate : candidates()) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best && candidate.size() > 2) {
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
  findLineMarks();
  if (options.colour == ColourMode::Always) {
    out.enable_colors(true);
    llvm::WithColor::setAutoDetectFunction(alwaysColour);
  }
}

DiagnosticEngine::DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> source, Listener listener)
    : DiagnosticEngine(std::move(source), llvm::nulls()) {
  this->listener = std::move(listener);
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

void DiagnosticEngine::findLineMarks() {
  std::string file = sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier().str();
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(text(), '\n')) {
    ++number;
    unsigned next;
    line = line.trim();
    if (!line.consume_front("#line") || line.ltrim().size() == line.size() ||
        (line = line.ltrim()).consumeInteger(10, next))
      continue;
    line = line.trim();
    if (line.size() > 2 && line.consume_front("\"") && line.consume_back("\""))
      file = line.str();
    else if (!line.empty())
      continue; // a comment like any other
    lineMarks.push_back({number, next, file});
  }
}

DiagnosticEngine::ShownPlace DiagnosticEngine::shown(llvm::SMLoc place) const {
  const unsigned buffer = sources.FindBufferContainingLoc(place);
  ShownPlace result{sources.getMemoryBuffer(buffer)->getBufferIdentifier().str(), position(place)};
  if (buffer != sources.getMainFileID())
    return result;
  const auto mark = llvm::find_if(llvm::reverse(lineMarks), [&](const LineMark &mark) {
    return mark.at < result.position.line;
  });
  if (mark == lineMarks.rend())
    return result;
  result.file = mark->file;
  result.position.line = mark->line + (result.position.line - mark->at - 1);
  return result;
}

llvm::StringRef DiagnosticEngine::textOf(Diag id) { return entryOf(id).text; }

std::string DiagnosticEngine::shortened(std::string text) {
  constexpr size_t kept = kLongestMessage / 2;
  if (text.size() > kLongestMessage)
    text.replace(kept, text.size() - 2 * kept, " ... ");
  return text;
}

void DiagnosticEngine::report(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const SourceError &error) {
        llvm::SMLoc place;
        if (error.position.line > 0)
          place = sources.FindLocForLineAndColumn(sources.getMainFileID(), error.position.line,
                                                  error.position.column);
        report(Diag::refused, {place, place}, error.message);
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
  if (listener)
    return listener(entryOf(message.id).severity, message, notes);
  if (options.format == DiagnosticsFormat::Json)
    return printJson(message, notes);
  printText(message, entryOf(message.id).severity, message.range);
  for (const Message &note : notes)
    printText(note, Severity::Note, message.range);
}

void DiagnosticEngine::printText(const Message &message, Severity severity, llvm::SMRange near) {
  const auto kind = kindOf(severity);
  if (!message.range.isValid()) {
    // Without a place of its own a message is shown at the line it is near, which is not repeated.
    const llvm::StringRef whole =
        sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
    const ShownPlace at = near.isValid() ? shown(near.Start) : ShownPlace{whole.str(), {}};
    const int line = near.isValid() ? int(at.position.line) : -1;
    llvm::SMDiagnostic(sources, llvm::SMLoc(), at.file, line, -1, kind, message.text, "", {})
        .print(nullptr, out);
    return;
  }
  const llvm::SMLoc place = message.range.Start;
  const ShownPlace at = shown(place);
  const unsigned buffer = sources.FindBufferContainingLoc(place);
  if (lineAround(*sources.getMemoryBuffer(buffer), place).size() <= kLongestLine) {
    const llvm::SMDiagnostic found = sources.GetMessage(place, kind, message.text, {message.range});
    llvm::SMDiagnostic(sources, place, at.file, at.position.line, found.getColumnNo(), kind,
                       message.text, found.getLineContents(), found.getRanges())
        .print(nullptr, out);
    return;
  }
  const std::string where =
      llvm::formatv("{0}:{1}:{2}", at.file, at.position.line, at.position.column);
  llvm::SMDiagnostic(where, kind, message.text).print(nullptr, out);
}

void DiagnosticEngine::printJson(const Message &message, llvm::ArrayRef<Message> notes) {
  llvm::json::OStream json(out);
  auto attributes = [&](const Message &message) {
    json.attribute("severity", spelling(entryOf(message.id).severity));
    json.attribute("name", entryOf(message.id).name);
    json.attribute("message", llvm::json::fixUTF8(message.text));
    if (!message.range.isValid())
      return;
    const ShownPlace begin = shown(message.range.Start), end = shown(message.range.End);
    json.attribute("file", llvm::json::fixUTF8(begin.file));
    json.attribute("line", begin.position.line);
    json.attribute("column", begin.position.column);
    json.attribute("endLine", end.position.line);
    json.attribute("endColumn", end.position.column);
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
