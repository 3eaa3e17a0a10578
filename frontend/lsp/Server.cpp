#include "frontend/lsp/Server.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

#include <csignal>

using namespace llvm;

namespace stencilc::lsp {

namespace {

// Codes of JSON-RPC and of the protocol.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kNotInitialized = -32002, kRequestFailed = -32803;

/// What is missing in the parameters of a request.
class BadParams : public ErrorInfo<BadParams> {
public:
  static char ID;
  explicit BadParams(StringRef what) : what(what.str()) {}
  void log(raw_ostream &out) const override { out << what; }
  std::error_code convertToErrorCode() const override { return inconvertibleErrorCode(); }
  std::string what;
};
char BadParams::ID;

std::optional<Position> positionIn(const json::Object *object) {
  if (!object)
    return std::nullopt;
  const auto line = object->getInteger("line"), character = object->getInteger("character");
  if (!line || !character || *line < 0 || *character < 0)
    return std::nullopt;
  return Position{unsigned(std::min<int64_t>(*line, INT32_MAX)),
                  unsigned(std::min<int64_t>(*character, INT32_MAX))};
}

std::optional<std::string> uriIn(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  const auto uri = document ? document->getString("uri") : std::nullopt;
  return uri ? std::optional(uri->str()) : std::nullopt;
}

} // namespace

Server::Server(int in, int out, StringRef version) : transport(in, out), version(version) {
  std::signal(SIGPIPE, SIG_IGN); // an editor that is gone ends the input too
}

int Server::run() {
  while (!exitCode) {
    if (!transport.hasMore())
      publishChanged();
    auto message = transport.read();
    if (!message) {
      publishChanged();
      return 1;
    }
    if (!*message)
      fail(nullptr, kParseError, toString(message->takeError()));
    else if (const json::Object *object = (*message)->getAsObject())
      take(*object);
    else
      fail(nullptr, kInvalidRequest, "a message is an object");
  }
  return *exitCode;
}

void Server::take(const json::Object &message) {
  const auto method = message.getString("method");
  const json::Value *id = message.get("id");
  static const json::Object none;
  const json::Object *params = message.getObject("params");
  if (method && id)
    answer(*id, *method, params ? *params : none);
  else if (method)
    notice(*method, params ? *params : none);
  else if (!id || (!message.get("result") && !message.get("error")))
    fail(id ? *id : json::Value(nullptr), kInvalidRequest, "a message has a method");
}

void Server::answer(const json::Value &id, StringRef method, const json::Object &params) {
  const auto found = requests().find(method);
  if (state == State::New && method != "initialize")
    fail(id, kNotInitialized, "the first request is `initialize`");
  else if (state == State::ShutDown || (state == State::Running && method == "initialize"))
    fail(id, kInvalidRequest, "`" + method.str() + "` comes too late");
  else if (found == requests().end())
    fail(id, kMethodNotFound, "`" + method.str() + "` is not known");
  else
    reply(id, (this->*found->second)(params));
}

void Server::notice(StringRef method, const json::Object &params) {
  const auto found = notifications().find(method);
  if (found != notifications().end() && (state == State::Running || method == "exit"))
    (this->*found->second)(params);
}

void Server::reply(const json::Value &id, Expected<json::Value> result) {
  if (result)
    return transport.write(json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"result", *result}});
  Error error = result.takeError();
  const int code = error.isA<BadParams>() ? kInvalidParams : kRequestFailed;
  fail(id, code, toString(std::move(error)));
}

void Server::fail(const json::Value &id, int code, StringRef message) {
  transport.write(
      json::Object{{"jsonrpc", "2.0"},
                   {"id", id},
                   {"error", json::Object{{"code", code}, {"message", json::fixUTF8(message)}}}});
}

// ---- documents ----------------------------------------------------------------------------------

const Analysis &Server::analysisOf(const std::string &uri, Document &document) {
  if (!document.analysis) {
    document.analysis =
        std::make_shared<const Analysis>(document.text.content(), sys::path::filename(uri));
    if (document.analysis->file())
      document.readable = document.analysis;
  }
  return *document.analysis;
}

void Server::publish(StringRef uri, const Document &document, json::Array diagnostics) {
  json::Object params{{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
  if (document.version)
    params["version"] = *document.version;
  transport.write(json::Object{{"jsonrpc", "2.0"},
                               {"method", "textDocument/publishDiagnostics"},
                               {"params", std::move(params)}});
}

void Server::publishChanged() {
  for (auto &[uri, document] : documents)
    if (!document.isPublished) {
      publish(uri, document, diagnosticsOf({document.text, analysisOf(uri, document), uri}));
      document.isPublished = true;
    }
}

void Server::didOpen(const json::Object &params) {
  const std::optional<std::string> uri = uriIn(params);
  const auto text = uri ? params.getObject("textDocument")->getString("text") : std::nullopt;
  if (!text)
    return;
  documents.insert_or_assign(*uri,
                             Document{Text(text->str(), encoding),
                                      params.getObject("textDocument")->getInteger("version")});
}

void Server::didChange(const json::Object &params) {
  const std::optional<std::string> uri = uriIn(params);
  const auto found = uri ? documents.find(*uri) : documents.end();
  const json::Array *changes = params.getArray("contentChanges");
  if (found == documents.end() || !changes)
    return;
  Document &document = found->second;
  document.version = params.getObject("textDocument")->getInteger("version");
  for (const json::Value &change : *changes) {
    const json::Object *object = change.getAsObject();
    const auto text = object ? object->getString("text") : std::nullopt;
    if (!text)
      continue;
    const json::Object *range = object->getObject("range");
    const auto from = positionIn(range ? range->getObject("start") : nullptr);
    const auto to = positionIn(range ? range->getObject("end") : nullptr);
    if (!range)
      document.text = Text(text->str(), encoding);
    else if (from && to)
      document.text.replace(*from, *to, *text);
  }
  document.analysis = nullptr;
  document.isPublished = false;
}

void Server::didClose(const json::Object &params) {
  const std::optional<std::string> uri = uriIn(params);
  const auto found = uri ? documents.find(*uri) : documents.end();
  if (found == documents.end())
    return;
  publish(*uri, Document{Text("", encoding), std::nullopt}, {});
  documents.erase(found);
}

// ---- requests -----------------------------------------------------------------------------------

template <class Answer>
Expected<json::Value> Server::inDocument(const json::Object &params, Answer answer) {
  const std::optional<std::string> uri = uriIn(params);
  if (!uri)
    return make_error<BadParams>("`textDocument.uri` is missing");
  const auto found = documents.find(*uri);
  if (found == documents.end())
    return make_error<BadParams>("`" + *uri + "` is not open");
  Document &document = found->second;
  return answer(View{document.text, analysisOf(*uri, document), *uri}, document);
}

template <class Answer>
Expected<json::Value> Server::atPosition(const json::Object &params, Answer answer) {
  const std::optional<Position> position = positionIn(params.getObject("position"));
  if (!position)
    return make_error<BadParams>("`position` is missing");
  return inDocument(params, [&](const View &view, const Document &document) {
    return answer(view, *position, document);
  });
}

Expected<json::Value> Server::initialize(const json::Object &params) {
  state = State::Running;
  const json::Object *client = params.getObject("capabilities");
  const json::Object *general = client ? client->getObject("general") : nullptr;
  const json::Array *encodings = general ? general->getArray("positionEncodings") : nullptr;
  if (encodings && is_contained(*encodings, json::Value("utf-8")))
    encoding = Encoding::Utf8;
  using json::Array;
  using json::Object;
  return Object{
      {"serverInfo", Object{{"name", "stencilc"}, {"version", version}}},
      {"capabilities",
       Object{{"positionEncoding", encoding == Encoding::Utf8 ? "utf-8" : "utf-16"},
              {"textDocumentSync", Object{{"openClose", true}, {"change", 2}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"documentHighlightProvider", true},
              {"renameProvider", Object{{"prepareProvider", true}}},
              {"completionProvider", Object{{"triggerCharacters", Array{"[", ":"}}}},
              {"semanticTokensProvider", Object{{"legend", semanticLegend()}, {"full", true}}},
              {"documentSymbolProvider", true},
              {"documentFormattingProvider", true}}}};
}

Expected<json::Value> Server::shutdown(const json::Object &) {
  state = State::ShutDown;
  return nullptr;
}

void Server::exit(const json::Object &) { exitCode = state == State::ShutDown ? 0 : 1; }

Expected<json::Value> Server::onHover(const json::Object &params) {
  return atPosition(params, [](const View &view, Position position, const Document &) {
    return hover(view, position);
  });
}

Expected<json::Value> Server::onDefinition(const json::Object &params) {
  return atPosition(params, [](const View &view, Position position, const Document &) {
    return definition(view, position);
  });
}

Expected<json::Value> Server::onReferences(const json::Object &params) {
  const json::Object *context = params.getObject("context");
  const bool withDeclaration = context && context->getBoolean("includeDeclaration").value_or(false);
  return atPosition(params, [&](const View &view, Position position, const Document &) {
    return references(view, position, withDeclaration);
  });
}

Expected<json::Value> Server::onHighlights(const json::Object &params) {
  return atPosition(params, [](const View &view, Position position, const Document &) {
    return highlights(view, position);
  });
}

Expected<json::Value> Server::onPrepareRename(const json::Object &params) {
  return atPosition(params, [](const View &view, Position position, const Document &) {
    return prepareRename(view, position);
  });
}

Expected<json::Value> Server::onRename(const json::Object &params) {
  const auto newName = params.getString("newName");
  if (!newName)
    return make_error<BadParams>("`newName` is missing");
  return atPosition(params, [&](const View &view, Position position, const Document &) {
    return rename(view, position, *newName);
  });
}

Expected<json::Value> Server::onCompletion(const json::Object &params) {
  return atPosition(params, [](const View &view, Position position, const Document &document) {
    return completion(view, position,
                      document.readable ? ArrayRef(document.readable->symbols().all)
                                        : ArrayRef<SymbolInfo>());
  });
}

Expected<json::Value> Server::onSemanticTokens(const json::Object &params) {
  return inDocument(params,
                    [](const View &view, const Document &) { return semanticTokens(view); });
}

Expected<json::Value> Server::onOutline(const json::Object &params) {
  return inDocument(params, [](const View &view, const Document &) { return outline(view); });
}

Expected<json::Value> Server::onFormatting(const json::Object &params) {
  return inDocument(params, [](const View &view, const Document &) { return formatting(view); });
}

const StringMap<Server::Request> &Server::requests() {
  static const StringMap<Request> table = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"textDocument/hover", &Server::onHover},
      {"textDocument/definition", &Server::onDefinition},
      {"textDocument/references", &Server::onReferences},
      {"textDocument/documentHighlight", &Server::onHighlights},
      {"textDocument/prepareRename", &Server::onPrepareRename},
      {"textDocument/rename", &Server::onRename},
      {"textDocument/completion", &Server::onCompletion},
      {"textDocument/semanticTokens/full", &Server::onSemanticTokens},
      {"textDocument/documentSymbol", &Server::onOutline},
      {"textDocument/formatting", &Server::onFormatting}};
  return table;
}

const StringMap<Server::Notification> &Server::notifications() {
  static const StringMap<Notification> table = {{"textDocument/didOpen", &Server::didOpen},
                                                {"textDocument/didChange", &Server::didChange},
                                                {"textDocument/didClose", &Server::didClose},
                                                {"exit", &Server::exit}};
  return table;
}

} // namespace stencilc::lsp
