// A table in memory, and its text form.
#include "costmodel/device/CodeTable.h"
#include "costmodel/device/ShippedFile.h"
#include "costmodel/device/SourcedYaml.h"

#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace stencilc;

StringRef stencilc::spelling(Pipe pipe) {
  static constexpr StringLiteral names[kPipes] = {
      "fp32", "fp64", "integer", "multiply-add", "special", "load-store", "control", "uniform"};
  return names[unsigned(pipe)];
}

double InstructionMix::all() const { return std::accumulate(count.begin(), count.end(), 0.0); }

InstructionMix &InstructionMix::add(const InstructionMix &other, double times) {
  for (unsigned pipe = 0; pipe < kPipes; ++pipe)
    count[pipe] += times * other.count[pipe];
  chains += times * other.chains;
  return *this;
}

CodeMix stencilc::mixOf(Builtin function, ScalarType type) {
  return CodeMix(unsigned(CodeMix::FirstFunction) + 2 * unsigned(function) +
                 (type == ScalarType::F64));
}

// ---- places -----------------------------------------------------------------------------------

namespace {

/// Where a value stands, and what it can be.
struct Place {
  StringRef section;
  std::string key;
  ValueRange range;
};

/// Of a pipe.
constexpr ValueRange kInstructions = {0, 1e4};

/// Of the mixes, then the numbers.
const std::vector<Place> &places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> made = {
#define CODE_MIX(name, key) {"instructions", key, kInstructions},
#include "costmodel/device/CodeValues.def"
    };
    for (unsigned function = 0; function < kBuiltins; ++function)
      for (const char *type : {"-f32", "-f64"})
        made.push_back({"functions", (spelling(Builtin(function)) + type).str(), kInstructions});
    for (const Place &number : {
#define CODE_NUMBER(section, name, key, least, most) Place{section, key, {least, most}},
#include "costmodel/device/CodeValues.def"
         })
      made.push_back(number);
    return made;
  }();
  return all;
}

} // namespace

std::vector<SourcedValue> stencilc::valuesOf(const CodeTable &table) {
  std::vector<SourcedValue> values;
  const auto add = [&](const auto &value) {
    const Place &place = places()[values.size()];
    values.push_back({place.section.str(), place.key, value.calibrated()});
  };
  std::for_each(table.mixes.begin(), table.mixes.end(), add);
  std::for_each(table.numbers.begin(), table.numbers.end(), add);
  return values;
}

// ---- text -------------------------------------------------------------------------------------

namespace {
struct Section {
  CodeTable &table;
  StringRef name;
};
} // namespace

namespace llvm::yaml {

template <> struct MappingContextTraits<Sourced<InstructionMix>, ValueRange> {
  static void mapping(IO &io, Sourced<InstructionMix> &mix, ValueRange &) {
    for (unsigned pipe = 0; pipe < kPipes; ++pipe) {
      Exact count;
      io.mapOptional(spelling(Pipe(pipe)).data(), count);
      mix.value.count[pipe] = count.number;
    }
    mapSource(io, mix.source);
  }

  static std::string validate(IO &, Sourced<InstructionMix> &mix, ValueRange &range) {
    if (StringRef(mix.source).trim().empty())
      return "the source is empty";
    for (unsigned pipe = 0; pipe < kPipes; ++pipe)
      if (const double count = mix.value.count[pipe];
          !(count >= range.least && count <= range.most))
        return fmt::format("`{}` must be from {:g} to {:g}", spelling(Pipe(pipe)).str(),
                           range.least, range.most);
    return "";
  }
};

template <> struct MappingTraits<Section> {
  static void mapping(IO &io, Section &section) {
    for (unsigned i = 0; i < places().size(); ++i) {
      Place place = places()[i];
      if (place.section != section.name)
        continue;
      if (i < kCodeMixes)
        io.mapRequired(place.key.c_str(), section.table.mixes[i], place.range);
      else
        io.mapRequired(place.key.c_str(), section.table.numbers[i - kCodeMixes], place.range);
    }
  }
};

template <> struct MappingTraits<CodeTable> {
  static void mapping(IO &io, CodeTable &table) {
    ValueRange capability = {1, 100};
    io.mapRequired("name", table.name);
    io.mapRequired("compute-capability", table.computeCapability, capability);
    StringRef before;
    for (const Place &place : places()) {
      if (place.section == std::exchange(before, place.section))
        continue;
      Section section{table, place.section};
      io.mapRequired(place.section.data(), section);
    }
  }
};

} // namespace llvm::yaml

Expected<CodeTable> stencilc::parseCodeTable(MemoryBufferRef text) {
  CodeTable table;
  if (Error error = readYaml(text, "table", table))
    return error;
  table.file = text.getBufferIdentifier().str();
  return table;
}

// ---- what ships -------------------------------------------------------------------------------

static constexpr ShippedFile kShippedTables[] = {
#include "costmodel/device/ShippedTables.inc"
};

Expected<std::shared_ptr<const CodeTable>> stencilc::loadCodeTable(StringRef nameOrFile) {
  auto text = openYaml(kShippedTables, "code table", nameOrFile);
  if (!text)
    return text.takeError();
  Expected<CodeTable> table = parseCodeTable(**text);
  if (!table)
    return table.takeError();
  return std::make_shared<const CodeTable>(std::move(*table));
}

const CodeTable &stencilc::usualCodeTable() {
  static const std::shared_ptr<const CodeTable> table = cantFail(loadCodeTable("sm90"));
  return *table;
}
