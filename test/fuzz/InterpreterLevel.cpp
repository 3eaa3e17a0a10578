#include "test/fuzz/InterpreterLevel.h"

#include "codegen/lower/Lower.h"
#include "frontend/language/Frontend.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "ir/stencil/StencilSource.h"
#include "ir/verify/KernelAudit.h"
#include "test/ir/WalkComparison.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::fuzz {

/// The stencil printed as .stn text is that stencil.
static std::optional<Failure> testSource(const Stencil &stencil) {
  std::string text, messages;
  llvm::raw_string_ostream textOut(text), messagesOut(messages);
  printSource(textOut, stencil);
  DiagnosticEngine diagnostics(llvm::MemoryBuffer::getMemBufferCopy(text, "printed.stn"),
                               messagesOut);
  const std::optional<Stencil> again = stencilc::analyse(diagnostics, {});
  if (!again)
    return Failure{Failure::NotItself, messages + text, ""};
  if (auto what = stencilc::difference(stencil, *again))
    return Failure{Failure::NotItself, *what + " differs in\n" + text, ""};
  return std::nullopt;
}

/// A run gives the same cut in two.
static std::optional<Failure> testHalves(const Case &tested, const Stencil &stencil,
                                         const State &start) {
  State whole = start, halves = start;
  const int64_t half = tested.steps / 2;
  const bool wholeFails = llvm::errorToBool(interpret(stencil, whole, tested.steps));
  bool halvesFail = llvm::errorToBool(interpret(stencil, halves, half));
  halvesFail |= llvm::errorToBool(interpret(stencil, halves, tested.steps - half));
  if (wholeFails != halvesFail)
    return Failure{Failure::WrongStatus, "refused only if the run is, or is not, cut in two", ""};
  if (wholeFails)
    return std::nullopt;
  if (auto text = difference(stencil, whole, halves))
    return Failure{Failure::Differs, "the run cut in two: " + *text, ""};
  return std::nullopt;
}

/// A row is reduced as a run of thousands of points, however short it is: more take too long.
constexpr int64_t kMostRowsReduced = 4;

/// True if a run of one step, the first of all, does something, and is not refused.
static bool mayRun(const Program &program, const State &start) {
  const Signature &signature = program.signature;
  if (refusal(signature, start.extents, start.params))
    return false;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime && array.overTime->first < 0)
      return false;
  if (!signature.results.empty() && start.extents.front() > kMostRowsReduced)
    return false;
  for (auto [axis, extent] : llvm::enumerate(start.extents))
    if (extent == 0 || extent < signature.minimumExtent[axis])
      return false;
  return true;
}

static std::optional<Failure> testVariant(const Case &tested, const Stencil &stencil,
                                          const Variant &variant, const State &start,
                                          const State &expected, bool isRefused) {
  const Schedule schedule = scheduleOf(tested, stencil, variant);
  const std::string text = toString(schedule);
  llvm::Expected<VerifiedProgram> program = lower(stencil, schedule);
  if (!program) {
    llvm::Error error = program.takeError();
    const auto kind = error.isA<VerifierFailure>() ? Failure::Unverified : Failure::Unlowered;
    return Failure{kind, llvm::toString(std::move(error)), text};
  }

  State seen = start;
  InterpretOptions options;
  options.phase = tested.phase;
  options.maxGridYZ = tested.maxGridYZ;
  if (llvm::Error error = interpret(*program, seen, tested.steps, options)) {
    std::string message = llvm::toString(std::move(error));
    if (!isRefused)
      return Failure{Failure::WrongStatus, std::move(message), text};
    return std::nullopt;
  }
  if (isRefused)
    return Failure{Failure::WrongStatus, "the reference refuses these extents", text};
  if (auto where = difference(stencil, expected, seen))
    return Failure{Failure::Differs, *where, text};

  constexpr unsigned kAuditOneIn = 4;
  if (tested.seed % kAuditOneIn == 0 && mayRun(**program, start)) {
    if (llvm::Error error = audit(**program, start.extents, tested.phase))
      return Failure{Failure::Audited, llvm::toString(std::move(error)), text};
    Schedule inOne = schedule; // a walk numbers the blocks of all bands through
    inOne.band = 0;
    const WalkedStep walked =
        compareWalk(*llvm::cantFail(lower(stencil, inOne)), start.extents, tested.phase);
    if (!walked.difference.empty())
      return Failure{Failure::Walked, walked.difference, text};
  }
  return std::nullopt;
}

std::optional<Failure> testInterpreters(const Case &tested, const Stencil &stencil) {
  if (auto failure = testSource(stencil))
    return failure;
  const State start = llvm::cantFail(startOf(tested, stencil));
  if (auto failure = testHalves(tested, stencil, start))
    return failure;
  State expected = start;
  bool isRefused = llvm::errorToBool(interpret(stencil, expected, tested.steps));
  if (!isRefused && !stencil.reductions.empty()) {
    if (auto numbers = reduce(stencil, expected))
      expected.results = std::move(*numbers);
    else
      isRefused = llvm::errorToBool(numbers.takeError());
  }
  for (const Variant *variant : variantsFor(stencil))
    if (auto failure = testVariant(tested, stencil, *variant, start, expected, isRefused))
      return failure;
  return std::nullopt;
}

} // namespace stencilc::fuzz
