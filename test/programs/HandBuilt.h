// The programs built by hand, in one table: what each is made of and what it is tried on. Every
// test of them, and of planted faults, goes through the table.
#pragma once

#include "test/fuzz/TextRun.h"

namespace stencilc {

struct HandBuilt {
  std::string name; ///< letters and digits; unique
  Stencil (*stencil)();
  Program (*build)(const Stencil &);
  /// Grids below, at and above what blocks, chunks and frames are made for.
  std::vector<std::vector<int64_t>> extents;
  std::vector<int64_t> steps = {1, 2, 3}; ///< of the runs on each
  /// Params beside the defaults, with which each of those is run.
  std::vector<std::vector<std::pair<std::string, double>>> params = {{}};
  /// Faults are planted in it: in one of those that differ by a number or a type alone.
  bool takesFaults = false;
  /// With faults in it short addresses do not reach as far as its largest grid.
  bool runsLong = false;
  /// Of a kind, those that have this in their names.
  struct Fault {
    llvm::StringRef kind, part;
  };
  /// Those alone, of Programs of variants that have far more; empty: every one.
  std::vector<Fault> faults = {};
};

llvm::ArrayRef<HandBuilt> handBuilt();

/// Each grid with each number of steps; in turns on rows that start pieces of 16 bytes and on rows
/// that do not, in slabs or whole.
std::vector<fuzz::Case> casesOf(const HandBuilt &built);

/// The Program that takes every row for aligned: the interpreter does not mind, and so runs what
/// is aligned on rows of all lengths.
Program takingRowsForAligned(Program program);
/// True if that makes a difference.
bool asksForAlignment(const Program &program);

} // namespace stencilc
