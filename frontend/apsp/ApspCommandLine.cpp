#include "frontend/apsp/ApspCommandLine.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

using namespace llvm;
using namespace llvm::opt;

namespace stencilc {

StringRef spelling(WeightType type) {
  switch (type) {
  case WeightType::F32:
    return "f32";
  case WeightType::F64:
    return "f64";
  case WeightType::S32:
    return "s32";
  case WeightType::S16:
    return "s16";
  case WeightType::U16:
    return "u16";
  }
  llvm_unreachable("all types are handled");
}

namespace {

// The table that llvm-tblgen makes of ApspOptions.td.
enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "frontend/apsp/ApspOptions.inc"
#undef OPTION
};
#define PREFIX(NAME, VALUE)                                                                        \
  constexpr StringLiteral NAME##_init[] = VALUE;                                                   \
  constexpr ArrayRef<StringLiteral> NAME(NAME##_init, std::size(NAME##_init) - 1);
#include "frontend/apsp/ApspOptions.inc"
#undef PREFIX
constexpr OptTable::Info kOptions[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "frontend/apsp/ApspOptions.inc"
#undef OPTION
};

class ApspOptions : public GenericOptTable {
public:
  ApspOptions() : GenericOptTable(kOptions) {}
};

template <class... Arguments>
Error usage(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
  return createStringError(inconvertibleErrorCode(),
                           Twine(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

/// Fills an ApspCommandLine from parsed arguments, a group of options at a time.
class Reader {
public:
  explicit Reader(const InputArgList &arguments) : arguments(arguments) {}

  Expected<ApspCommandLine> read() {
    line.action = has(OPT_help)                                  ? ApspAction::Help
                  : has(OPT_version)                             ? ApspAction::Version
                  : has(OPT_list_gpus)                           ? ApspAction::ListGpus
                  : has(OPT_print_gpu_EQ)                        ? ApspAction::PrintGpu
                  : has(OPT_sweep_EQ)                            ? ApspAction::Sweep
                  : has(OPT_explain) || has(OPT_explain_form_EQ) ? ApspAction::Explain
                                                                 : ApspAction::Solve;
    line.verbose = has(OPT_verbose);
    if (has(OPT_print_gpu_EQ))
      line.gpu = last(OPT_print_gpu_EQ);
    for (auto group :
         {&Reader::readKernel, &Reader::readForecast, &Reader::readRun, &Reader::checkTogether})
      if (Error error = (this->*group)())
        return error;
    return std::move(line);
  }

private:
  bool has(OptionId id) const { return arguments.hasArg(id); }
  StringRef last(OptionId id) const { return arguments.getLastArgValue(id); }

  /// Sets `value` from an option that takes one of some words.
  template <class Value>
  Error readWord(OptionId id, Value &value, StringRef option,
                 ArrayRef<std::pair<StringRef, Value>> words) {
    if (!has(id))
      return Error::success();
    const auto *found = find_if(words, [&](const auto &word) { return word.first == last(id); });
    if (found == words.end()) {
      std::vector<std::string> known;
      for (const auto &word : words)
        known.push_back(word.first.str());
      return usage("`{}={}` is not known; it takes {}", option.str(), last(id).str(),
                   join(known, ", "));
    }
    value = found->second;
    return Error::success();
  }

  template <class Number>
  Error readNumber(StringRef option, StringRef text, Number least, Number &number) {
    if (text.getAsInteger(10, number) || number < least)
      return usage("{} is `{}`; it takes a whole number from {} on", option.str(), text.str(),
                   least);
    return Error::success();
  }
  Error readNodes(StringRef option, StringRef text, int64_t least, int64_t &nodes) {
    if (text.getAsInteger(10, nodes) || nodes < least || nodes > apsp::maximumExtent)
      return usage("{} is `{}`; it takes a whole number from {} to {}", option.str(), text.str(),
                   least, apsp::maximumExtent);
    return Error::success();
  }

  Error readKernel() {
    if (has(OPT_algorithm_EQ) && last(OPT_algorithm_EQ) != "auto") {
      line.algorithm = parseApspAlgorithm(last(OPT_algorithm_EQ));
      if (!line.algorithm)
        return usage("`--algorithm={}` is not known; it takes auto, min-plus, floyd-warshall or "
                     "blocked",
                     last(OPT_algorithm_EQ).str());
    }
    for (auto [id, name, member] : {std::tuple(OPT_block_EQ, "--block", &line.block),
                                    std::tuple(OPT_tile_EQ, "--tile", &line.tile)})
      if (has(id))
        if (Error error = readNumber(name, last(id), 1, member->emplace()))
          return error;
    const bool blocked = line.algorithm == ApspAlgorithm::Blocked;
    if ((line.block || line.tile) && !line.algorithm)
      return usage("--block and --tile go with an --algorithm");
    if (line.block && !blocked && !is_contained(kProfiledBlockWidths, *line.block))
      return usage("--block={} does not exist; {} takes 8, 16 or 32", *line.block,
                   spelling(*line.algorithm).str());
    if (line.tile && !blocked)
      return usage("--tile goes with --algorithm=blocked");
    if (line.block && blocked && !is_contained({64, 128, 256}, *line.block))
      return usage("--block={} does not exist; blocked takes 64, 128 or 256", *line.block);
    if (line.tile && !is_contained({64, 128}, *line.tile))
      return usage("--tile={} does not exist; it takes 64 or 128", *line.tile);
    return readWord<WeightType>(OPT_type_EQ, line.type, "--type",
                                {{"f32", WeightType::F32},
                                 {"f64", WeightType::F64},
                                 {"s32", WeightType::S32},
                                 {"s16", WeightType::S16},
                                 {"u16", WeightType::U16}});
  }

  Error readForecast() {
    if (has(OPT_gpu_EQ))
      line.gpu = last(OPT_gpu_EQ);
    line.runs = last(OPT_runs_EQ);
    if (has(OPT_n0_EQ))
      if (Error error = readNodes("--n0", last(OPT_n0_EQ), 3, line.n0))
        return error;
    if (has(OPT_nodes_EQ))
      if (Error error = readNodes("--nodes", last(OPT_nodes_EQ), 0, line.nodes.emplace()))
        return error;
    if (Error error = readWord<bool>(OPT_explain_form_EQ, line.json, "--explain",
                                     {{"text", false}, {"json", true}}))
      return error;
    if (Error error =
            readWord<LaunchMode>(OPT_launches_EQ, line.launches, "--launches",
                                 {{"graph", LaunchMode::Graph}, {"stream", LaunchMode::Stream}}))
      return error;
    return has(OPT_sweep_EQ) ? readSweep(last(OPT_sweep_EQ)) : Error::success();
  }

  Error readSweep(StringRef text) {
    SmallVector<StringRef> parts;
    text.split(parts, ':');
    SweepRange &range = line.sweep;
    if (parts.size() < 2 || parts.size() > 3 || parts[0].getAsInteger(10, range.first) ||
        parts[1].getAsInteger(10, range.last) ||
        (parts.size() == 3 && parts[2].getAsInteger(10, range.step)) || range.first < 1 ||
        range.last < range.first || range.last > apsp::maximumExtent || range.step < 1)
      return usage("--sweep is `{}`; it takes <from>:<to> or <from>:<to>:<step>, rising, up to {}",
                   text.str(), apsp::maximumExtent);
    return Error::success();
  }

  Error readRun() {
    const std::vector<std::string> files = arguments.getAllArgValues(OPT_INPUT);
    if (files.size() > 1)
      return usage("`{}` and `{}` are both inputs; it takes one", files[0], files[1]);
    line.input = files.empty() ? "" : files[0];
    line.output = last(OPT_output);
    if (has(OPT_paths) || has(OPT_paths_kind_EQ))
      line.paths = apsp::PathKind::FirstHop;
    if (Error error = readWord<apsp::PathKind>(OPT_paths_kind_EQ, line.paths, "--paths",
                                               {{"first-hop", apsp::PathKind::FirstHop},
                                                {"predecessor", apsp::PathKind::Predecessor}}))
      return error;
    if (has(OPT_from_EQ))
      if (Error error = readNumber<int64_t>("--from", last(OPT_from_EQ), 0, line.from.emplace()))
        return error;
    for (const std::string &text : arguments.getAllArgValues(OPT_to_EQ))
      if (Error error = readNumber<int64_t>("--to", text, 0, line.to.emplace_back()))
        return error;
    return readWord<ApspTarget>(
        OPT_target_EQ, line.target, "--target",
        {{"auto", ApspTarget::Auto}, {"cuda", ApspTarget::Cuda}, {"host", ApspTarget::Host}});
  }

  Error checkTogether() {
    if (line.from.has_value() == line.to.empty())
      return usage("--from and --to go together");
    if (line.tile == 128 && line.type == WeightType::F64)
      return usage("--tile=128 does not exist for f64; it takes 64");
    // What 128 of s32 need is seen with the graph.
    if (line.algorithm == ApspAlgorithm::Blocked && line.wantsPaths() &&
        line.block.value_or(64) > (line.type == WeightType::S32 ? 128 : 64))
      return usage("--block={} does not exist with paths; it takes 64, or 128 with --type=s32 and "
                   "weights from 0 to 2^22 / n",
                   *line.block);
    if (line.action == ApspAction::Sweep && !line.algorithm)
      return usage("--sweep goes with an --algorithm");
    if (line.action == ApspAction::Sweep && !line.input.empty())
      return usage("--sweep takes no graph");
    if (line.action == ApspAction::Explain && line.input.empty() && !line.nodes)
      return usage("--explain takes a graph or --nodes");
    if (line.action != ApspAction::Solve)
      return Error::success();
    if (line.input.empty())
      return usage("no input; it takes a .gr, .mtx or .npy file");
    if (line.nodes)
      return usage("--nodes goes with --explain");
    if (line.target == ApspTarget::Host && line.algorithm &&
        line.algorithm != ApspAlgorithm::Blocked)
      return usage("--target=host knows --algorithm=blocked only");
    if (!line.output.empty() && !StringRef(line.output).ends_with(".npy"))
      return usage("-o is `{}`; distances are written as .npy", line.output);
    if (line.paths != apsp::PathKind::None && line.output.empty() && !line.from)
      return usage("--paths goes with -o");
    return Error::success();
  }

  const InputArgList &arguments;
  ApspCommandLine line;
};

} // namespace

Expected<ApspCommandLine> parseApspCommandLine(ArrayRef<const char *> given) {
  const ApspOptions options;
  unsigned missingIndex, missingCount;
  const InputArgList arguments = options.ParseArgs(given, missingIndex, missingCount);
  if (missingCount)
    return usage("`{}` takes a value", arguments.getArgString(missingIndex));
  if (const Arg *unknown = arguments.getLastArg(OPT_UNKNOWN)) {
    const std::string spelling = unknown->getAsString(arguments);
    std::string nearest;
    if (options.findNearest(spelling, nearest) <= 2)
      return usage("unknown option `{}`; did you mean `{}`?", spelling, nearest);
    return usage("unknown option `{}`; see stencilc-apsp --help", spelling);
  }
  return Reader(arguments).read();
}

void printApspHelp(raw_ostream &out) {
  ApspOptions().printHelp(out, "stencilc-apsp [options] GRAPH.gr|GRAPH.mtx|GRAPH.npy",
                          "all-pairs shortest paths of a graph");
}

} // namespace stencilc
