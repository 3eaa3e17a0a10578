#include "costmodel/report/ReportFigures.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/Confidence.h"
#include "costmodel/report/ReportFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

constexpr double kWidth = 640; // of both pictures

/// Opens a picture that a screen reader can tell.
void open(raw_ostream &out, double height, StringRef id, StringRef title, StringRef description) {
  out << fmt::format("<svg role=\"img\" viewBox=\"0 0 {0:g} {1:g}\" aria-labelledby=\"{2}-title "
                     "{2}-desc\">\n<title id=\"{2}-title\">{3}</title>\n"
                     "<desc id=\"{2}-desc\">{4}</desc>\n",
                     kWidth, height, id.str(), escaped(title), escaped(description));
}

/// Text whose `anchor` (start, middle, end) stands at a place.
void label(raw_ostream &out, double x, double y, StringRef anchor, StringRef text) {
  out << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                     anchor.str(), escaped(text));
}

void line(raw_ostream &out, StringRef style, double x1, double y1, double x2, double y2) {
  out << fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", style.str(), x1,
                     y1, x2, y2);
}

/// An axis from `least` to `most` on `length` points of the page.
struct LogAxis {
  double least, most, length;

  /// Room on both sides of what is to be shown.
  static LogAxis around(double least, double most, double length) {
    return {least / 2.5, most * 2.5, length};
  }
  double place(double value) const {
    return std::log(value / least) / std::log(most / least) * length;
  }
  /// 1, 2 and 5 times powers of ten.
  std::vector<double> ticks() const {
    std::vector<double> values;
    for (int power = std::floor(std::log10(least)); std::pow(10.0, power) <= most; ++power)
      for (double digit : {1, 2, 5})
        if (const double value = digit * std::pow(10.0, power); value >= least && value <= most)
          values.push_back(value);
    return values;
  }
};

/// A level of memory with traffic, in the picture's quantities.
struct Roof {
  std::string name, style;
  double pointsPerByte, gbPerSecond, limit; ///< limit: GStencil/s
};

std::vector<Roof> roofsOf(const Report &report) {
  std::vector<Roof> roofs;
  for (Bound bound : {Bound::Smx, Bound::L2, Bound::Dram}) {
    const LevelPrediction &level = *levelOf(report.predicted, bound);
    const double seconds = report.predicted[bound];
    if (level.bytes > 0 && level.bandwidth > 0 && seconds > 0)
      roofs.push_back({inWords(bound).str(), spelling(bound).str(),
                       report.counted.points / level.bytes, level.bandwidth / 1e9,
                       report.counted.points / seconds / 1e9});
  }
  return roofs;
}

class Roofline {
public:
  Roofline(raw_ostream &out, const Report &report)
      : out(out), roofs(roofsOf(report)),
        predicted(gstencilsPerSecond(report.counted.points, report.predicted)) {
    double least = predicted, most = predicted, left = 1e300, right = 0;
    for (const Roof &roof : roofs) {
      least = std::min(least, roof.limit);
      most = std::max(most, roof.limit);
      left = std::min(left, roof.pointsPerByte);
      right = std::max(right, roof.pointsPerByte);
    }
    across = LogAxis::around(left, right, kWidth - kLeft - kRight);
    up = LogAxis::around(least, most, kHeight - kTop - kBottom);
  }

  void draw() {
    if (roofs.empty())
      return;
    std::string limits;
    for (const Roof &roof : roofs)
      limits += fmt::format("{} {} GStencil/s, ", roof.name, significant(roof.limit, kTimeDigits));
    open(out, kHeight, "roofline", "Roofline by level of memory",
         fmt::format("Limits: {}predicted {} GStencil/s.", limits,
                     significant(predicted, kTimeDigits)));
    drawAxes();
    for (const auto &[row, roof] : enumerate(roofs))
      drawRoof(roof, row);
    line(out, "predicted", kLeft, y(predicted), kWidth - kRight, y(predicted));
    label(out, kWidth - kRight - 4, y(predicted) + 14, "end",
          fmt::format("predicted {}", significant(predicted, kTimeDigits)));
    out << "</svg>\n";
  }

private:
  static constexpr double kHeight = 430, kLeft = 60, kRight = 20, kTop = 70, kBottom = 45;

  double x(double pointsPerByte) const { return kLeft + across.place(pointsPerByte); }
  double y(double gstencils) const { return kHeight - kBottom - up.place(gstencils); }

  void drawAxes() {
    const double bottom = kHeight - kBottom, right = kWidth - kRight;
    for (double tick : across.ticks()) {
      line(out, "grid", x(tick), kTop, x(tick), bottom);
      label(out, x(tick), bottom + 16, "middle", fmt::format("{:g}", tick));
    }
    for (double tick : up.ticks()) {
      line(out, "grid", kLeft, y(tick), right, y(tick));
      label(out, kLeft - 6, y(tick) + 4, "end", fmt::format("{:g}", tick));
    }
    label(out, (kLeft + right) / 2, kHeight - 8, "middle", "points per byte");
    out << fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" "
                       "text-anchor=\"middle\">GStencil/s</text>\n",
                       (kTop + bottom) / 2);
  }

  /// The slope as far as it is in the frame, the dot, and a line of the legend above the frame.
  void drawRoof(const Roof &roof, size_t row) {
    const double from = std::max(across.least, up.least / roof.gbPerSecond),
                 to = std::min(across.most, up.most / roof.gbPerSecond);
    if (from < to)
      line(out, "slope " + roof.style, x(from), y(from * roof.gbPerSecond), x(to),
           y(to * roof.gbPerSecond));
    out << fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", roof.style,
                       x(roof.pointsPerByte), y(roof.limit));
    const double legend = 16 + 18 * row;
    out << fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", roof.style,
                       kLeft + 14, legend - 4);
    label(out, kLeft + 26, legend, "start",
          fmt::format("{}: {} GB/s, at most {} GStencil/s", roof.name,
                      significant(roof.gbPerSecond, 3), significant(roof.limit, kTimeDigits)));
  }

  raw_ostream &out;
  const std::vector<Roof> roofs;
  const double predicted;
  LogAxis across, up;
};

} // namespace

void drawRoofline(raw_ostream &out, const Report &report) { Roofline(out, report).draw(); }

void drawCandidates(raw_ostream &out, const Report &report) {
  constexpr size_t kMost = 12;
  constexpr double kRow = 22, kNames = 250, kTimes = 80;
  const ArrayRef<Candidate> best = ArrayRef(report.candidates).take_front(kMost);
  if (best.empty())
    return;
  double longest = 0;
  for (const Candidate &candidate : best)
    longest = std::max(longest, candidate.predicted.total);
  open(out, kRow * best.size() + 8, "candidates", "Predicted times of the best candidates",
       fmt::format("{} of {}, fastest first.", best.size(),
                   counted(report.candidates.size(), "candidate")));
  for (const auto &[row, candidate] : enumerate(best)) {
    const double top = 4 + kRow * row;
    const double length = candidate.predicted.total / longest * (kWidth - kNames - kTimes);
    const bool isChosen = candidate.schedule == report.predicted.schedule;
    label(out, kNames - 8, top + 15, "end", toString(candidate.schedule));
    out << fmt::format("<rect class=\"bar{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                       "height=\"{:.1f}\"/>\n",
                       isChosen ? " chosen" : "", kNames, top + 3, length, kRow - 6);
    label(out, kNames + length + 6, top + 15, "start",
          timeText(candidate.predicted.total, kTimeDigits, longest));
  }
  out << "</svg>\n";
}

std::string escaped(StringRef text) {
  std::string html;
  raw_string_ostream out(html);
  printHTMLEscaped(text, out);
  return html;
}

} // namespace stencilc
