// Diagnostics: how everything the user did wrong is said, with line, caret and a way out.
//
// One engine serves one source text. A report names its message (Diagnostics.def), the place and
// the arguments; notes are chained to it:
//
//   diagnostics.report(Diag::duplicate_name, name.range(), name.text)
//       .note(Diag::first_declared_here, first.range());
//
// The report is printed when the chain ends. Reports never stop the caller: it goes on, and asks
// hasErrors() at the end of its phase.
//
// A line `#line 7 "FILE"` of the text says that the next one is line 7 of FILE: messages then name
// that place. Without "FILE" the name stays.
#pragma once

#include "ir/stencil/SourceError.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>

namespace stencilc {

enum class Diag {
#define DIAGNOSTIC(name, severity, text) name,
#include "frontend/language/Diagnostics.def"
#undef DIAGNOSTIC
};

enum class Severity { Error, Warning, Note };
/// "missing_semicolon": the same on every day, for programs.
llvm::StringRef nameOf(Diag id);
enum class DiagnosticsFormat {
  Text, ///< as compilers print them: place, source line, caret
  Json  ///< one object a line, notes nested, with the name of the message
};
enum class ColourMode { Auto, Always, Never };

struct DiagnosticOptions {
  DiagnosticsFormat format = DiagnosticsFormat::Text;
  ColourMode colour = ColourMode::Auto;
  unsigned errorLimit = 20; ///< later errors are counted, not printed
};

class DiagnosticEngine {
public:
  struct Message {
    Diag id;
    llvm::SMRange range; ///< invalid: the message has no place
    std::string text;
  };

  /// A message in the making; printed, with its notes, when it goes out of scope.
  class Report {
  public:
    Report(DiagnosticEngine &engine, Message message)
        : engine(engine), message(std::move(message)) {}
    Report(const Report &) = delete;
    ~Report() { engine.emit(message, notes); }

    /// A note about a second place.
    template <class... Args> Report &note(Diag id, llvm::SMRange range, Args &&...args) {
      notes.push_back({id, range, format(id, std::forward<Args>(args)...)});
      return *this;
    }
    /// A note about the same place: a way out.
    template <class... Args> Report &hint(Diag id, Args &&...args) {
      return note(id, llvm::SMRange(), std::forward<Args>(args)...);
    }
    /// Suggests the one of the candidates that `name` was probably meant to be, if any is close.
    /// They are asked for only if the report will be shown.
    Report &suggest(llvm::StringRef name,
                    llvm::function_ref<std::vector<llvm::StringRef>()> candidates);

  private:
    DiagnosticEngine &engine;
    Message message;
    std::vector<Message> notes;
  };

  /// `source` is the text of the file; its identifier is the name shown.
  DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> source, llvm::raw_ostream &out,
                   DiagnosticOptions options = {});
  /// Takes the place of printing: is called with each message that would be shown, in their order.
  using Listener = std::function<void(Severity, const Message &, llvm::ArrayRef<Message> notes)>;
  DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> source, Listener listener);

  /// The file as given, and its base name.
  llvm::StringRef text() const;
  llvm::StringRef file() const;
  /// Adds a further text that reports may point into, such as an argument of the command line.
  llvm::StringRef addText(llvm::StringRef title, llvm::StringRef text);
  SourcePosition position(llvm::SMLoc place) const;

  template <class... Args> Report report(Diag id, llvm::SMRange range, Args &&...args) {
    return Report(*this, {id, range, format(id, std::forward<Args>(args)...)});
  }
  /// Prints an error from behind the front end: a SourceError at its position, any other without.
  void report(llvm::Error error);

  bool hasErrors() const { return errorCount > 0; }

private:
  template <class... Args> static std::string format(Diag id, Args &&...args) {
    return shortened(llvm::formatv(textOf(id).data(), std::forward<Args>(args)...).str());
  }
  static llvm::StringRef textOf(Diag id);
  /// `text` without its middle if it is long: what it quotes of the source may be.
  static std::string shortened(std::string text);
  void emit(const Message &message, llvm::ArrayRef<Message> notes);
  void show(const Message &message, llvm::ArrayRef<Message> notes);
  /// Where a place is, as messages tell it.
  struct ShownPlace {
    std::string file;
    SourcePosition position;
  };
  ShownPlace shown(llvm::SMLoc place) const;
  void findLineMarks();
  void printText(const Message &message, Severity severity, llvm::SMRange near);
  void printJson(const Message &message, llvm::ArrayRef<Message> notes);

  llvm::SourceMgr sources;
  llvm::raw_ostream &out;
  DiagnosticOptions options;
  Listener listener; ///< none: messages are printed
  unsigned errorCount = 0;

  struct LineMark {
    unsigned at;   ///< the line of the text that the mark stands on
    unsigned line; ///< the number of the next
    std::string file;
  };
  std::vector<LineMark> lineMarks;
};

} // namespace stencilc
