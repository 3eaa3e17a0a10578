// TracedPrograms: Programs printed, compiled to report their accesses, and run for one pass.
#pragma once

#include "test/fuzz/TextForms.h"
#include "test/trace/TracedText.h"
#include "test/trace/Traffic.h"

namespace stencilc::trace {

/// A Program and its text, which a test may change.
struct PrintedProgram {
  VerifiedProgram program;
  fuzz::TextForm form;
  std::string text;
};

/// Lowers and prints under a C name that must be unique among programs that are compiled together.
PrintedProgram printProgram(Stencil stencil, const Schedule &schedule, const std::string &name);

/// Where all arrays lie.
struct Placement {
  std::vector<int64_t> extents;
  int phase = 0; ///< elements by which point 0 follows a 128-byte line
  int pitch = 0; ///< further elements in each row
};

/// The first pass of one program.
struct TracedStep {
  StepTraffic walked, logged;
  std::vector<LoggedAccess> accesses; ///< what `logged` is made of
  std::string message;                ///< what the run returned; empty: success
};

class TracedPrograms {
public:
  explicit TracedPrograms(std::vector<PrintedProgram> programs);

  TracedStep run(size_t program, const Placement &placement);
  /// A log tells the turns of a loop apart by their order, lane by lane: where lanes skip a turn,
  /// as those that fill a tile may, theirs are taken for other ones, and requests cannot be told.
  bool tellsRequests(size_t program) const;
  /// Where walker and text differ, in words; empty if nowhere.
  std::string difference(size_t program, const TracedStep &step);
  std::string lineOf(uintptr_t instruction) { return text.lineOf(instruction); }
  const PrintedProgram &operator[](size_t program) const { return programs[program]; }
  size_t size() const { return programs.size(); }

private:
  std::vector<PrintedProgram> programs;
  TracedText text;
};

} // namespace stencilc::trace
