#include "costmodel/apsp/ApspRuns.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace stencilc {

std::string spelling(const ApspKernel &kernel) {
  const bool blocked = kernel.algorithm == ApspAlgorithm::Blocked;
  return fmt::format("{}/{}{} {} {} paths", spelling(kernel.algorithm).str(), kernel.blockWidth,
                     blocked ? fmt::format("x{}", kernel.tile) : "", kernel.weight,
                     kernel.paths ? "with" : "without");
}

namespace {

/// Reads one row after the other; what is wrong is a text that follows `file:line:`.
class RowReader {
public:
  std::string readHeader(StringRef line) {
    SmallVector<StringRef> names;
    line.split(names, ',');
    for (size_t i = 0; i < names.size(); ++i)
      columns[names[i].trim()] = i;
    for (const char *name : {"algorithm", "block", "n", "seconds"})
      if (!columns.contains(name))
        return fmt::format("there is no column `{}`", name);
    return "";
  }

  std::string readRow(StringRef line, ApspRun &run) {
    fields.clear();
    line.split(fields, ',');
    if (fields.size() != columns.size())
      return fmt::format("has {} fields where the first line names {}", fields.size(),
                         columns.size());
    const StringRef name = field("algorithm");
    const auto algorithm = parseApspAlgorithm(name);
    if (!algorithm)
      return "`" + name.str() + "` is no algorithm; known are min-plus, floyd-warshall, blocked";
    run.kernel.algorithm = *algorithm;
    const bool blocked = *algorithm == ApspAlgorithm::Blocked;
    if (field("block").getAsInteger(10, run.kernel.blockWidth) || run.kernel.blockWidth < 1 ||
        (!blocked && !is_contained(kProfiledBlockWidths, run.kernel.blockWidth)))
      return "`" + field("block").str() + "` is no block width" + (blocked ? "" : " of 8, 16, 32");
    run.kernel.tile = run.kernel.blockWidth;
    if (blocked &&
        (field("tile", field("block")).getAsInteger(10, run.kernel.tile) || run.kernel.tile < 1))
      return "`" + field("tile").str() + "` is no width of a tile";
    if (field("n").getAsInteger(10, run.nodes) || run.nodes < 1)
      return "`" + field("n").str() + "` is no number of nodes";
    // Written so that a NaN is refused as well.
    if (field("seconds").getAsDouble(run.seconds) || !(run.seconds > 0))
      return "`" + field("seconds").str() + "` is no time in seconds";
    const auto mode = StringSwitch<std::optional<LaunchMode>>(field("mode", "graph"))
                          .Case("stream", LaunchMode::Stream)
                          .Case("graph", LaunchMode::Graph)
                          .Default(std::nullopt);
    const StringRef paths = field("paths", blocked ? "no" : "yes");
    if (!mode)
      return "`" + field("mode").str() + "` is no mode; it is stream or graph";
    if (paths != "yes" && paths != "no")
      return "`" + paths.str() + "` stands under `paths`; it is yes or no";
    if (field("row_unit", "1").getAsInteger(10, run.rowUnit) || run.rowUnit < 1)
      return "`" + field("row_unit").str() + "` is no unit of rows";
    run.mode = *mode;
    run.kernel.paths = paths == "yes";
    run.kernel.weight = field("weight", "f32").str();
    return "";
  }

private:
  StringRef field(StringRef column, StringRef otherwise = "") const {
    const auto place = columns.find(column);
    return place == columns.end() ? otherwise : fields[place->second].trim();
  }

  StringMap<size_t> columns;
  SmallVector<StringRef> fields;
};

} // namespace

Expected<std::vector<ApspRun>> parseApspRuns(StringRef csv, StringRef file) {
  std::vector<ApspRun> runs;
  RowReader reader;
  bool headed = false;
  for (int number = 1; !csv.empty(); ++number) {
    StringRef line;
    std::tie(line, csv) = csv.split('\n');
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    const std::string problem =
        headed ? reader.readRow(line, runs.emplace_back()) : reader.readHeader(line);
    if (!problem.empty())
      return createStringError(inconvertibleErrorCode(),
                               fmt::format("{}:{}: {}", file.str(), number, problem).c_str());
    headed = true;
  }
  if (!headed)
    return createStringError(inconvertibleErrorCode(), file + ": holds no line of column names");
  return runs;
}

std::vector<ApspRun> shippedApspRuns(const DeviceProfile &device) {
  const std::string name = StringRef(device.name).lower() + "-apsp.csv";
  for (const ShippedFile &file : shippedFiles())
    if (file.name == name)
      return cantFail(parseApspRuns(file.text, file.name));
  return {};
}

} // namespace stencilc
