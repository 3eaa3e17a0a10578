// stencilc: from a .stn file to what was asked for; the whole flow.
//
//   text -> Stencil (frontend) -> VerifiedProgram (codegen) -> source, header, main
//                              |  of the best of many       -> traffic, prediction, report
//                              |  (Choose, costmodel)
//                              -> values (the reference interpreter)
//   text -> the same text, laid out; and, for editors, frontend/lsp
//
// Everything is made in memory and written at the end, so that a failed run leaves no trace.
#include "codegen/lower/SumOrder.h"
#include "codegen/print/Print.h"
#include "costmodel/count/TrafficText.h"
#include "frontend/driver/CalibrateGpu.h"
#include "frontend/driver/ChoiceOptions.h"
#include "frontend/driver/DependencyFile.h"
#include "frontend/driver/Explain.h"
#include "frontend/driver/FileOutput.h"
#include "frontend/driver/MeasuredChoice.h"
#include "frontend/driver/ReferenceRun.h"
#include "frontend/driver/RefinedChoice.h"
#include "frontend/driver/SourceFile.h"
#include "frontend/driver/SweepTable.h"
#include "frontend/driver/VariantList.h"
#include "frontend/language/Format.h"
#include "frontend/language/Frontend.h"
#include "frontend/lsp/Server.h"
#include "frontend/measure/NativeDevice.h"

#include "fmt/format.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <new>
#include <unistd.h>

using namespace llvm;
using namespace stencilc;

namespace {

enum ExitCode { kDone = 0, kRefused = 1, kUsage = 2, kOurFault = 70 };

/// Turns a crash into the exit code for our own faults.
void exitAfterCrash(void *) {
  constexpr StringLiteral message = "stencilc: internal error: crashed; please report the input\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(kOurFault);
}

/// What the machine refuses is no fault of ours. Nothing more may be allocated here.
[[noreturn]] void exitWithoutMemory() {
  constexpr StringLiteral message = "stencilc: error: out of memory\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  sys::RunInterruptHandlers(); // removes temporary files
  ::_exit(kRefused);
}

void prepareForTheWorst() {
  sys::AddSignalHandler(exitAfterCrash, nullptr);
  std::set_new_handler(exitWithoutMemory);
  install_bad_alloc_error_handler([](void *, const char *, bool) { exitWithoutMemory(); });
  // A file over the limit (`ulimit -f`) is then a failed write like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

/// heat.cu -> heat.h, heat_main.cu -> heat.h; for standard output the input's name counts.
std::string headerName(const CommandLine &line, const Stencil &stencil) {
  StringRef stem = sys::path::stem(line.output);
  if (line.toStandardOutput() || (line.emit == Emit::Main && !stem.consume_back("_main")))
    stem = line.input == "-" ? StringRef(stencil.name) : sys::path::stem(line.input);
  return stem.str() + ".h";
}

/// C++ has no way to write some names between the quotes of an #include.
Error checkIncludable(const std::string &header) {
  if (StringRef(header).find_first_of("\"\\\n\r") == StringRef::npos)
    return Error::success();
  return make_error<UsageError>("the output would include a header called `" + header +
                                "`, which C++ cannot spell; choose another name with -o");
}

/// heat.cu. Its banner tells the schedule and the forecast; the command there forces the schedule.
void printCode(raw_ostream &out, const Stencil &stencil, const CommandLine &line,
               const Choice &choice, const std::optional<Report> &report,
               ArrayRef<int64_t> onlyExtents) {
  const std::string schedule = toString(choice.program->schedule);
  Banner banner{STENCILC_VERSION,
                stencil.file,
                line.regenerate(line.printsOfModel() ? schedule : ""),
                {"schedule " + schedule}};
  if (line.reassociates)
    banner.notes.push_back("Sums are added plane after plane, not in the order of " + stencil.file +
                           " (--fp=reassociate).");
  if (report && line.printsOfModel())
    banner.notes.push_back(predictionNote(*report));
  printSource(out, choice.program, banner, headerName(line, stencil),
              line.strict ? FloatMode::Strict : FloatMode::Contract, onlyExtents);
}

/// What --emit= asks of a Program; without a forecast, no prediction.
Error printProgram(raw_ostream &out, const Stencil &stencil, const CommandLine &line,
                   const Choice &choice, const std::optional<Report> &report,
                   ArrayRef<int64_t> onlyExtents) {
  const VerifiedProgram &program = choice.program;
  if (line.emit == Emit::Schedule)
    out << toString(program->schedule) << "\n";
  else if (line.emit == Emit::Kernel)
    print(out, *program);
  else if (line.emit == Emit::Prediction)
    print(out, report->predicted);
  else if (line.emit == Emit::Main)
    printMain(out, stencil, program->target,
              {STENCILC_VERSION, stencil.file, line.regenerate(), {}}, headerName(line, stencil),
              onlyExtents);
  else if (line.emit == Emit::Cuda)
    printCode(out, stencil, line, choice, report, onlyExtents);
  else if (Expected<ProgramCounts> counts = countInteriorBlocks(program))
    printTraffic(out, *counts);
  else
    return counts.takeError();
  return Error::success();
}

/// The header beside the output.
OutputFile makeHeader(const CommandLine &line, const Stencil &stencil) {
  const std::string header = headerName(line, stencil);
  SmallString<128> path(sys::path::parent_path(line.output));
  sys::path::append(path, header);
  OutputFile file{path.str().str(), ""};
  raw_string_ostream out(file.text);
  printHeader(out, signatureOf(stencil),
              {STENCILC_VERSION, stencil.file, line.regenerateHeader(header), {}});
  return file;
}

/// What is made from a lowered stencil: a table of predictions; or a report, code, and its header.
Expected<std::vector<OutputFile>> makeFromProgram(const Stencil &stencil, const CommandLine &line,
                                                  const Constraints &constraints,
                                                  const std::optional<Situation> &situation) {
  if (!line.sweep.parts.empty()) {
    OutputFile table{line.output, ""};
    raw_string_ostream out(table.text);
    if (Error error = printSweep(out, stencil, line, constraints, *situation))
      return error;
    return std::vector<OutputFile>{table};
  }
  if (line.emit == Emit::Cuda || line.emit == Emit::Main)
    if (Error error = checkIncludable(headerName(line, stencil)))
      return error;
  Expected<std::vector<int64_t>> onlyExtents = line.onlyExtentsOf(stencil);
  if (!onlyExtents)
    return onlyExtents.takeError();
  Expected<Choice> choice = choose(stencil, constraints, situation);
  if (!choice)
    return choice.takeError();
  std::string compiledBy;
  if (line.refine) {
    Expected<std::string> compiler = refineChoice(*choice, stencil, line, *situation);
    if (!compiler)
      return compiler.takeError();
    compiledBy = *compiler;
  }
  std::optional<MeasuredTimes> measured;
  if (line.measure) {
    Expected<MeasuredTimes> times = measureChoice(*choice, stencil, line, *situation);
    if (!times)
      return times.takeError();
    measured = std::move(*times);
  }
  if (line.emit == Emit::Cuda || line.emit == Emit::Kernel)
    if (Error error = auditLowered(choice->program))
      return error;
  if (line.verbose)
    errs() << "stencilc: schedule " << toString(choice->program->schedule) << ", "
           << choice->program->kernels.size() << " kernels\n";
  std::optional<Report> report;
  if (choice->forecast) {
    Expected<Report> made = reportOf(stencil, line, *situation, *choice);
    if (!made)
      return made.takeError();
    report = std::move(*made);
    report->measured = std::move(measured);
    report->compiledBy = compiledBy;
  } else if (line.explain || line.emit == Emit::Prediction)
    return createStringError("nothing can be predicted: " + choice->unpredicted);
  else if (!choice->unpredicted.empty())
    errs() << "stencilc: note: nothing is predicted: " << choice->unpredicted << "\n";

  std::vector<OutputFile> files;
  if (line.explain) {
    std::string text;
    raw_string_ostream out(text);
    printReport(out, *report, *line.explain);
    files.push_back({"-", std::move(text)});
    if (line.toStandardOutput())
      return files;
  }
  std::string text;
  raw_string_ostream out(text);
  if (Error error = printProgram(out, stencil, line, *choice, report, *onlyExtents))
    return error;
  files.push_back({line.output, std::move(text)});
  if (line.emit == Emit::Cuda && !isWrittenDirectly(line.output))
    files.push_back(makeHeader(line, stencil));
  return files;
}

/// All that --emit= asks for, but the syntax tree.
Expected<std::vector<OutputFile>> makeFiles(const Stencil &stencil, const CommandLine &line,
                                            const std::optional<DeviceProfile> &device) {
  if (line.emit == Emit::Values)
    return runReference(stencil, line);
  if (line.emit == Emit::Stencil || line.emit == Emit::Header || line.emit == Emit::Interface) {
    OutputFile file{line.output, ""};
    raw_string_ostream out(file.text);
    if (line.emit == Emit::Stencil)
      print(out, stencil);
    else if (line.emit == Emit::Interface)
      printInterfaceJson(out, signatureOf(stencil));
    else
      printHeader(out, signatureOf(stencil),
                  {STENCILC_VERSION, stencil.file, line.regenerate(), {}});
    return std::vector<OutputFile>{file};
  }
  std::optional<Situation> situation;
  if (device) {
    Expected<Situation> given = situationOf(stencil, line, *device);
    if (!given)
      return given.takeError();
    situation = std::move(*given);
  }
  Expected<Constraints> constraints = constraintsOf(stencil, line);
  if (!constraints)
    return constraints.takeError();
  return makeFromProgram(stencil, line, *constraints, situation);
}

std::vector<std::string> inputsOf(const CommandLine &line,
                                  const std::optional<DeviceProfile> &device) {
  std::vector<std::string> inputs = {line.input};
  for (const auto &[array, path] : line.inputs)
    inputs.push_back(path);
  if (device && line.model.isFile())
    inputs.push_back(line.model.gpu);
  if (device && StringRef(device->code.value.name).ends_with(".yaml"))
    inputs.push_back(device->code.value.name);
  return inputs;
}

std::vector<std::string> pathsOf(ArrayRef<OutputFile> files) {
  std::vector<std::string> paths;
  for (const OutputFile &file : files)
    paths.push_back(file.path);
  return paths;
}

OutputFile makeDependencyFile(const CommandLine &line, ArrayRef<std::string> inputs,
                              ArrayRef<OutputFile> files) {
  SmallString<128> path(line.dependencies.file);
  if (path.empty()) {
    path = line.output;
    sys::path::replace_extension(path, ".d");
  }
  return {path.str().str(), dependencyRule(line.dependencies, pathsOf(files), inputs)};
}

Error layOut(const CommandLine &line, DiagnosticEngine &diagnostics) {
  const std::optional<std::string> text = format(diagnostics);
  return text ? writeFiles(OutputFile{line.output, *text}) : Error::success();
}

Error compile(const CommandLine &line, const std::optional<DeviceProfile> &device,
              DiagnosticEngine &diagnostics) {
  std::string ast;
  raw_string_ostream astOut(ast);
  std::optional<Stencil> stencil = analyse(diagnostics, {line.real, line.name, line.defines},
                                           line.emit == Emit::Ast ? &astOut : nullptr);
  if (!stencil || line.action == Command::CheckSyntax)
    return Error::success();
  if (line.reassociates)
    stencil = withNewestPlaneLast(std::move(*stencil));
  if (line.verbose)
    errs() << "stencilc: stencil " << stencil->name << ", " << stencil->rank() << " axes\n";

  Expected<std::vector<OutputFile>> files = line.emit == Emit::Ast
                                                ? std::vector<OutputFile>{{line.output, ast}}
                                                : makeFiles(*stencil, line, device);
  if (!files)
    return files.takeError();
  const std::vector<std::string> inputs = inputsOf(line, device);
  if (line.dependencies.write)
    files->push_back(makeDependencyFile(line, inputs, *files));
  if (std::string problem = findOverwritten(pathsOf(*files), inputs); !problem.empty())
    return make_error<UsageError>(std::move(problem));
  if (line.verbose)
    for (const OutputFile &file : *files)
      errs() << "stencilc: writing " << file.path << ", " << file.text.size() << " bytes\n";
  return writeFiles(*files);
}

int fail(const Twine &message, ExitCode code) {
  errs() << "stencilc: " << message << "\n";
  return code;
}

/// Puts the name of the profile that fits in the place of `native`.
Error findNativeDevice(CommandLine &line) {
  if (!line.model.isNative())
    return Error::success();
  Expected<std::string> name = nativeProfile();
  if (!name)
    return name.takeError();
  line.model.gpu = *name;
  return Error::success();
}

int run(CommandLine line) {
  std::optional<DeviceProfile> device;
  if (line.action != Command::Format && line.wantsModel())
    if (Error error = findNativeDevice(line))
      return fail("error: " + toString(std::move(error)), kRefused);
  if (line.action != Command::Format && line.wantsModel()) {
    Expected<DeviceProfile> loaded = loadDeviceProfile(line.model.gpu);
    if (!loaded)
      return fail("error: " + toString(loaded.takeError()),
                  line.model.isFile() ? kRefused : kUsage);
    device = std::move(*loaded);
  }
  Expected<std::unique_ptr<MemoryBuffer>> source = readSource(line.input);
  if (!source)
    return fail("error: " + toString(source.takeError()), kRefused);
  errs().enable_colors(line.color);
  DiagnosticEngine diagnostics(std::move(*source), errs(),
                               {line.json ? DiagnosticsFormat::Json : DiagnosticsFormat::Text,
                                line.color ? ColourMode::Always : ColourMode::Never});
  Error error = line.action == Command::Format ? layOut(line, diagnostics)
                                               : compile(line, device, diagnostics);

  int code = kDone;
  handleAllErrors(
      std::move(error),
      [&](const UsageError &usage) { code = fail("error: " + usage.message, kUsage); },
      [&](const VerifierFailure &failure) {
        code = fail("internal error: " + failure.message + "\nplease report: " + line.regenerate(),
                    kOurFault);
      },
      [&](std::unique_ptr<ErrorInfoBase> other) { diagnostics.report(Error(std::move(other))); });
  return code == kDone && diagnostics.hasErrors() ? kRefused : code;
}

int printGpu(CommandLine line) {
  if (Error error = findNativeDevice(line))
    return fail("error: " + toString(std::move(error)), kRefused);
  Expected<DeviceProfile> device = loadDeviceProfile(line.model.gpu);
  if (!device)
    return fail("error: " + toString(device.takeError()), line.model.isFile() ? kRefused : kUsage);
  printDeviceProfile(outs(), *device);
  return kDone;
}

int measureGpu(const CommandLine &line) {
  const std::vector<std::string> inputs =
      line.calibrate.from.empty() ? std::vector<std::string>{} : std::vector{line.calibrate.from};
  std::vector<std::string> outputs = {line.output};
  if (!line.calibrate.raw.empty())
    outputs.push_back(line.calibrate.raw);
  if (const std::string problem = findOverwritten(outputs, inputs); !problem.empty())
    return fail("error: " + problem, kUsage);
  Expected<std::vector<OutputFile>> files = calibrateGpu(line, errs());
  if (!files)
    return fail("error: " + toString(files.takeError()), kRefused);
  if (Error error = writeFiles(*files))
    return fail("error: " + toString(std::move(error)), kRefused);
  return kDone;
}

} // namespace

int main(int argc, char **argv) {
  prepareForTheWorst();
  Expected<CommandLine> line = parseCommandLine(ArrayRef<const char *>(argv, argc).drop_front());
  if (!line)
    return fail("error: " + toString(line.takeError()), kUsage);
  switch (line->action) {
  case Command::Help:
    printHelp(outs());
    return kDone;
  case Command::Version:
    outs() << "stencilc " << STENCILC_VERSION << "\n";
    return kDone;
  case Command::ListVariants:
    printVariants(outs());
    return kDone;
  case Command::ListGpus:
    printDeviceList(outs());
    return kDone;
  case Command::PrintGpu:
    return printGpu(*line);
  case Command::Calibrate:
    return measureGpu(*line);
  case Command::Serve:
    return lsp::Server(STDIN_FILENO, STDOUT_FILENO, STENCILC_VERSION).run();
  case Command::Compile:
  case Command::CheckSyntax:
  case Command::Format:
    return run(*line);
  }
  llvm_unreachable("all actions are handled");
}
