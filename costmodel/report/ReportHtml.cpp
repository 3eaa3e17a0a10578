#include "costmodel/report/Report.h"
#include "costmodel/report/ReportFacts.h"
#include "costmodel/report/ReportFigures.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

// One page, nothing loaded from elsewhere, no script.
constexpr StringLiteral kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2330; --page: #ffffff; --soft: #5b6576; --line: #d9dee6;
        --smx: #2f7d4f; --l2: #b3690a; --dram: #2557c7; --bar: #aab4c4; --mark: #eaf0fc; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ef; --page: #14171d; --soft: #9aa4b5; --line: #333b49;
          --smx: #6cc48f; --l2: #eba54a; --dram: #82a8ff; --bar: #56617a; --mark: #222c44; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .6rem 0; }
dt { color: var(--soft); grid-column: 1; } dd { margin: 0; grid-column: 2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, .reasons td, .reasons th { text-align: left; }
th { color: var(--soft); font-weight: normal; }
td { font-variant-numeric: tabular-nums; }
tr.marked { background: var(--mark); font-weight: 600; }
svg { width: 100%; height: auto; margin-top: 1rem; } svg text { fill: var(--ink); font-size: 12px; }
.grid { stroke: var(--line); } .slope { stroke-width: 2; fill: none; }
.smx { stroke: var(--smx); fill: var(--smx); } .l2 { stroke: var(--l2); fill: var(--l2); }
.dram { stroke: var(--dram); fill: var(--dram); }
.predicted { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 6 4; }
.bar { fill: var(--bar); } .chosen { fill: var(--dram); }
)";

void list(raw_ostream &out, ArrayRef<Fact> facts) {
  out << "<dl>\n";
  for (const Fact &fact : facts) {
    if (fact.lines.empty())
      continue;
    out << "<dt>" << escaped(fact.label) << "</dt>\n";
    for (StringRef line : fact.lines)
      out << "<dd>" << escaped(line) << "</dd>\n";
  }
  out << "</dl>\n";
}

void table(raw_ostream &out, const FactTable &table, StringRef style) {
  out << "<div class=\"wide\"><table class=\"" << style << "\">\n<thead><tr>";
  for (StringRef cell : table.header)
    out << "<th scope=\"col\">" << escaped(cell) << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const auto &[index, row] : enumerate(table.rows)) {
    out << (table.marked == index ? "<tr class=\"marked\">" : "<tr>");
    for (StringRef cell : row)
      out << "<td>" << escaped(cell) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
}

void heading(raw_ostream &out, StringRef text) { out << "<h2>" << text << "</h2>\n"; }

} // namespace

void printReportHtml(raw_ostream &out, const Report &report) {
  const ReportFacts facts = factsOf(report);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << "<title>" << escaped(report.stencil.name) << " on " << escaped(report.device.name)
      << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<main>\n";
  out << "<h1>" << escaped(facts.headline) << "</h1>\n";
  list(out, facts.facts);
  heading(out, "Where the time goes");
  table(out, facts.resources, "resources");
  if (!facts.launches.rows.empty())
    table(out, facts.launches, "launches");
  list(out, {facts.bottleneck, facts.advice, facts.cautions});
  drawRoofline(out, report);
  if (!facts.paper.empty()) {
    heading(out, "[su2015] Table 2, in elements");
    list(out, facts.paper);
  }
  if (!facts.measured.rows.empty()) {
    heading(out, "Measured on " + escaped(report.measured->gpu));
    table(out, facts.measured, "measured");
  }
  if (!facts.candidates.rows.empty()) {
    heading(out, "Next best");
    table(out, facts.candidates, "next");
    drawCandidates(out, report);
  }
  if (!facts.rejected.rows.empty()) {
    heading(out, "Rejected");
    table(out, facts.rejected, "reasons");
  }
  out << "</main>\n</body>\n</html>\n";
}

} // namespace stencilc
