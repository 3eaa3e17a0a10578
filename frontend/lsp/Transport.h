// Transport: messages of the protocol over two file descriptors: a header that tells the length, an
// empty line, and so many bytes of JSON.
#pragma once

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace stencilc::lsp {

/// Larger messages are passed over.
constexpr size_t kMaxMessageBytes = size_t(64) << 20;
/// Deeper JSON is not read: reading recurses.
constexpr unsigned kMaxJsonDepth = 200;

class Transport {
public:
  Transport(int in, int out) : in(in), out(out) {}

  /// The next message; an error for bytes that are none, behind which it goes on; nothing at the
  /// end.
  std::optional<llvm::Expected<llvm::json::Value>> read();
  /// Whether some of a further message is there already, or the end.
  bool hasMore() const;
  void write(const llvm::json::Value &message);

private:
  bool fill();
  std::optional<std::string> line();
  std::optional<size_t> header(bool &isEnd);
  std::optional<std::string> body(size_t length);

  int in, out;
  std::string buffer; ///< what was read ahead
};

} // namespace stencilc::lsp
