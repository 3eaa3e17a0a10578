#include "costmodel/apsp/ApspReport.h"

#include "costmodel/Quantity.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace stencilc {

namespace {

std::string time(double value, bool inSeconds) {
  return inSeconds ? timeText(value) : fmt::format("{:.0f} units", value);
}

/// "one more launch (6 -> 7)", "one more wave of blocks (100 -> 121 blocks)", or both. Where the
/// grid grows and no mapping deals a further round, it is only a row and a column.
std::string causes(const ApspStudy &study, const ApspJump &jump) {
  const ApspCounts before = study.at(jump.from).counted, after = study.at(jump.from + 1).counted;
  std::string text;
  if (jump.launch)
    text = fmt::format("one more launch ({} -> {})", before.launches, after.launches);
  if (jump.blocks) {
    const bool wave = any_of(ArrayRef(kMappings).drop_front(2), [&](Mapping mapping) {
      return after.warpsPerSm[size_t(mapping)] > before.warpsPerSm[size_t(mapping)];
    });
    text += fmt::format("{}one more {} of blocks ({} -> {} blocks)", text.empty() ? "" : " and ",
                        wave ? "wave" : "row and column", before.width * before.width,
                        after.width * after.width);
  }
  return text;
}

void printStudy(raw_ostream &out, const ApspStudy &study, int64_t nodes) {
  const ApspPoint point = study.at(nodes);
  out << fmt::format("\n{}: {} x {} blocks, {} launches\n", spelling(study.kernel),
                     point.counted.width, point.counted.width, point.counted.launches);
  const ApspInterval &interval = *point.predicted.interval;
  const bool inSeconds = point.predicted.inSeconds;
  const std::optional<ApspJump> jump = study.jumpFrom(nodes);
  out << fmt::format("  {:<10}{:>14}{:>22}{}\n", "mapping", "warps per SM", "predicted",
                     jump ? fmt::format("{:>13}", "next jump") : "");
  for (Mapping mapping : kMappings) {
    out << fmt::format("  {:<10}{:>14}{:>22}", spelling(mapping).str(),
                       point.counted.warpsPerSm[size_t(mapping)],
                       time(interval[mapping], inSeconds));
    if (jump)
      out << fmt::format("{:>+11.0f} %", 100 * jump->heights[size_t(mapping)]);
    out << "\n";
  }
  if (point.predicted.forecast) {
    out << fmt::format("  {:<10}{:>14}{:>22}", "forecast", "", timeText(*point.predicted.forecast));
    if (const auto height = jump ? study.forecastHeight(jump->from) : std::nullopt)
      out << fmt::format("{:>+11.0f} %", 100 * *height);
    out << "\n";
  }
  if (point.measured)
    out << fmt::format("  {:<10}{:>14}{:>22}\n", "measured", "", timeText(*point.measured));
  out << fmt::format("  interval {} .. {}, its upper end {:.3g} times the lower\n",
                     time(interval.lower(), inSeconds), time(interval.upper(), inSeconds),
                     interval.width());
  if (jump)
    out << fmt::format("  next jump from n = {} to {}: {}\n", jump->from, jump->from + 1,
                       causes(study, *jump));
  else
    out << fmt::format("  no jump of {:.0f} % or more before n = {}\n", 100 * kJumpHeight,
                       2 * nodes);
}

/// The kernels that could be chosen, fastest first.
std::vector<std::pair<double, const ApspForecast *>> candidates(const ApspReport &report) {
  std::vector<std::pair<double, const ApspForecast *>> list;
  for (const ApspForecast &forecast : report.forecasts.fitted)
    if (serves(forecast.kernel, report.weight, report.paths))
      list.emplace_back(forecast.seconds(report.nodes, report.mode), &forecast);
  stable_sort(list, [](const auto &a, const auto &b) { return a.first < b.first; });
  return list;
}

} // namespace

void printText(raw_ostream &out, const ApspReport &report) {
  out << fmt::format("all-pairs shortest paths of {} nodes on {}\n", report.nodes,
                     report.device.name);
  for (const ApspStudy &study : report.studies)
    printStudy(out, study, report.nodes);

  out << fmt::format("\nchoice for {} {} paths\n", report.weight,
                     report.paths ? "with" : "without");
  const auto list = candidates(report);
  for (auto [seconds, forecast] : list)
    out << fmt::format("  {:<40}{:>12}{}\n", spelling(forecast->kernel), timeText(seconds),
                       forecast == list.front().second ? "   <- chosen" : "");
  if (list.empty())
    out << "  none has been measured on this device: `blocked` is taken without a forecast\n";
  for (const std::string &refusal : report.forecasts.refusals)
    out << "  not in the choice: " << refusal << "\n";
}

void printJson(raw_ostream &out, const ApspReport &report) {
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("device", report.device.name);
    json.attribute("nodes", report.nodes);
    json.attributeArray("kernels", [&] {
      for (const ApspStudy &study : report.studies)
        json.object([&] {
          const ApspPoint point = study.at(report.nodes);
          json.attribute("kernel", spelling(study.kernel));
          json.attributeObject("counted", [&] {
            json.attribute("grid_width", point.counted.width);
            json.attribute("launches", point.counted.launches);
            json.attributeObject("warps_per_sm", [&] {
              for (Mapping mapping : kMappings)
                json.attribute(spelling(mapping), point.counted.warpsPerSm[size_t(mapping)]);
            });
          });
          json.attributeObject("predicted", [&] {
            json.attribute("unit", point.predicted.inSeconds ? "s" : "symbolic");
            for (Mapping mapping : kMappings)
              json.attribute(spelling(mapping), (*point.predicted.interval)[mapping]);
            json.attribute("lower", point.predicted.interval->lower());
            json.attribute("upper", point.predicted.interval->upper());
            if (point.predicted.forecast)
              json.attribute("forecast_s", *point.predicted.forecast);
          });
          if (point.measured)
            json.attributeObject("measured", [&] { json.attribute("s", *point.measured); });
          if (const auto jump = study.jumpFrom(report.nodes))
            json.attributeObject("next_jump", [&] {
              json.attribute("from", jump->from);
              json.attribute("because", causes(study, *jump));
              for (Mapping mapping : kMappings)
                json.attribute(spelling(mapping), jump->heights[size_t(mapping)]);
              if (const auto height = study.forecastHeight(jump->from))
                json.attribute("forecast", *height);
            });
        });
    });
    json.attributeArray("choice", [&] {
      for (auto [seconds, forecast] : candidates(report))
        json.object([&, seconds = seconds, forecast = forecast] {
          json.attribute("kernel", spelling(forecast->kernel));
          json.attribute("predicted_s", seconds);
        });
    });
    json.attributeArray("refused", [&] {
      for (const std::string &refusal : report.forecasts.refusals)
        json.value(refusal);
    });
  });
  out << "\n";
}

} // namespace stencilc
