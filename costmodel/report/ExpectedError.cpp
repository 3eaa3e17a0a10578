#include "costmodel/report/ExpectedError.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

struct KindName {
  KernelKind kind;
  StringLiteral key, plural; ///< in the file; in a sentence
};
constexpr KindName kKindNames[] = {
    {KernelKind::OnePoint, "one-point", "kernels of one point a thread"},
    {KernelKind::March, "march", "marches of one point a thread"},
    {KernelKind::Patches, "patches", "kernels with patches of points"},
    {KernelKind::Tiles, "tiles", "kernels with tiles in shared memory"},
    {KernelKind::FusedSteps, "fused-steps", "kernels that fuse steps"},
};

const KindName &nameOf(KernelKind kind) {
  return *find_if(kKindNames, [&](const KindName &name) { return name.kind == kind; });
}

/// Beyond so many L2s the arrays of a step are several times it.
constexpr double kSeveralL2s = 3;

/// The line of a kind in a file of lines `kind,runs,mean,nine of ten,seen`.
std::optional<ExpectedError> lineOf(StringRef csv, const Twine &kind) {
  for (StringRef line : split(csv, '\n')) {
    SmallVector<StringRef, 5> cells;
    line.trim().split(cells, ',');
    ExpectedError error;
    if (cells[0] == kind.str() && cells.size() == 5 && to_integer(cells[1], error.runs) &&
        to_float(cells[2], error.mean) && to_float(cells[3], error.most)) {
      error.wereSeen = cells[4] == "yes";
      return error;
    }
  }
  return {};
}

} // namespace

KernelKind kindOf(const ProgramCounts &counts) {
  const LaunchCounts &launch =
      *max_element(counts.launches, [](const LaunchCounts &one, const LaunchCounts &other) {
        return one.points < other.points;
      });
  if (counts.steps > 1)
    return KernelKind::FusedSteps;
  if (!launch.kernel->tiles.empty())
    return KernelKind::Tiles;
  if (!launch.kernel->patches.empty())
    return KernelKind::Patches;
  return launch.pointsPerThread() > 1 ? KernelKind::March : KernelKind::OnePoint;
}

std::optional<ExpectedError> expectedError(const Report &report) {
  const double arrays = report.counted.compulsoryReadBytes + report.counted.compulsoryWriteBytes;
  if (!report.predicted.geometric || arrays < kSeveralL2s * report.device.caches.l2Bytes)
    return {};
  const std::string name = StringRef(report.device.name).lower() + "-errors.csv";
  for (const ShippedFile &file : shippedFiles())
    if (file.name == name) {
      const StringRef kind = nameOf(kindOf(report.counted)).key;
      std::optional<ExpectedError> error = lineOf(file.text, kind);
      if (error)
        error->ofPrograms = lineOf(file.text, kind + " of programs");
      return error;
    }
  return {};
}

std::string expectedErrorText(const Report &report) {
  const std::optional<ExpectedError> error = expectedError(report);
  if (!error)
    return fmt::format(
        "of such kernels and grids no times on {} are kept: how wrong this is, is not known",
        report.device.name);
  const auto said = [](const Errors &errors, const char *onAverage) {
    return fmt::format("{:.0f} %{}, nine of ten within {:.0f} %, in {} runs", 100 * errors.mean,
                       onAverage, 100 * errors.most, errors.runs);
  };
  std::string text = fmt::format(
      "{} were predicted {} on it{}", nameOf(kindOf(report.counted)).plural.str(),
      said(*error, " wrong on average"), error->wereSeen ? ", with which the model was made" : "");
  if (error->ofPrograms)
    text += "; of programs that nobody had looked at " + said(*error->ofPrograms, "");
  return text;
}

} // namespace stencilc
