// CodeTable: what a compiler makes of kernels for one architecture, as data.
//
// One YAML file per architecture, in code/, where every value stands beside its source as in a
// device profile, and nothing has a default. A profile names the table by which its device's code
// is estimated. The values are listed in CodeValues.def; the rules that they are for stand in
// costmodel/compiled. What is one instruction by the instruction set (a load, a store, an addition
// of numbers, a barrier) is no value of a table.
#pragma once

#include "costmodel/device/InstructionMix.h"
#include "costmodel/device/Sourced.h"
#include "ir/stencil/Scalar.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <bitset>
#include <memory>
#include <vector>

namespace stencilc {

/// Instructions of something that compiled code does.
enum class CodeMix : unsigned {
#define CODE_MIX(name, key) name,
#include "costmodel/device/CodeValues.def"
  FirstFunction ///< then every function, for f32 and for f64
};
inline constexpr unsigned kCodeMixes = unsigned(CodeMix::FirstFunction) + 2 * kBuiltins;
CodeMix mixOf(Builtin function, ScalarType type);

enum class CodeNumber : unsigned {
#define CODE_NUMBER(section, name, key, least, most) name,
#include "costmodel/device/CodeValues.def"
};
inline constexpr unsigned kCodeNumbers = 0
#define CODE_NUMBER(section, name, key, least, most) +1
#include "costmodel/device/CodeValues.def"
    ;

struct CodeTable {
  std::string file; ///< that it was read from
  std::string name;
  Sourced<double> computeCapability; ///< that the code was compiled for
  std::array<Sourced<InstructionMix>, kCodeMixes> mixes;
  std::array<Sourced<double>, kCodeNumbers> numbers;

  const InstructionMix &operator[](CodeMix mix) const { return mixes[unsigned(mix)].value; }
  double operator[](CodeNumber number) const { return numbers[unsigned(number)].value; }
};

/// Some of a table's values: a bit for each mix, then for each number.
using CodeValues = std::bitset<kCodeMixes + kCodeNumbers>;
/// In the order of those bits.
std::vector<SourcedValue> valuesOf(const CodeTable &table);

/// Reads one table; errors name the buffer, line and column.
llvm::Expected<CodeTable> parseCodeTable(llvm::MemoryBufferRef yaml);
/// A table that ships with stencilc by its name (`sm90`), or one read from `FILE.yaml`.
llvm::Expected<std::shared_ptr<const CodeTable>> loadCodeTable(llvm::StringRef nameOrFile);
/// The table that is taken where no device is spoken of.
const CodeTable &usualCodeTable();

} // namespace stencilc
