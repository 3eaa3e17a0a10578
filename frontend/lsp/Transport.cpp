#include "frontend/lsp/Transport.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"

#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace stencilc::lsp {

constexpr size_t kMaxHeaderLine = 4096;

/// Reads what is there, at least a byte; false at the end.
bool Transport::fill() {
  char bytes[1 << 16];
  const ssize_t count =
      sys::RetryAfterSignal(-1, ::read, in, static_cast<char *>(bytes), sizeof bytes);
  if (count <= 0)
    return false;
  buffer.append(bytes, count);
  return true;
}

bool Transport::hasMore() const {
  pollfd waiting = {in, POLLIN, 0};
  return !buffer.empty() || ::poll(&waiting, 1, 0) > 0;
}

/// Up to the next newline, without it; a longer one than any header's is cut.
std::optional<std::string> Transport::line() {
  size_t end;
  while ((end = buffer.find('\n')) == std::string::npos && buffer.size() < kMaxHeaderLine)
    if (!fill())
      return std::nullopt;
  const size_t taken = std::min(end == std::string::npos ? kMaxHeaderLine : end + 1, buffer.size());
  std::string result = StringRef(buffer).take_front(taken).rtrim("\r\n").str();
  buffer.erase(0, taken);
  return result;
}

/// The length that a header tells, if it tells one.
std::optional<size_t> Transport::header(bool &isEnd) {
  std::optional<size_t> length;
  while (std::optional<std::string> text = line()) {
    if (text->empty())
      return length;
    const auto [name, value] = StringRef(*text).split(':');
    size_t number;
    if (name.trim().equals_insensitive("content-length") && !value.trim().getAsInteger(10, number))
      length = number;
  }
  isEnd = true;
  return std::nullopt;
}

/// Of one that is too long, nothing, when it has passed.
std::optional<std::string> Transport::body(size_t length) {
  const bool isKept = length <= kMaxMessageBytes;
  while (buffer.size() < length) {
    if (!isKept) {
      length -= buffer.size();
      buffer.clear();
    }
    if (!fill())
      return std::nullopt;
  }
  std::string result = isKept ? buffer.substr(0, length) : "";
  buffer.erase(0, length);
  return result;
}

static bool isTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t place = 0; place < text.size(); ++place) {
    const char c = text[place];
    if (inString && c == '\\')
      ++place;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > kMaxJsonDepth)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

std::optional<Expected<json::Value>> Transport::read() {
  bool isEnd = false;
  const std::optional<size_t> length = header(isEnd);
  if (isEnd)
    return std::nullopt;
  if (!length)
    return createStringError("a message starts with its Content-Length");
  const std::optional<std::string> text = body(*length);
  if (!text)
    return std::nullopt;
  if (isTooDeep(*text))
    return createStringError("the message nests too deep");
  return json::parse(*text);
}

void Transport::write(const json::Value &message) {
  std::string text;
  raw_string_ostream body(text);
  body << message;
  const std::string whole = "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
  for (StringRef rest = whole; !rest.empty();) {
    const ssize_t count = sys::RetryAfterSignal(-1, ::write, out, rest.data(), rest.size());
    if (count <= 0)
      return; // nobody listens: the next read ends
    rest = rest.drop_front(count);
  }
}

} // namespace stencilc::lsp
