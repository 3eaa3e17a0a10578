// Variant: one way to compute a stencil. Each is one file under variants/, one line in Variants.def
// and one line in CMakeLists.txt.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/kernel/Schedule.h"

#include "llvm/Support/Error.h"

namespace stencilc {

struct VariantFlag {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning; ///< one line for --list-variants
};
/// What `plain` is of any variant that has it.
inline constexpr VariantFlag kPlainFlag = {
    "plain", "loads go as stores do, not by the path of what is only read"};
/// ... of threads of one point: the text of what is not `plain`.
inline constexpr VariantFlag kLdgFlag = {
    "ldg", "loads ask for the path of what is only read, each by `__ldg`"};

struct Variant {
  llvm::StringRef name;    ///< its word in a schedule
  llvm::StringRef summary; ///< one line for --list-variants
  /// The schedule used when none is asked for: legal if the variant can compute this stencil.
  Schedule (*defaultSchedule)(const Stencil &stencil);
  /// Why this schedule cannot be lowered, in the user's words; success if it can.
  llvm::Error (*checkLegal)(const Stencil &stencil, const Schedule &schedule);
  /// Lowers a legal schedule.
  Program (*lower)(const Stencil &stencil, const Schedule &schedule);
  /// Schedules worth a forecast, simplest first (codegen/lower/Candidates.h). Null: chosen by name
  /// only.
  std::vector<Schedule> (*candidates)(const Stencil &stencil) = nullptr;
  /// Schedules worth a forecast where this one, a candidate, is among the best; legal if it is.
  std::vector<Schedule> (*besides)(const Stencil &stencil, const Schedule &best) = nullptr;
  llvm::ArrayRef<VariantFlag> flags = {}; ///< that its schedules may have, sorted
  Target target = Target::Device;         ///< of its Programs
  /// One launch makes several steps, or the stages of one, in tiles that overlap.
  bool fuses = false;
};

std::vector<llvm::StringRef> namesOf(llvm::ArrayRef<VariantFlag> flags);

/// All variants, in the order of Variants.def.
llvm::ArrayRef<Variant> variants();
/// Those that can compute this stencil by their default schedules.
std::vector<const Variant *> variantsFor(const Stencil &written);
/// Null if there is none of that name.
const Variant *findVariant(llvm::StringRef name);
/// Of the schedule's variant: Variant::fuses.
bool fuses(const Schedule &schedule);

} // namespace stencilc
