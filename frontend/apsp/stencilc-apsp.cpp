// stencilc-apsp: all-pairs shortest paths of a graph, and what they will take.
//
//   graph file -> weights (runtime/graph) -> plan (costmodel: by forecast) -> distances, paths
//   --explain, --sweep: counted, predicted and measured numbers of the kernels (costmodel)
#include "frontend/apsp/ApspChoice.h"
#include "frontend/apsp/ApspRun.h"
#include "frontend/driver/FileOutput.h"

#include "costmodel/apsp/ApspReport.h"

#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;
using namespace stencilc;

namespace {

enum ExitCode { kDone = 0, kRefused = 1, kUsage = 2, kOurFault = 70 };

/// Turns a crash into the exit code for our own faults.
void exitAfterCrash(void *) {
  constexpr StringLiteral message =
      "stencilc-apsp: internal error: crashed; please report the input\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(kOurFault);
}

int fail(const Twine &message, ExitCode code) {
  errs() << "stencilc-apsp: error: " << message << "\n";
  return code;
}

Error explain(const ApspCommandLine &line) {
  Expected<ApspData> data = loadApspData(line);
  if (!data)
    return data.takeError();
  ApspReport report;
  report.device = data->device;
  report.nodes = line.nodes.value_or(0);
  if (!line.nodes) {
    Expected<int64_t> nodes = countNodes(line.input);
    if (!nodes)
      return nodes.takeError();
    report.nodes = *nodes;
  }
  for (ApspAlgorithm algorithm : {ApspAlgorithm::MinPlus, ApspAlgorithm::FloydWarshall})
    if (!line.algorithm || line.algorithm == algorithm)
      report.studies.emplace_back(data->device, kernelOf(line, algorithm), data->runs, line.n0,
                                  line.launches);
  report.forecasts = fitAll(data->device, data->runs);
  // Most graphs have no negative weights; what a graph's are is seen when it is solved.
  report.weight = weightName(line.type, apsp::WeightRange::NonNegative, report.forecasts.fitted);
  report.paths = line.wantsPaths();
  report.mode = line.launches;
  std::string text;
  raw_string_ostream out(text);
  line.json ? printJson(out, report) : printText(out, report);
  return writeFiles({OutputFile{line.output.empty() ? "-" : line.output, std::move(text)}});
}

Error sweep(const ApspCommandLine &line) {
  Expected<ApspData> data = loadApspData(line);
  if (!data)
    return data.takeError();
  const ApspStudy study(data->device, kernelOf(line, *line.algorithm), data->runs, line.n0,
                        line.launches);
  std::string text;
  raw_string_ostream out(text);
  if (StringRef(line.output).ends_with(".svg"))
    printSweepSvg(out, study, line.sweep);
  else
    printSweepCsv(out, study, line.sweep);
  return writeFiles({OutputFile{line.output.empty() ? "-" : line.output, std::move(text)}});
}

Error printGpu(const std::string &name, raw_ostream &out) {
  Expected<DeviceProfile> device = loadDeviceProfile(name);
  if (!device)
    return device.takeError();
  printDeviceProfile(out, *device);
  return Error::success();
}

Error act(const ApspCommandLine &line) {
  switch (line.action) {
  case ApspAction::Help:
    printApspHelp(outs());
    return Error::success();
  case ApspAction::Version:
    outs() << "stencilc-apsp " << STENCILC_VERSION << "\n";
    return Error::success();
  case ApspAction::ListGpus:
    printDeviceList(outs());
    return Error::success();
  case ApspAction::PrintGpu:
    return printGpu(line.gpu, outs());
  case ApspAction::Explain:
    return explain(line);
  case ApspAction::Sweep:
    return sweep(line);
  case ApspAction::Solve:
    return solveGraph(line, outs());
  }
  llvm_unreachable("all actions are handled");
}

} // namespace

int main(int argc, char **argv) {
  sys::AddSignalHandler(exitAfterCrash, nullptr);
  Expected<ApspCommandLine> line =
      parseApspCommandLine(ArrayRef<const char *>(argv, argc).drop_front());
  if (!line)
    return fail(toString(line.takeError()), kUsage);
  if (Error error = act(*line))
    return fail(toString(std::move(error)), kRefused);
  return kDone;
}
