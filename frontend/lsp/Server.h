// Server: stencilc as an editor's language server (LSP 3.17), over two file descriptors.
//
// It keeps the open texts. A text that has changed is looked at when a request asks for it, or when
// no further message is waiting: while somebody types faster than it looks, it looks less often.
// Whatever comes in, it answers or ignores, and goes on.
#pragma once

#include "frontend/lsp/Answers.h"
#include "frontend/lsp/Transport.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace stencilc::lsp {

class Server {
public:
  Server(int in, int out, llvm::StringRef version);

  /// Serves until it is told to end; then the exit code, 1 if it was not told so in time.
  int run();

private:
  struct Document {
    Text text;
    std::optional<int64_t> version;
    std::shared_ptr<const Analysis> analysis = nullptr; ///< null: the text has changed since
    /// Of the last text that could be read: for completion in one that cannot.
    std::shared_ptr<const Analysis> readable = nullptr;
    bool isPublished = false;
  };
  using Request = llvm::Expected<llvm::json::Value> (Server::*)(const llvm::json::Object &);
  using Notification = void (Server::*)(const llvm::json::Object &);

  void take(const llvm::json::Object &message);
  void answer(const llvm::json::Value &id, llvm::StringRef method,
              const llvm::json::Object &params);
  void notice(llvm::StringRef method, const llvm::json::Object &params);
  void reply(const llvm::json::Value &id, llvm::Expected<llvm::json::Value> result);
  void fail(const llvm::json::Value &id, int code, llvm::StringRef message);
  void publishChanged();
  void publish(llvm::StringRef uri, const Document &document, llvm::json::Array diagnostics);

  const Analysis &analysisOf(const std::string &uri, Document &document);
  /// Calls `answer` with the document that the parameters name, and the position.
  template <class Answer>
  llvm::Expected<llvm::json::Value> inDocument(const llvm::json::Object &params, Answer answer);
  template <class Answer>
  llvm::Expected<llvm::json::Value> atPosition(const llvm::json::Object &params, Answer answer);

  llvm::Expected<llvm::json::Value> initialize(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> shutdown(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onHover(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onDefinition(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onReferences(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onHighlights(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onPrepareRename(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onRename(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onCompletion(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onSemanticTokens(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onOutline(const llvm::json::Object &params);
  llvm::Expected<llvm::json::Value> onFormatting(const llvm::json::Object &params);

  void didOpen(const llvm::json::Object &params);
  void didChange(const llvm::json::Object &params);
  void didClose(const llvm::json::Object &params);
  void exit(const llvm::json::Object &params);

  static const llvm::StringMap<Request> &requests();
  static const llvm::StringMap<Notification> &notifications();

  Transport transport;
  const std::string version;
  Encoding encoding = Encoding::Utf16;
  enum class State { New, Running, ShutDown } state = State::New;
  std::optional<int> exitCode;
  std::map<std::string, Document> documents; ///< by address
};

} // namespace stencilc::lsp
