// InstructionKinds: where a point's instructions go, as far as a user can do something about it:
// divisions and functions, which compile to many each; and values that are made at several points.
#pragma once

#include "costmodel/device/CodeTable.h"
#include "ir/stencil/Stencil.h"

#include <optional>

namespace stencilc {

struct Report;

/// Of threads, for a point and a step, of which a launch may make several; in the launch that takes
/// longest. The model counts instructions.
double instructionsPerPoint(const Report &report);

/// Divisions, or one of the functions, of either type; of a point and a step, in that launch.
struct InstructionKind {
  std::string name;        ///< "division", "exp"
  double times = 0;        ///< executions
  double instructions = 0; ///< that these are, by the estimate of compiled code
  /// Those of divisions by a number of the run, or of powers that are products and roots: of
  /// exponents 2.5, 1/3 and the like.
  double avoidableTimes = 0, avoidableInstructions = 0;
};
/// What takes most first; none where the model counts no instructions.
std::vector<InstructionKind> instructionKinds(const Report &report);

/// "Of a point's 700 instructions 420 are for 12 divisions, 90 for 1 exp.": the kinds that take
/// much; empty where together they do not, or where instructions are not what takes longest.
std::string instructionKindsText(const Report &report);

/// "12 divisions", "1 exp", "2.5 pow".
std::string timesText(double times, const std::string &name);

/// A value that formulas of a stage ask for at several points, at each of which it is computed
/// anew.
struct MovedValue {
  std::string name; ///< of a `let`, or as the language writes it, in quotes; or what it is made of
  unsigned points = 0;
  double instructions = 0; ///< of its arithmetic, at one of these
  unsigned others = 0;     ///< such values beside it
  double savedByOthers = 0;
  double saved() const { return (points - 1) * instructions + savedByOthers; }
};
/// Of the stage that would save most if each point computed its own values alone, the one that
/// saves most.
std::optional<MovedValue> mostMoved(const Stencil &stencil, const CodeTable &table);

/// Whether instructions or arithmetic are the work that takes longest.
bool takesInstructions(const Report &report);
/// A kind that takes this share of a point's instructions is much.
inline constexpr double kMuchOfInstructions = 0.1;

} // namespace stencilc
