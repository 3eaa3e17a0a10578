#include "runtime/graph/EdgeList.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace stencilc::graph {

namespace {

/// The lines of a text, each as its words.
class Lines {
public:
  explicit Lines(std::string_view text) : rest(text) {}

  bool next() {
    if (rest.empty())
      return false;
    ++number;
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    words.clear();
    for (;;) {
      const size_t begin = line.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos)
        return true;
      line.remove_prefix(begin);
      const size_t length = std::min(line.find_first_of(" \t\r"), line.size());
      words.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
  }

  std::string wrong(const std::string &what) const {
    return ":" + std::to_string(number) + ": " + what;
  }

  std::vector<std::string_view> words;

private:
  std::string_view rest;
  int64_t number = 0;
};

std::string quoted(std::string_view word) { return "`" + std::string(word) + "`"; }

template <class Number> bool parseNumber(std::string_view word, Number &number) {
  if (word.size() > 1 && word[0] == '+')
    word.remove_prefix(1);
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  return code == std::errc() && end == word.data() + word.size();
}

/// Reads a node that the file counts from 1.
std::string parseNode(std::string_view word, int64_t n, int64_t &node) {
  if (!parseNumber(word, node))
    return quoted(word) + " is no node";
  if (node < 1 || node > n)
    return "node " + std::to_string(node) + " is outside of 1 to " + std::to_string(n);
  --node;
  return "";
}

/// Reads `words[first]` to `words[first + 2]` (the weight may be left out) and passes the edge on.
std::string parseEdge(const Lines &lines, size_t first, int64_t n, bool weighted, bool bothWays,
                      const EdgeSink &sink) {
  int64_t from, to;
  double weight = 1;
  std::string problem = parseNode(lines.words[first], n, from);
  if (problem.empty())
    problem = parseNode(lines.words[first + 1], n, to);
  if (problem.empty() && weighted && !parseNumber(lines.words[first + 2], weight))
    problem = quoted(lines.words[first + 2]) + " is no weight";
  if (problem.empty())
    problem = sink.edge(from, to, weight);
  if (problem.empty() && bothWays && from != to)
    problem = sink.edge(to, from, weight);
  return problem;
}

std::string countProblem(const char *what, int64_t promised, int64_t found) {
  return ": promises " + std::to_string(promised) + " " + what + " and holds " +
         std::to_string(found);
}

} // namespace

std::string parseDimacs(std::string_view text, const EdgeSink &sink) {
  Lines lines(text);
  int64_t n = -1, promised = 0, found = 0;
  while (lines.next()) {
    const auto &words = lines.words;
    if (words.empty() || words[0][0] == 'c')
      continue;
    std::string problem;
    if (words[0] == "p") {
      if (n >= 0)
        problem = "a second problem line";
      else if (words.size() != 4 || words[1] != "sp" || !parseNumber(words[2], n) ||
               !parseNumber(words[3], promised) || n < 0 || promised < 0)
        problem = "a problem line reads `p sp NODES ARCS`";
      else
        problem = sink.begin(n);
    } else if (words[0] == "a") {
      ++found;
      if (n < 0)
        problem = "an arc before the problem line `p sp NODES ARCS`";
      else if (words.size() != 4)
        problem = "an arc reads `a FROM TO WEIGHT`";
      else
        problem = parseEdge(lines, 1, n, /*weighted=*/true, /*bothWays=*/false, sink);
    } else
      problem = "a line begins with c, p or a, not with " + quoted(words[0]);
    if (!problem.empty())
      return lines.wrong(problem);
  }
  if (n < 0)
    return ": has no problem line `p sp NODES ARCS`";
  return found == promised ? "" : countProblem("arcs", promised, found);
}

std::string parseMatrixMarket(std::string_view text, const EdgeSink &sink) {
  Lines lines(text);
  if (!lines.next() || lines.words.size() != 5 || lines.words[0] != "%%MatrixMarket" ||
      lines.words[1] != "matrix")
    return ":1: a MatrixMarket file begins with `%%MatrixMarket matrix coordinate real general`";
  const auto refuse = [&](std::string_view word, const char *known) {
    return lines.wrong(quoted(word) + " is not read here; it takes " + known);
  };
  if (lines.words[2] != "coordinate")
    return refuse(lines.words[2], "coordinate (a dense matrix comes as .npy)");
  const bool pattern = lines.words[3] == "pattern";
  if (!pattern && lines.words[3] != "real" && lines.words[3] != "integer")
    return refuse(lines.words[3], "real, integer or pattern");
  const bool symmetric = lines.words[4] == "symmetric";
  if (!symmetric && lines.words[4] != "general")
    return refuse(lines.words[4], "general or symmetric");

  const size_t fields = pattern ? 2 : 3;
  int64_t n = -1, promised = 0, found = 0;
  while (lines.next()) {
    const auto &words = lines.words;
    if (words.empty() || words[0][0] == '%')
      continue;
    std::string problem;
    if (n < 0) {
      int64_t columns;
      if (words.size() != 3 || !parseNumber(words[0], n) || !parseNumber(words[1], columns) ||
          !parseNumber(words[2], promised) || n < 0 || promised < 0)
        problem = "the sizes read `ROWS COLUMNS ENTRIES`";
      else if (n != columns)
        problem = "a graph is square, not " + std::to_string(n) + " x " + std::to_string(columns);
      else
        problem = sink.begin(n);
    } else {
      ++found;
      if (words.size() != fields)
        problem = pattern ? "an entry reads `FROM TO`" : "an entry reads `FROM TO WEIGHT`";
      else
        problem = parseEdge(lines, 0, n, !pattern, symmetric, sink);
    }
    if (!problem.empty())
      return lines.wrong(problem);
  }
  if (n < 0)
    return ": has no line of sizes `ROWS COLUMNS ENTRIES`";
  return found == promised ? "" : countProblem("entries", promised, found);
}

} // namespace stencilc::graph
