#include "frontend/driver/Sweep.h"

#include "ir/stencil/SourceError.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace stencilc {

namespace {

/// A point of the range: what is forced, and for what.
struct Point {
  CommandLine line;
  Situation situation;
};

std::vector<const Variant *> sweptVariants(const ScheduleOptions &forced) {
  std::vector<const Variant *> swept;
  for (const Variant &variant : variants())
    if (variant.candidates && variant.name == forced.variant.value_or(variant.name.str()))
      swept.push_back(&variant);
  return swept;
}

std::vector<std::array<int, 3>> sweptBlocks(const Stencil &stencil, const ScheduleOptions &forced) {
  std::vector<std::array<int, 3>> blocks;
  for (const Variant *variant : sweptVariants(forced))
    for (const Schedule &candidate : variant->candidates(stencil))
      if (!errorToBool(variant->checkLegal(stencil, candidate)) &&
          !is_contained(blocks, candidate.block))
        blocks.push_back(candidate.block);
  return blocks;
}

/// Puts `size` along the axes that --size does not name.
void resize(Point &point, const Stencil &stencil, int64_t size) {
  for (auto [axis, extent] : zip_equal(stencil.axes, point.situation.extents))
    if (none_of(point.line.sizes, [&](const auto &named) { return named.first == axis; }))
      extent = size;
}

/// Of one buffer for each level of each array.
double bytesOfArrays(const Stencil &stencil, ArrayRef<int64_t> extents) {
  double bytes = 0;
  for (const SignatureArray &array : signatureOf(stencil).arrays) {
    double points = 1;
    for (unsigned axis : array.axes)
      points *= extents[axis];
    bytes += points * sizeInBytes(array.type) * (1 + array.hasPrevious + array.hasNext);
  }
  return bytes;
}

std::vector<int64_t> sweptSizes(const Stencil &stencil, Point point) {
  if (!point.line.sweep.sizes.empty())
    return point.line.sweep.sizes;
  constexpr int64_t kLargest = int64_t(1) << 36;
  std::vector<int64_t> sizes;
  for (int64_t power = 32; power <= kLargest; power *= 2)
    for (int64_t size : {power, power + power / 2}) {
      resize(point, stencil, size);
      if (bytesOfArrays(stencil, point.situation.extents) > point.situation.device.memoryBytes)
        return sizes;
      sizes.push_back(size);
    }
  return sizes;
}

/// The point with every value of the part in turn.
std::vector<Point> spread(const Stencil &stencil, const Point &from, SweepPart part) {
  std::vector<Point> points;
  switch (part) {
  case SweepPart::Variant:
    for (const Variant *variant : sweptVariants(from.line.schedule))
      points.emplace_back(from).line.schedule.variant = variant->name.str();
    break;
  case SweepPart::Block:
    for (ArrayRef<int> block : sweptBlocks(stencil, from.line.schedule))
      points.emplace_back(from).line.schedule.block = block.take_front(stencil.rank()).vec();
    break;
  case SweepPart::Chunk:
    for (int chunk = 1; chunk <= 256; chunk *= 2)
      points.emplace_back(from).line.schedule.chunk = chunk;
    break;
  case SweepPart::Size:
    for (int64_t size : sweptSizes(stencil, from))
      resize(points.emplace_back(from), stencil, size);
    break;
  case SweepPart::Gpu:
    for (const ShippedFile &file : shippedFiles())
      if (StringRef name = file.name; name.consume_back(".yaml"))
        points.emplace_back(from).situation.device = cantFail(loadDeviceProfile(name));
    break;
  }
  return points;
}

/// Where --schedule forces the whole, the parts of the sweep take their places in it.
Error mergeIntoText(ScheduleOptions &options, unsigned rank) {
  if (!options.text || (!options.variant && options.block.empty() && !options.chunk))
    return Error::success();
  Expected<Schedule> whole = parseSchedule(*options.text, rank);
  if (!whole)
    return make_error<UsageError>("--schedule: " + toString(whole.takeError()));
  whole->variant = options.variant.value_or(whole->variant);
  copy(options.block, whole->block.begin());
  whole->chunk = options.chunk.value_or(whole->chunk);
  whole->residency = 0;
  options.text = toString(*whole, rank);
  return Error::success();
}

/// The schedule as far as it is forced: "*/32x8x1/c16".
std::string forcedText(const ScheduleOptions &options) {
  if (options.text)
    return *options.text;
  std::string text = options.variant.value_or("*");
  if (!options.block.empty())
    text += fmt::format("/{}", fmt::join(options.block, "x"));
  if (options.chunk)
    text += fmt::format("/c{}", *options.chunk);
  return text;
}

struct Row {
  std::string gpu, schedule;
  std::vector<int64_t> extents;
  std::string reason = ""; ///< why nothing is predicted
  uint64_t points = 0;
  std::optional<Prediction> predicted = {};
};

/// Fails where no point of the range could be predicted.
Expected<Row> rowOf(const Stencil &stencil, Point point) {
  if (Error error = mergeIntoText(point.line.schedule, stencil.rank()))
    return error;
  Row row{.gpu = point.situation.device.name,
          .schedule = forcedText(point.line.schedule),
          .extents = point.situation.extents};
  Expected<Choice> choice = choose(stencil, point.line, point.situation);
  if (!choice) {
    if (choice.errorIsA<UsageError>() || choice.errorIsA<SourceError>() ||
        choice.errorIsA<VerifierFailure>())
      return choice.takeError();
    row.reason = toString(choice.takeError());
    return row;
  }
  row.schedule = choice->program->schedule;
  row.reason = choice->unpredicted;
  if (choice->forecast) {
    row.points = choice->forecast->counted.points;
    row.predicted = choice->forecast->predicted;
  }
  return row;
}

double milliseconds(double seconds) { return seconds * 1e3; }

constexpr std::array<Bound, kBounds> kEveryBound = {
    Bound::Dram,  Bound::L2,      Bound::Smx,     Bound::Shared,   Bound::Issue,
    Bound::Flops, Bound::Latency, Bound::Barrier, Bound::Dispatch, Bound::Launch};

double gstencilsPerSecond(const Row &row) { return row.points / row.predicted->total * 1e-9; }

std::string quoted(StringRef text) {
  return text.empty() ? "" : '"' + join(split(text, '"'), "\"\"") + '"';
}

void printCsv(raw_ostream &out, const Stencil &stencil, ArrayRef<Row> rows) {
  out << "gpu";
  for (const std::string &axis : stencil.axes)
    out << ",n" << axis;
  out << ",schedule,model,points,smx_bytes,l2_bytes,dram_bytes";
  for (Bound bound : kEveryBound)
    out << "," << spelling(bound) << "_ms";
  out << ",predicted_ms,gstencils_per_s,bottleneck,reason\n";
  for (const Row &row : rows) {
    out << fmt::format("{},{},{}", row.gpu, fmt::join(row.extents, ","), row.schedule);
    if (row.predicted) {
      const Prediction &predicted = *row.predicted;
      out << fmt::format(",{},{},{:.0f},{:.0f},{:.0f}", predicted.model, row.points,
                         predicted.bytes.smx, predicted.bytes.l2, predicted.bytes.dram);
      for (Bound bound : kEveryBound)
        out << fmt::format(",{:.6g}", milliseconds(predicted[bound]));
      out << fmt::format(",{:.6g},{:.6g},{}", milliseconds(predicted.total),
                         gstencilsPerSecond(row), spelling(predicted.bottleneck).str());
    } else {
      out << std::string(5 + kBounds + 3, ',');
    }
    out << "," << quoted(row.reason) << "\n";
  }
}

void printJson(raw_ostream &out, const Stencil &stencil, ArrayRef<Row> rows) {
  json::OStream json(out, /*IndentSize=*/2);
  const auto printPrediction = [&](const Row &row) {
    const Prediction &predicted = *row.predicted;
    json.attribute("model", predicted.model);
    json.attribute("points", row.points);
    json.attributeObject("volumes", [&] {
      json.attribute("smx_bytes", predicted.bytes.smx);
      json.attribute("l2_bytes", predicted.bytes.l2);
      json.attribute("dram_bytes", predicted.bytes.dram);
    });
    json.attributeObject("times_ms", [&] {
      for (Bound bound : kEveryBound)
        json.attribute(spelling(bound), milliseconds(predicted[bound]));
    });
    json.attribute("predicted_ms", milliseconds(predicted.total));
    json.attribute("gstencils_per_s", gstencilsPerSecond(row));
    json.attribute("bottleneck", spelling(predicted.bottleneck));
  };
  json.array([&] {
    for (const Row &row : rows)
      json.object([&] {
        json.attribute("gpu", row.gpu);
        json.attributeObject("size", [&] {
          for (const auto &[axis, extent] : zip_equal(stencil.axes, row.extents))
            json.attribute(axis, extent);
        });
        json.attribute("schedule", row.schedule);
        if (row.predicted)
          printPrediction(row);
        else
          json.attribute("reason", row.reason);
      });
  });
  out << "\n";
}

} // namespace

Error printSweep(raw_ostream &out, const Stencil &stencil, const CommandLine &line,
                 const Situation &situation) {
  if (is_contained(line.sweep.parts, SweepPart::Size) && line.sizes.size() >= stencil.rank())
    return make_error<UsageError>("--sweep=size has no axis left: --size names them all");
  std::vector<Point> points = {{line, situation}};
  for (SweepPart part : line.sweep.parts) {
    std::vector<Point> all;
    for (const Point &point : points)
      append_range(all, spread(stencil, point, part));
    points = std::move(all);
  }
  std::vector<Row> rows;
  for (Point &point : points) {
    Expected<Row> row = rowOf(stencil, std::move(point));
    if (!row)
      return row.takeError();
    rows.push_back(std::move(*row));
  }
  line.explain == ReportForm::Json ? printJson(out, stencil, rows) : printCsv(out, stencil, rows);
  return Error::success();
}

} // namespace stencilc
