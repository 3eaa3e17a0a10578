#include "frontend/driver/SweepTable.h"

#include "frontend/driver/ChoiceOptions.h"
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
  Constraints constraints;
  Situation situation;
};

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

/// Spreads points over the values of a part.
class SweepRange {
public:
  SweepRange(const Stencil &stencil, const CommandLine &line) : stencil(stencil), line(line) {
    if (is_contained(line.sweep.parts, SweepPart::Gpu))
      for (const ShippedFile &file : shippedFiles())
        if (StringRef name = file.name; name.consume_back(".yaml"))
          devices.push_back(cantFail(loadDeviceProfile(name)));
  }

  /// The point with every value of the part in turn; points into this.
  std::vector<Point> spread(const Point &from, SweepPart part) const {
    std::vector<Point> points;
    switch (part) {
    case SweepPart::Variant:
      for (const Variant *variant : variantsOf(from.constraints))
        points.emplace_back(from).constraints.variant = variant;
      break;
    case SweepPart::Block:
      for (ArrayRef<int> block : blocksOf(from.constraints))
        points.emplace_back(from).constraints.block = block.take_front(stencil.rank()).vec();
      break;
    case SweepPart::Chunk:
      for (int chunk = 1; chunk <= 256; chunk *= 2)
        points.emplace_back(from).constraints.chunk = chunk;
      break;
    case SweepPart::Size:
      for (int64_t size : sizesOf(from.situation))
        resize(points.emplace_back(from).situation, size);
      break;
    case SweepPart::Gpu:
      for (const DeviceProfile &device : devices)
        points.emplace_back(from).situation.device = &device;
      break;
    }
    return points;
  }

private:
  std::vector<const Variant *> variantsOf(const Constraints &forced) const {
    std::vector<const Variant *> all;
    for (const Variant &variant : variants())
      if (variant.candidates && (!forced.variant || forced.variant == &variant))
        all.push_back(&variant);
    return all;
  }

  std::vector<std::array<int, 3>> blocksOf(const Constraints &forced) const {
    std::vector<std::array<int, 3>> blocks;
    for (const Variant *variant : variantsOf(forced))
      for (const Schedule &candidate : variant->candidates(stencil))
        if (!errorToBool(variant->checkLegal(stencil, candidate)) &&
            !is_contained(blocks, candidate.block))
          blocks.push_back(candidate.block);
    return blocks;
  }

  std::vector<int64_t> sizesOf(Situation situation) const {
    if (!line.sweep.sizes.empty())
      return line.sweep.sizes;
    constexpr int64_t kLargest = int64_t(1) << 36;
    std::vector<int64_t> sizes;
    for (int64_t power = 32; power <= kLargest; power *= 2)
      for (int64_t size : {power, power + power / 2}) {
        resize(situation, size);
        if (bytesOfArrays(stencil, situation.extents) > situation.device->memoryBytes)
          return sizes;
        sizes.push_back(size);
      }
    return sizes;
  }

  /// Puts `size` along the axes that --size does not name.
  void resize(Situation &situation, int64_t size) const {
    for (auto [axis, extent] : zip_equal(stencil.axes, situation.extents))
      if (none_of(line.sizes, [&](const auto &named) { return named.first == axis; }))
        extent = size;
  }

  const Stencil &stencil;
  const CommandLine &line;
  std::vector<DeviceProfile> devices; ///< all that ship, where they are swept
};

/// Where the whole schedule is forced, the parts of the sweep take their places in it.
void mergeIntoWhole(Constraints &constraints) {
  if (!constraints.whole ||
      (!constraints.variant && constraints.block.empty() && !constraints.chunk))
    return;
  Schedule &whole = *constraints.whole;
  if (constraints.variant)
    whole.variant = constraints.variant->name;
  copy(constraints.block, whole.block.begin());
  whole.chunk = constraints.chunk.value_or(whole.chunk);
  whole.residency = 0;
}

/// The schedule as far as it is forced: "*/32x8x1/c16".
std::string forcedText(const Constraints &constraints) {
  if (constraints.whole)
    return toString(*constraints.whole);
  std::string text = constraints.variant ? constraints.variant->name.str() : "*";
  if (!constraints.block.empty())
    text += fmt::format("/{}", fmt::join(constraints.block, "x"));
  if (constraints.chunk)
    text += fmt::format("/c{}", *constraints.chunk);
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
  mergeIntoWhole(point.constraints);
  Row row{.gpu = point.situation.device->name,
          .schedule = forcedText(point.constraints),
          .extents = point.situation.extents};
  Expected<Choice> choice = choose(stencil, point.constraints, point.situation);
  if (!choice) {
    if (choice.errorIsA<SourceError>() || choice.errorIsA<VerifierFailure>())
      return choice.takeError();
    row.reason = toString(choice.takeError());
    return row;
  }
  row.schedule = toString(choice->program->schedule);
  row.reason = choice->unpredicted;
  if (choice->forecast) {
    row.points = choice->forecast->counted.points;
    row.predicted = choice->forecast->predicted;
  }
  return row;
}

double milliseconds(double seconds) { return seconds * 1e3; }

std::string quotedForCsv(StringRef text) {
  return text.empty() ? "" : '"' + join(split(text, '"'), "\"\"") + '"';
}

void printCsv(raw_ostream &out, const Stencil &stencil, ArrayRef<Row> rows) {
  out << "gpu";
  for (const std::string &axis : stencil.axes)
    out << ",n" << axis;
  out << ",schedule,model,points,smx_bytes,l2_bytes,dram_bytes";
  for (const BoundName &bound : kBoundNames)
    out << "," << bound.key << "_ms";
  out << ",predicted_ms,gstencils_per_s,bottleneck,reason\n";
  for (const Row &row : rows) {
    out << fmt::format("{},{},{}", row.gpu, fmt::join(row.extents, ","), row.schedule);
    if (row.predicted) {
      const Prediction &predicted = *row.predicted;
      out << fmt::format(",{},{},{:.0f},{:.0f},{:.0f}", predicted.model, row.points,
                         predicted.bytes.smx, predicted.bytes.l2, predicted.bytes.dram);
      for (double seconds : predicted.seconds)
        out << fmt::format(",{:.6g}", milliseconds(seconds));
      out << fmt::format(",{:.6g},{:.6g},{}", milliseconds(predicted.total),
                         gstencilsPerSecond(row.points, predicted),
                         spelling(predicted.bottleneck).str());
    } else {
      out << std::string(5 + kBounds + 3, ',');
    }
    out << "," << quotedForCsv(row.reason) << "\n";
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
      for (const BoundName &name : kBoundNames)
        json.attribute(name.key, milliseconds(predicted[name.bound]));
    });
    json.attribute("predicted_ms", milliseconds(predicted.total));
    json.attribute("gstencils_per_s", gstencilsPerSecond(row.points, predicted));
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
                 const Constraints &constraints, const Situation &situation) {
  if (is_contained(line.sweep.parts, SweepPart::Size) && line.sizes.size() >= stencil.rank())
    return make_error<UsageError>("--sweep=size has no axis left: --size names them all");
  const SweepRange range(stencil, line);
  std::vector<Point> points = {{constraints, situation}};
  for (SweepPart part : line.sweep.parts) {
    std::vector<Point> all;
    for (const Point &point : points)
      append_range(all, range.spread(point, part));
    points = std::move(all);
  }
  for (const Point &point : points)
    if (Error error = checkPointCount(point.situation.extents))
      return error;
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
