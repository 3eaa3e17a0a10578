// Case: everything one random test runs, drawn from one seed; and how its parts become inputs.
#pragma once

#include "codegen/lower/Variant.h"
#include "ir/run/Grid.h"
#include "test/fuzz/Source.h"

namespace stencilc::fuzz {

struct Case {
  uint64_t seed = 0;
  SourceProgram program;
  std::string text;                  ///< of a program that was not drawn, in place of `program`
  ScalarType real = ScalarType::F64; ///< what `real` means (--real=)

  std::vector<int64_t> extents;   ///< slowest axis first
  bool keepsShortPeriods = false; ///< extents below a periodic minimum stay, and must be refused
  int64_t steps = 1;
  int64_t firstStep = 0;   ///< steps completed before
  int64_t valuesAhead = 0; ///< of arrays over time, beyond those of the steps that run
  std::vector<std::pair<std::string, double>> params;       ///< values that replace defaults
  std::vector<std::pair<std::string, std::string>> defines; ///< new defaults (-D)
  uint64_t dataSeed = 0;
  bool hasSpecialValues = false; ///< some data are zeros of both signs, infinite, NaN or denormal

  // The schedule, as far as a variant finds it legal.
  std::array<int, 3> block = {1, 1, 1};
  int chunk = 1;
  std::array<int, 2> pointsPerThread = {1, 1};
  int prefetch = 0;
  int band = 0;
  int residency = 0; ///< 0: as the variant chooses
  /// Bit i: flag number i of the variant; after its own, that which computes temps again.
  unsigned flags = 0;

  // Memory.
  int phase = 0;            ///< elements by which point (0,0,0) follows a 128-byte line
  int pitch = 0;            ///< further elements in each row
  bool alignsRows = false;  ///< the contiguous extent grows until rows hold whole vectors
  bool fillsBlocks = false; ///< extents grow until the first update's points fill all blocks
  int64_t maxGridYZ = 65535;
};

std::string toText(const Case &tested);

/// The case's Stencil; none if the front end refuses it, with what it said in `diagnostics`.
std::optional<Stencil> analyse(const Case &tested, std::string &diagnostics);

/// The case's extents, raised to the least that periodic boundaries allow unless it keeps them.
std::vector<int64_t> extentsOf(const Case &tested, const Stencil &stencil);

/// Random data everywhere, except in ghost points that no update reads: those hold NaN.
llvm::Expected<State> startOf(const Case &tested, const Stencil &stencil);

/// The variant's default schedule with as many of the case's wishes as are legal.
Schedule scheduleOf(const Case &tested, const Stencil &stencil, const Variant &variant);

/// Whether two results are the same bits; all NaNs are one.
bool areSame(double expected, double seen);

/// Where two states differ, in words; none if they hold the same bits (all NaNs being one).
std::optional<std::string> difference(const Stencil &stencil, const State &expected,
                                      const State &seen);

/// What a test of a case found.
struct Failure {
  enum Kind {
    Refused,
    NotItself, ///< printed as text, it means something else
    NotRefused,
    Unverified,
    Unlowered,
    Audited,
    Walked,
    WrongStatus,
    Differs,
    NotCompiled,
    Crashed
  };
  Kind kind;
  std::string text;
  std::string schedule; ///< empty: found before or without one
};

} // namespace stencilc::fuzz
