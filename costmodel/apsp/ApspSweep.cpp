#include "costmodel/apsp/ApspSweep.h"

#include "costmodel/Quantity.h"

#include "fmt/format.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

std::vector<ApspPoint> pointsOf(const ApspStudy &study, const SweepRange &range) {
  std::vector<ApspPoint> points;
  for (int64_t n = range.first; n <= range.last; n += range.step)
    points.push_back(study.at(n));
  return points;
}

std::string optionalNumber(const std::optional<double> &number) {
  return number ? fmt::format("{}", *number) : "";
}

/// One line of a drawing; points without a value leave a gap.
struct Curve {
  std::string name, colour;
  std::vector<std::optional<double>> values;
  bool dots = false;
};

std::vector<Curve> curvesOf(const std::vector<ApspPoint> &points) {
  static constexpr const char *colours[] = {"#2a9d8f", "#457b9d", "#e9a23b", "#c1443c"};
  std::vector<Curve> curves;
  const auto add = [&](std::string name, std::string colour, bool dots, auto valueOf) {
    Curve curve{std::move(name), std::move(colour), {}, dots};
    for (const ApspPoint &point : points)
      curve.values.push_back(valueOf(point));
    if (any_of(curve.values, [](const auto &value) { return value.has_value(); }))
      curves.push_back(std::move(curve));
  };
  for (Mapping mapping : kMappings)
    add(spelling(mapping).str(), colours[size_t(mapping)], false,
        [&](const ApspPoint &point) -> std::optional<double> {
          if (!point.predicted.interval)
            return std::nullopt;
          return (*point.predicted.interval)[mapping];
        });
  // Seconds do not go on an axis of symbolic units.
  if (points.front().predicted.interval && !points.front().predicted.inSeconds)
    return curves;
  add("forecast", "#222222", false, [](const ApspPoint &p) { return p.predicted.forecast; });
  add("measured", "#222222", true, [](const ApspPoint &p) { return p.measured; });
  return curves;
}

/// The plot area within the drawing, and the values at its edges.
struct Frame {
  double left = 90, top = 40, width = 620, height = 340;
  double firstN, lastN, largest;

  double x(double n) const {
    return left + (lastN > firstN ? (n - firstN) / (lastN - firstN) : 0.5) * width;
  }
  double y(double value) const { return top + (1 - value / largest) * height; }
};

/// 1, 2 or 5 times a power of ten, so that about five of them make `span`.
double tickStep(double span) {
  const double raw = span / 5, power = std::pow(10, std::floor(std::log10(raw)));
  for (double digit : {1, 2, 5})
    if (raw <= digit * power)
      return digit * power;
  return 10 * power;
}

void drawAxes(raw_ostream &out, const Frame &frame, bool inSeconds) {
  const double bottom = frame.top + frame.height, right = frame.left + frame.width;
  for (double step = tickStep(frame.largest), value = 0; value <= frame.largest; value += step)
    out << fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>"
                       "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       frame.left, frame.y(value), right, frame.left - 8, frame.y(value) + 4,
                       inSeconds ? timeText(value) : fmt::format("{:.3g}", value));
  const double step = std::max(1.0, tickStep(std::max(1.0, frame.lastN - frame.firstN)));
  for (double n = std::ceil(frame.firstN / step) * step; n <= frame.lastN; n += step)
    out << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.0f}</text>\n",
                       frame.x(n), bottom + 18, n);
  out << fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" "
                     "stroke=\"#222\"/>\n<text x=\"{4:.1f}\" y=\"{5:.1f}\" "
                     "text-anchor=\"middle\">nodes n</text>\n",
                     frame.left, frame.top, bottom, right, frame.left + frame.width / 2,
                     bottom + 38);
}

void drawCurve(raw_ostream &out, const Frame &frame, const Curve &curve,
               const std::vector<ApspPoint> &points) {
  if (curve.dots) {
    for (size_t i = 0; i < points.size(); ++i)
      if (curve.values[i])
        out << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n",
                           frame.x(points[i].nodes), frame.y(*curve.values[i]), curve.colour);
    return;
  }
  out << "<path fill=\"none\" stroke-width=\"1.5\" stroke=\"" << curve.colour << "\" d=\"";
  for (size_t i = 0; i < points.size(); ++i)
    out << fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", frame.x(points[i].nodes),
                       frame.y(*curve.values[i]));
  out << "\"/>\n";
}

} // namespace

void printSweepCsv(raw_ostream &out, const ApspStudy &study, const SweepRange &range) {
  out << "algorithm,block,n,grid_width,launches,warps_min,warps_sorted,warps_full,warps_buckets,"
         "unit,min,sorted,full,buckets,forecast_s,measured_s\n";
  for (const ApspPoint &point : pointsOf(study, range)) {
    out << fmt::format("{},{},{},{},{}", spelling(study.kernel.algorithm).str(),
                       study.kernel.blockWidth, point.nodes, point.counted.width,
                       point.counted.launches);
    const std::optional<ApspInterval> &interval = point.predicted.interval;
    for (Mapping mapping : kMappings)
      out << "," << (interval ? fmt::format("{}", point.counted.warpsPerSm[size_t(mapping)]) : "");
    out << "," << (!interval ? "" : point.predicted.inSeconds ? "s" : "symbolic");
    for (Mapping mapping : kMappings)
      out << "," << (interval ? fmt::format("{}", (*interval)[mapping]) : "");
    out << "," << optionalNumber(point.predicted.forecast) << "," << optionalNumber(point.measured)
        << "\n";
  }
}

void printSweepSvg(raw_ostream &out, const ApspStudy &study, const SweepRange &range) {
  const std::vector<ApspPoint> points = pointsOf(study, range);
  const std::vector<Curve> curves = curvesOf(points);
  Frame frame;
  frame.firstN = points.front().nodes;
  frame.lastN = points.back().nodes;
  frame.largest = 0;
  for (const Curve &curve : curves)
    for (const std::optional<double> &value : curve.values)
      frame.largest = std::max(frame.largest, value.value_or(0));
  if (frame.largest == 0)
    frame.largest = 1;

  const bool inSeconds = !points.front().predicted.interval || points.front().predicted.inSeconds;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 440\" "
         "font-family=\"sans-serif\" font-size=\"12\">\n"
         "<rect width=\"820\" height=\"440\" fill=\"#fff\"/>\n";
  out << fmt::format("<text x=\"{:.1f}\" y=\"22\" font-size=\"14\">{} on {}, {}</text>\n",
                     frame.left, spelling(study.kernel), study.device.name,
                     inSeconds ? "seconds" : "symbolic units");
  drawAxes(out, frame, inSeconds);
  double row = frame.top + 12;
  for (const Curve &curve : curves) {
    drawCurve(out, frame, curve, points);
    out << fmt::format("<rect x=\"724\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>"
                       "<text x=\"740\" y=\"{:.1f}\">{}</text>\n",
                       row - 9, curve.colour, row, curve.name);
    row += 18;
  }
  out << "</svg>\n";
}

} // namespace stencilc
