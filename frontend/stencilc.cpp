// stencilc: from a .stn file to what was asked for; the whole flow.
//
//   text -> Stencil (frontend) -> VerifiedProgram (codegen) -> source, header, main
//                              |                             -> traffic (costmodel)
//                              -> values (the reference interpreter)
//
// Everything is made in memory and written at the end, so that a failed run leaves no trace.
#include "codegen/Lower.h"
#include "codegen/Print.h"
#include "costmodel/Traffic.h"
#include "frontend/CommandLine.h"
#include "frontend/DependencyFile.h"
#include "frontend/FileOutput.h"
#include "frontend/Frontend.h"
#include "frontend/ReferenceRun.h"

#include "fmt/format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

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

Expected<Schedule> chooseSchedule(const Stencil &stencil, const CommandLine &line) {
  const ScheduleOptions &options = line.schedule;
  if (options.text) {
    Expected<Schedule> schedule = parseSchedule(*options.text, stencil.rank());
    if (!schedule)
      return make_error<UsageError>("--schedule: " + toString(schedule.takeError()));
    return schedule;
  }
  Schedule schedule = defaultSchedule(stencil);
  if (options.variant || line.host) {
    const Variant *variant = findVariant(options.variant.value_or("host"));
    if (!variant)
      return make_error<UsageError>("there is no variant `" + *options.variant +
                                    "`; see stencilc --list-variants");
    schedule = variant->defaultSchedule(stencil);
  }
  if (options.block.size() > stencil.rank())
    return make_error<UsageError>(fmt::format("--block={} has more numbers than `{}` has axes",
                                              fmt::join(options.block, "x"), stencil.name));
  if (!options.block.empty()) {
    schedule.block = {1, 1, 1};
    copy(options.block, schedule.block.begin());
  }
  schedule.chunk = options.chunk.value_or(schedule.chunk);
  schedule.fuse = options.fuse.value_or(schedule.fuse);
  return schedule;
}

Expected<VerifiedProgram> lowerAsAsked(const Stencil &stencil, const CommandLine &line) {
  Expected<Schedule> schedule = chooseSchedule(stencil, line);
  if (!schedule)
    return schedule.takeError();
  Expected<VerifiedProgram> program = lower(stencil, *schedule);
  if (program && line.host && (*program)->target != Target::Host)
    return make_error<UsageError>("variant `" + schedule->variant +
                                  "` runs on the device; leave out --target=host");
  return program;
}

/// heat.cu -> heat.h, heat_main.cu -> heat.h; for standard output the input's name counts.
std::string headerName(const CommandLine &line, const Stencil &stencil) {
  StringRef stem = sys::path::stem(line.output);
  if (line.toStandardOutput() || (line.emit == Emit::Main && !stem.consume_back("_main")))
    stem = line.input == "-" ? StringRef(stencil.name) : sys::path::stem(line.input);
  return stem.str() + ".h";
}

/// All that --emit= asks for, but the syntax tree.
Expected<std::vector<OutputFile>> makeFiles(const Stencil &stencil, const CommandLine &line) {
  if (line.emit == Emit::Values)
    return runReference(stencil, line);

  std::string text;
  raw_string_ostream out(text);
  const auto finished = [&] { return std::vector<OutputFile>{{line.output, std::move(text)}}; };
  Banner banner{STENCILC_VERSION, stencil.file, line.regenerate(), {}};
  if (line.emit == Emit::Stencil) {
    print(out, stencil);
    return finished();
  }
  if (line.emit == Emit::Header) {
    printHeader(out, signatureOf(stencil), banner);
    return finished();
  }

  Expected<VerifiedProgram> program = lowerAsAsked(stencil, line);
  if (!program)
    return program.takeError();
  const VerifiedProgram &verified = *program;
  if (line.verbose)
    errs() << "stencilc: schedule " << verified->schedule << ", " << verified->kernels.size()
           << " kernels\n";
  if (line.emit == Emit::Traffic) {
    Expected<Traffic> traffic = countTraffic(verified);
    if (!traffic)
      return traffic.takeError();
    print(out, *traffic);
    return finished();
  }
  const std::string header = headerName(line, stencil);
  if (line.emit == Emit::Schedule)
    out << verified->schedule << "\n";
  else if (line.emit == Emit::Kernel)
    print(out, *verified);
  else if (line.emit == Emit::Main)
    printMain(out, stencil, verified->target, banner, header);
  else {
    banner.notes.push_back("schedule " + verified->schedule);
    printSource(out, verified, banner, header,
                line.strict ? FloatMode::Strict : FloatMode::Contract);
  }
  std::vector<OutputFile> files = finished();
  if (line.emit == Emit::Cuda && !line.toStandardOutput()) {
    SmallString<128> path(sys::path::parent_path(line.output));
    sys::path::append(path, header);
    raw_string_ostream headerOut(files.emplace_back(OutputFile{path.str().str(), {}}).text);
    printHeader(headerOut, verified->signature,
                {banner.version, banner.source, line.regenerateHeader(header), {}});
  }
  return files;
}

OutputFile makeDependencyFile(const CommandLine &line, ArrayRef<OutputFile> files) {
  std::vector<std::string> outputs, inputs = {line.input};
  for (const OutputFile &file : files)
    outputs.push_back(file.path);
  for (const auto &[array, path] : line.inputs)
    inputs.push_back(path);
  SmallString<128> path(line.dependencies.file);
  if (path.empty()) {
    path = line.output;
    sys::path::replace_extension(path, ".d");
  }
  return {path.str().str(), dependencyRule(line.dependencies, outputs, inputs)};
}

Error compile(const CommandLine &line, DiagnosticEngine &diagnostics) {
  std::string ast;
  raw_string_ostream astOut(ast);
  const std::optional<Stencil> stencil =
      analyse(diagnostics, {line.real, line.defines}, line.emit == Emit::Ast ? &astOut : nullptr);
  if (!stencil || line.action == Action::CheckSyntax)
    return Error::success();
  if (line.verbose)
    errs() << "stencilc: stencil " << stencil->name << ", " << stencil->rank() << " axes\n";

  Expected<std::vector<OutputFile>> files = line.emit == Emit::Ast
                                                ? std::vector<OutputFile>{{line.output, ast}}
                                                : makeFiles(*stencil, line);
  if (!files)
    return files.takeError();
  if (line.dependencies.write)
    files->push_back(makeDependencyFile(line, *files));
  if (line.verbose)
    for (const OutputFile &file : *files)
      errs() << "stencilc: writing " << file.path << ", " << file.text.size() << " bytes\n";
  return writeFiles(*files);
}

int fail(const Twine &message, ExitCode code) {
  errs() << "stencilc: " << message << "\n";
  return code;
}

int run(const CommandLine &line) {
  auto source = MemoryBuffer::getFileOrSTDIN(line.input, /*IsText=*/true);
  if (!source)
    return fail("error: cannot read `" + line.input + "`: " + source.getError().message(),
                kRefused);
  errs().enable_colors(line.color);
  DiagnosticEngine diagnostics(std::move(*source), errs(),
                               {line.json ? DiagnosticsFormat::Json : DiagnosticsFormat::Text,
                                line.color ? ColourMode::Always : ColourMode::Never});
  Error error = compile(line, diagnostics);

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

int printGpu(const std::string &name) {
  Expected<DeviceProfile> device = loadDeviceProfile(name);
  if (!device)
    return fail("error: " + toString(device.takeError()), kRefused);
  printDeviceProfile(outs(), *device);
  return kDone;
}

} // namespace

int main(int argc, char **argv) {
  sys::AddSignalHandler(exitAfterCrash, nullptr);
  Expected<CommandLine> line = parseCommandLine(ArrayRef<const char *>(argv, argc).drop_front());
  if (!line)
    return fail("error: " + toString(line.takeError()), kUsage);
  switch (line->action) {
  case Action::Help:
    printHelp(outs());
    return kDone;
  case Action::Version:
    outs() << "stencilc " << STENCILC_VERSION << "\n";
    return kDone;
  case Action::ListVariants:
    for (const Variant &variant : variants())
      outs() << fmt::format("{:<12} {}\n", variant.name.str(), variant.summary.str());
    return kDone;
  case Action::ListGpus:
    printDeviceList(outs());
    return kDone;
  case Action::PrintGpu:
    return printGpu(line->model.gpu);
  case Action::Compile:
  case Action::CheckSyntax:
    return run(*line);
  }
  llvm_unreachable("all actions are handled");
}
