// What the tests of papers share: stencils, counts and tables.
#pragma once

#include "costmodel/model/Prediction.h"
#include "test/Examples.h"
#include "test/costmodel/LoweredAsUsual.h"

#include <map>

namespace stencilc {

/// A stencil of examples/ ("7pt1") or of test/papers ("Inputs/star1").
inline Stencil paperStencil(const std::string &name, ScalarType real) {
  const bool isInput = llvm::StringRef(name).starts_with("Inputs/");
  return stencilIn((isInput ? PAPERS "/" : STENCILC_EXAMPLES "/") + name + ".stn", real);
}

/// A lowered program and its counts, which point into it.
struct Counted {
  Counted(const Stencil &stencil, const std::string &schedule, llvm::ArrayRef<int64_t> extents)
      : program(loweredAsUsual(stencil, schedule)),
        counts(llvm::cantFail(countProgram(program, extents))) {}
  Counted(const Counted &) = delete;

  const VerifiedProgram program;
  const ProgramCounts counts;
};

/// The rows of test/papers/FILE by the names of their columns; "-" fields are left out.
inline std::vector<std::map<std::string, std::string>> paperTable(const std::string &file) {
  const auto buffer =
      llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(PAPERS "/" + file)));
  llvm::SmallVector<llvm::StringRef> lines, names, fields;
  buffer->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::map<std::string, std::string>> rows;
  for (llvm::StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    fields.clear();
    line.split(fields, ',');
    if (names.empty()) {
      names = fields;
      continue;
    }
    auto &row = rows.emplace_back();
    for (auto [name, field] : llvm::zip_equal(names, fields))
      if (field != "-")
        row[name.str()] = field.str();
  }
  return rows;
}

} // namespace stencilc
