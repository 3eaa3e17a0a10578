#include "frontend/driver/CommandLine.h"

#include "codegen/print/Print.h"
#include "frontend/driver/OptionValues.h"
#include "frontend/language/Lexer.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

namespace stencilc {

namespace {

// The table that llvm-tblgen makes of Options.td.
enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "frontend/driver/Options.inc"
#undef OPTION
};
#define PREFIX(NAME, VALUE)                                                                        \
  constexpr StringLiteral NAME##_init[] = VALUE;                                                   \
  constexpr ArrayRef<StringLiteral> NAME(NAME##_init, std::size(NAME##_init) - 1);
#include "frontend/driver/Options.inc"
#undef PREFIX
constexpr OptTable::Info kOptions[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "frontend/driver/Options.inc"
#undef OPTION
};

class StencilcOptions : public GenericOptTable {
public:
  StencilcOptions() : GenericOptTable(kOptions) {}
};

/// Fills a CommandLine from parsed arguments, a group of options at a time.
class Reader {
public:
  explicit Reader(const InputArgList &arguments) : arguments(arguments) {}

  Expected<CommandLine> read() {
    if (Error error = readGeneral())
      return error;
    if (line.action == Command::Format)
      return readFormat();
    if (line.action == Command::Calibrate)
      return readCalibrate();
    if (line.action != Command::Compile)
      return std::move(line);
    for (auto group :
         {&Reader::readInput, &Reader::readOutput, &Reader::readDependencies, &Reader::readStencil,
          &Reader::readSchedule, &Reader::readGrid, &Reader::readModel, &Reader::readReport,
          &Reader::readMeasure, &Reader::readSweep})
      if (Error error = (this->*group)())
        return error;
    if (has(OPT_syntax_only))
      line.action = Command::CheckSyntax;
    return std::move(line);
  }

private:
  bool has(OptionId id) const { return arguments.hasArg(id); }
  StringRef last(OptionId id) const { return arguments.getLastArgValue(id); }

  Error readGeneral() {
    line.action = has(OPT_help)            ? Command::Help
                  : has(OPT_version)       ? Command::Version
                  : has(OPT_list_variants) ? Command::ListVariants
                  : has(OPT_list_gpus)     ? Command::ListGpus
                  : has(OPT_print_gpu_EQ)  ? Command::PrintGpu
                  : has(OPT_format)        ? Command::Format
                  : has(OPT_lsp)           ? Command::Serve
                  : isCalibrate()          ? Command::Calibrate
                                           : Command::Compile;
    if (line.action == Command::PrintGpu)
      line.model.gpu = last(OPT_print_gpu_EQ);
    line.verbose = has(OPT_verbose);
    if (has(OPT_diagnostics_format_EQ)) {
      const StringRef form = last(OPT_diagnostics_format_EQ);
      if (form != "text" && form != "json")
        return unknownWord("--diagnostics-format=", form, "text or json");
      line.json = form == "json";
    }
    const StringRef when = has(OPT_color_EQ) ? last(OPT_color_EQ) : "auto";
    if (when != "auto" && when != "always" && when != "never")
      return unknownWord("--color=", when, "auto, always or never");
    // NO_COLOR counts when it is set and not empty (no-color.org); a flag overrides it.
    const bool unwanted = !sys::Process::GetEnv("NO_COLOR").value_or("").empty();
    line.color =
        when == "always" || (when == "auto" && !unwanted && sys::Process::StandardErrHasColors());
    return Error::success();
  }

  Error readInput() {
    const std::vector<std::string> files = arguments.getAllArgValues(OPT_INPUT);
    if (files.empty())
      return usage("no input; it takes a .stn file or `-`");
    if (files.size() > 1)
      return usage("`{}` and `{}` are both inputs; it takes one", files[0], files[1]);
    line.input = files[0];
    return Error::success();
  }

  Expected<CommandLine> readFormat() {
    if (Error error = readInput())
      return error;
    for (OptionId id : {OPT_emit_EQ, OPT_syntax_only, OPT_dependencies, OPT_explain_EQ})
      if (const Arg *argument = arguments.getLastArg(id))
        return usage("--format writes the input laid out anew; leave out {}",
                     argument->getSpelling().rtrim('=').str());
    if (has(OPT_output))
      line.output = last(OPT_output);
    if (line.output.empty())
      return usage("-o has an empty file name");
    return std::move(line);
  }

  /// The word comes first; a file of that name is `./calibrate`.
  bool isCalibrate() const {
    const auto inputs = arguments.filtered(OPT_INPUT);
    return inputs.begin() != inputs.end() && (*inputs.begin())->getIndex() == 0 &&
           StringRef((*inputs.begin())->getValue()) == "calibrate";
  }

  Expected<CommandLine> readCalibrate() {
    for (const Arg *argument : arguments) {
      const Option option = argument->getOption().getUnaliasedOption();
      const auto is = [&](auto... ids) { return (option.matches(ids) || ...); };
      if (argument->getIndex() > 0 && !is(OPT_output, OPT_gpu_EQ, OPT_raw_EQ, OPT_from_EQ,
                                          OPT_verbose, OPT_color_EQ, OPT_diagnostics_format_EQ))
        return usage("calibrate takes -o, --gpu=, --raw= and --from=; leave out {}",
                     argument->getAsString(arguments));
    }
    line.calibrate = {last(OPT_gpu_EQ).str(), last(OPT_raw_EQ).str(), last(OPT_from_EQ).str()};
    if (has(OPT_output))
      line.output = last(OPT_output);
    if (line.output.empty())
      return usage("-o has an empty file name");
    return std::move(line);
  }

  Error readOutput() {
    if (has(OPT_emit_EQ)) {
      const StringRef word = last(OPT_emit_EQ);
      const auto emit = StringSwitch<std::optional<Emit>>(word)
                            .Case("ast", Emit::Ast)
                            .Case("stencil", Emit::Stencil)
                            .Case("schedule", Emit::Schedule)
                            .Case("kernel", Emit::Kernel)
                            .Case("traffic", Emit::Traffic)
                            .Case("prediction", Emit::Prediction)
                            .Case("cuda", Emit::Cuda)
                            .Case("header", Emit::Header)
                            .Case("interface", Emit::Interface)
                            .Case("main", Emit::Main)
                            .Case("values", Emit::Values)
                            .Default(std::nullopt);
      if (!emit)
        return unknownWord("--emit=", word,
                           "ast, stencil, schedule, kernel, traffic, prediction, cuda, header, "
                           "interface, main or values");
      line.emit = *emit;
    }
    if (has(OPT_output))
      line.output = last(OPT_output);
    if (line.output.empty())
      return usage("-o has an empty file name");
    if (!line.toStandardOutput() && sys::fs::equivalent(line.output, line.input))
      return usage("-o would overwrite the input `{}`", line.input);
    if (line.emit == Emit::Cuda && StringRef(line.output).ends_with(".h"))
      return usage("-o is `{}`, the name of the header that is written beside the source",
                   line.output);
    if (has(OPT_target_EQ)) {
      const StringRef where = last(OPT_target_EQ);
      if (where != "cuda" && where != "host")
        return unknownWord("--target=", where, "cuda or host");
      line.host = where == "host";
    }
    if (has(OPT_fp_EQ)) {
      const StringRef mode = last(OPT_fp_EQ);
      if (mode != "contract" && mode != "strict" && mode != "reassociate")
        return unknownWord("--fp=", mode, "contract, strict or reassociate");
      line.strict = mode == "strict";
      line.reassociates = mode == "reassociate";
    }
    if (has(OPT_syntax_only) && has(OPT_output))
      return usage("-fsyntax-only writes nothing; leave out -o");
    return Error::success();
  }

  Error readDependencies() {
    DependencyOptions &dependencies = line.dependencies;
    dependencies.write = has(OPT_dependencies);
    dependencies.file = last(OPT_dependency_file);
    dependencies.targets = arguments.getAllArgValues(OPT_dependency_target);
    dependencies.phony = has(OPT_dependency_phony);
    if (!dependencies.write) {
      for (OptionId id : {OPT_dependency_file, OPT_dependency_target, OPT_dependency_phony})
        if (const Arg *argument = arguments.getLastArg(id))
          return usage("{} goes with -MD", argument->getSpelling().str());
      return Error::success();
    }
    if (has(OPT_syntax_only))
      return usage("-fsyntax-only writes nothing; leave out -MD");
    if (line.toStandardOutput() && (dependencies.file.empty() || dependencies.targets.empty()))
      return usage("-MD without -o takes -MF and -MT: there is no file to name");
    return Error::success();
  }

  Error readStencil() {
    if (has(OPT_name_EQ)) {
      line.name = last(OPT_name_EQ);
      const auto fits = [](char c) { return isAlnum(c) || c == '_'; };
      if (line.name.empty() || isDigit(line.name[0]) || !all_of(line.name, fits) ||
          line.name.size() > kMaxNameLength)
        return usage("--name is `{}`; it takes letters, digits and `_`, at most {}, and no digit "
                     "first",
                     line.name, kMaxNameLength);
    }
    if (has(OPT_real_EQ)) {
      const StringRef type = last(OPT_real_EQ);
      if (type != "f32" && type != "f64")
        return unknownWord("--real=", type, "f32 or f64");
      line.real = type == "f32" ? ScalarType::F32 : ScalarType::F64;
    }
    for (const std::string &text : arguments.getAllArgValues(OPT_define)) {
      auto define = parsePair("-D", text, "param=value");
      if (!define)
        return define.takeError();
      line.defines.push_back(std::move(*define));
    }
    return Error::success();
  }

  Error readSchedule() {
    ScheduleOptions &schedule = line.schedule;
    if (has(OPT_schedule_EQ)) {
      schedule.text = last(OPT_schedule_EQ);
      for (OptionId id : {OPT_variant_EQ, OPT_block_EQ, OPT_chunk_EQ, OPT_fuse_EQ, OPT_try_all})
        if (const Arg *argument = arguments.getLastArg(id))
          return usage("--schedule is the whole schedule; leave out {}",
                       argument->getSpelling().rtrim('=').str());
    }
    if (has(OPT_variant_EQ))
      schedule.variant = last(OPT_variant_EQ);
    if (has(OPT_block_EQ)) {
      SmallVector<StringRef, 3> parts;
      last(OPT_block_EQ).split(parts, 'x');
      if (parts.size() > 3)
        return usage("--block is `{}`; it takes at most three numbers, as in 32x4x1",
                     last(OPT_block_EQ).str());
      for (StringRef part : parts) {
        Expected<int> threads = parseSmallCount("a number in --block", part);
        if (!threads)
          return threads.takeError();
        schedule.block.push_back(*threads);
      }
    }
    for (auto [id, name, member] : {std::tuple(OPT_chunk_EQ, "--chunk", &schedule.chunk),
                                    std::tuple(OPT_fuse_EQ, "--fuse", &schedule.fuse)})
      if (has(id)) {
        Expected<int> count = parseSmallCount(name, last(id));
        if (!count)
          return count.takeError();
        *member = *count;
      }
    schedule.unoptimized = has(OPT_unoptimized);
    schedule.tryAll = has(OPT_try_all);
    if (schedule.tryAll && schedule.unoptimized)
      return usage("--try-all chooses among all schedules; leave out -O0");
    return Error::success();
  }

  Error readGrid() {
    if (has(OPT_input_EQ) && line.emit != Emit::Values)
      return usage("--input belongs to --emit=values");
    for (OptionId id : {OPT_raw_EQ, OPT_from_EQ})
      if (const Arg *argument = arguments.getLastArg(id))
        return usage("{} belongs to stencilc calibrate", argument->getSpelling().rtrim('=').str());
    for (const std::string &list : arguments.getAllArgValues(OPT_size_EQ))
      for (StringRef text : split(list, ',')) {
        auto size = parsePair("--size", text, "axis=points, as in x=64,y=32");
        if (!size)
          return size.takeError();
        Expected<int64_t> points = parseCount("--size " + size->first, size->second, 0);
        if (!points)
          return points.takeError();
        line.sizes.emplace_back(size->first, *points);
      }
    line.specialize = has(OPT_specialize);
    if (line.specialize && line.emit != Emit::Cuda && line.emit != Emit::Main)
      return usage("--specialize makes constants of the extents as code is printed, and what comes "
                   "before is for every grid; leave out --emit={}",
                   last(OPT_emit_EQ).str());
    if (has(OPT_steps_EQ)) {
      Expected<int64_t> steps = parseCount("--steps", last(OPT_steps_EQ), 0);
      if (!steps)
        return steps.takeError();
      line.steps = *steps;
      line.asksSteps = true;
    }
    for (const std::string &text : arguments.getAllArgValues(OPT_input_EQ)) {
      auto input = parsePair("--input", text, "array=file.npy");
      if (!input)
        return input.takeError();
      line.inputs.push_back(std::move(*input));
    }
    return Error::success();
  }

  Error readModel() {
    if (has(OPT_gpu_EQ))
      line.model.gpu = last(OPT_gpu_EQ);
    if (has(OPT_model_EQ)) {
      const StringRef name = last(OPT_model_EQ);
      line.model.options.model = StringSwitch<std::optional<Model>>(name)
                                     .Case("su2015", Model::Su2015)
                                     .Case("geometric", Model::Geometric)
                                     .Default(std::nullopt);
      if (!line.model.options.model)
        return unknownWord("--model=", name, "su2015 or geometric");
    }
    if (has(OPT_registers_EQ)) {
      Expected<int> registers = parseSmallCount("--registers", last(OPT_registers_EQ));
      if (!registers)
        return registers.takeError();
      line.model.options.registers = *registers;
    }
    return Error::success();
  }

  Error readReport() {
    if (const Arg *form = arguments.getLastArg(OPT_explain, OPT_explain_EQ)) {
      const StringRef word =
          form->getOption().matches(OPT_explain) ? StringRef("text") : form->getValue();
      line.explain = StringSwitch<std::optional<ReportForm>>(word)
                         .Case("text", ReportForm::Text)
                         .Case("json", ReportForm::Json)
                         .Case("html", ReportForm::Html)
                         .Default(std::nullopt);
      if (!line.explain)
        return unknownWord("--explain=", word, "text, json or html");
    }
    const bool predicts = line.emit == Emit::Prediction;
    if (!line.explain && !predicts)
      return Error::success();
    const StringRef what = predicts ? "--emit=prediction" : "--explain";
    if (line.host)
      return usage("{} is about a GPU; leave out --target=host", what.str());
    if (!line.wantsModel())
      return usage("{} says what a schedule will do, and --emit={} has none", what.str(),
                   last(OPT_emit_EQ).str());
    return Error::success();
  }

  Error readMeasure() {
    constexpr int usualCount = 5;
    const Arg *argument = arguments.getLastArg(OPT_measure, OPT_measure_EQ);
    line.refine = has(OPT_refine);
    if (!argument && !line.refine)
      return Error::success();
    if (argument && argument->getOption().matches(OPT_measure)) {
      line.measure = usualCount;
    } else if (argument) {
      Expected<int> count = parseSmallCount("--measure", argument->getValue());
      if (!count)
        return count.takeError();
      line.measure = *count;
    }
    const char *name = argument ? "--measure" : "--refine";
    for (auto [isGiven, what] : {std::pair(line.host, "--target=host"),
                                 {line.schedule.unoptimized, "-O0"},
                                 {has(OPT_sweep_EQ), "--sweep"}})
      if (isGiven)
        return usage("{} chooses among schedules for a GPU; leave out {}", name, what);
    if (!line.printsOfModel())
      return usage("{} chooses a schedule, and --emit={} has none", name, last(OPT_emit_EQ).str());
    return Error::success();
  }

  Error readSweep() {
    if (!has(OPT_sweep_EQ))
      return Error::success();
    if (line.host)
      return usage("--sweep is about a GPU; leave out --target=host");
    if (has(OPT_emit_EQ))
      return usage("--sweep writes a table; leave out --emit");
    if (line.explain == ReportForm::Html)
      return usage("--sweep writes CSV, or JSON with --explain=json; leave out --explain=html");
    Expected<SweepOptions> sweep = parseSweep(last(OPT_sweep_EQ));
    if (!sweep)
      return sweep.takeError();
    line.sweep = std::move(*sweep);
    return Error::success();
  }

  const InputArgList &arguments;
  CommandLine line;
};

} // namespace

Expected<std::vector<int64_t>> CommandLine::extentsOf(const Stencil &stencil,
                                                      int64_t otherwise) const {
  std::vector<int64_t> extents(stencil.rank(), otherwise);
  for (const auto &[axis, points] : sizes) {
    const auto found = find(stencil.axes, axis);
    if (found == stencil.axes.end())
      return usage("--size names axis `{}`; stencil `{}` has {}", axis, stencil.name,
                   fmt::join(stencil.axes, ", "));
    extents[found - stencil.axes.begin()] = points;
  }
  return extents;
}

Expected<std::vector<int64_t>> CommandLine::onlyExtentsOf(const Stencil &stencil) const {
  if (!specialize)
    return std::vector<int64_t>();
  for (const std::string &axis : stencil.axes)
    if (none_of(sizes, [&](const auto &size) { return size.first == axis; }))
      return usage("--specialize takes the extent of each axis; --size says nothing of {}", axis);
  Expected<std::vector<int64_t>> extents = extentsOf(stencil, 0);
  if (!extents)
    return extents.takeError();
  const Signature signature = signatureOf(stencil);
  for (auto [axis, points] : enumerate(*extents))
    if (const int64_t least = std::max<int64_t>(signature.minimumExtent[axis], 1);
        points < least || points > kMaxExtent)
      return usage("--specialize takes {} to {} points along {}, not {}", least, kMaxExtent,
                   stencil.axes[axis], points);
  return extents;
}

Expected<CommandLine> parseCommandLine(ArrayRef<const char *> given) {
  BumpPtrAllocator allocator;
  SmallVector<const char *, 32> expanded(given.begin(), given.end());
  cl::ExpansionContext context(allocator, cl::TokenizeGNUCommandLine);
  if (Error error = context.expandResponseFiles(expanded))
    return usage("{}", toString(std::move(error)));

  const StencilcOptions options;
  unsigned missingIndex, missingCount;
  const InputArgList arguments = options.ParseArgs(expanded, missingIndex, missingCount);
  if (missingCount)
    return usage("`{}` takes a value", arguments.getArgString(missingIndex));
  if (const Arg *unknown = arguments.getLastArg(OPT_UNKNOWN)) {
    const std::string spelling = unknown->getAsString(arguments);
    std::string nearest;
    if (options.findNearest(spelling, nearest) <= 2)
      return usage("unknown option `{}`; did you mean `{}`?", spelling, nearest);
    return usage("unknown option `{}`; see stencilc --help", spelling);
  }
  for (const std::string &input : arguments.getAllArgValues(OPT_INPUT))
    if (StringRef(input).starts_with("@"))
      return usage("there is no response file `{}`", input.substr(1));
  return Reader(arguments).read();
}

void printHelp(raw_ostream &out) {
  StencilcOptions().printHelp(out, "stencilc [options] FILE.stn|-",
                              "from a stencil to CUDA that reads as if written by hand");
}

} // namespace stencilc
