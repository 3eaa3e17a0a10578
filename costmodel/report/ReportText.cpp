#include "costmodel/report/Report.h"
#include "costmodel/report/ReportFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

constexpr size_t kLabel = 12, kWidth = 100;

/// Words in lines of at most kWidth columns, all but the first moved in.
void printWrapped(raw_ostream &out, StringRef text, size_t column, size_t indent) {
  SmallVector<StringRef> words;
  text.split(words, ' ');
  bool isFirst = true;
  for (StringRef word : words) {
    if (!isFirst && column + 1 + word.size() > kWidth) {
      out << "\n" << std::string(indent, ' ') << word;
      column = indent + word.size();
    } else {
      out << (isFirst ? "" : " ") << word;
      column += word.size() + !isFirst;
    }
    isFirst = false;
  }
  out << "\n";
}

void print(raw_ostream &out, const Fact &fact) {
  std::string label = fact.label;
  for (StringRef line : fact.lines) {
    out << fmt::format("{:<{}}", label, kLabel);
    printWrapped(out, line, kLabel, kLabel + 2);
    label.clear();
  }
}

/// Words to the left, numbers to the right, two blanks between columns; `*` before the marked row.
void print(raw_ostream &out, const FactTable &table) {
  std::vector<size_t> widths;
  for (size_t column = 0; column < table.header.size(); ++column) {
    widths.push_back(table.header[column].size());
    for (const auto &row : table.rows)
      widths.back() = std::max(widths.back(), row[column].size());
  }
  const auto printRow = [&](const std::vector<std::string> &row, char mark) {
    std::string line = fmt::format("{} {:<{}}", mark, row[0], widths[0]);
    for (size_t column = 1; column < row.size(); ++column)
      line += fmt::format("  {:>{}}", row[column], widths[column]);
    out << StringRef(line).rtrim() << "\n";
  };
  printRow(table.header, ' ');
  for (const auto &[index, row] : enumerate(table.rows))
    printRow(row, table.marked == index ? '*' : ' ');
}

/// The last column is a sentence.
void printReasons(raw_ostream &out, const FactTable &table) {
  for (const auto &row : table.rows) {
    const std::string head = fmt::format("  {}: ", row[0]);
    out << head;
    printWrapped(out, row[1], head.size(), 4);
  }
}

} // namespace

void printReportText(raw_ostream &out, const Report &report) {
  const ReportFacts facts = factsOf(report);
  out << facts.headline << "\n\n";
  for (const Fact &fact : facts.facts)
    print(out, fact);
  out << "\n";
  print(out, facts.resources);
  out << "\n";
  if (!facts.launches.rows.empty()) {
    print(out, facts.launches);
    out << "\n";
  }
  print(out, facts.bottleneck);
  print(out, facts.advice);
  print(out, facts.cautions);
  if (!facts.paper.empty()) {
    out << "\n[su2015] Table 2, in elements\n";
    for (const Fact &fact : facts.paper)
      print(out, Fact{"  " + fact.label, fact.lines});
  }
  if (!facts.measured.rows.empty()) {
    out << "\nmeasured on " << report.measured->gpu << "\n";
    print(out, facts.measured);
  }
  if (!facts.candidates.rows.empty()) {
    out << "\nnext best\n";
    print(out, facts.candidates);
  }
  if (!facts.rejected.rows.empty()) {
    out << "\nrejected\n";
    printReasons(out, facts.rejected);
  }
}

} // namespace stencilc
