#include "codegen/lower/Lower.h"

#include "ir/stencil/SourceError.h"
#include "ir/verify/KernelAudit.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

char VerifierFailure::ID = 0;

static llvm::Error refuse(SourcePosition position, std::string message) {
  return llvm::make_error<SourceError>(position, std::move(message));
}

/// Kinds of arrays, params and boundaries that no variant lowers yet.
static llvm::Error checkDeclarations(const Stencil &stencil) {
  for (const Array &array : stencil.arrays) {
    if (array.isOverTime)
      return refuse(array.position,
                    fmt::format("`{}`, an array over time, is not compiled yet", array.name));
  }
  for (const Reduction &reduction : stencil.reductions)
    return refuse(reduction.position,
                  fmt::format("reduction `{}` is not compiled yet", reduction.name));
  return llvm::Error::success();
}

static bool hasWholeNumbers(const Formula &formula) {
  return llvm::any_of(formula.exprs, [](const Expr &expr) { return expr.type == ScalarType::Int; });
}

/// Kinds of updates that no variant lowers yet.
static llvm::Error checkUpdates(const Stencil &stencil) {
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates) {
      if (hasWholeNumbers(update.formula))
        return refuse(update.position, "positions and the step number in a formula are not "
                                       "compiled yet");
    }
  for (const Array &array : stencil.arrays)
    for (unsigned axis : array.axes)
      for (const Boundary &boundary : array.boundary[axis])
        if (hasWholeNumbers(boundary.value))
          return refuse(array.position, fmt::format("a boundary of `{}` that depends on the step "
                                                    "number is not compiled yet",
                                                    array.name));
  return llvm::Error::success();
}

/// What the language has and no variant lowers yet.
static llvm::Error checkSupported(const Stencil &stencil) {
  if (llvm::Error error = checkDeclarations(stencil))
    return error;
  return checkUpdates(stencil);
}

Schedule stencilc::defaultSchedule(const Stencil &stencil) {
  return variants().front().defaultSchedule(stencil);
}

llvm::Expected<VerifiedProgram> stencilc::lower(const Stencil &stencil, const Schedule &schedule) {
  if (llvm::Error error = checkSupported(stencil))
    return error;
  const Variant *variant = findVariant(schedule.variant);
  if (!variant)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "there is no variant `%s`",
                                   schedule.variant.c_str());
  if (llvm::Error error = variant->checkLegal(stencil, schedule))
    return error;
  Program program = variant->lower(stencil, schedule);
  program.schedule = schedule;
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(std::move(program));
  if (!verified)
    return llvm::make_error<VerifierFailure>(llvm::toString(verified.takeError()));
  return verified;
}

llvm::Error stencilc::auditLowered(const VerifiedProgram &program) {
  if (llvm::Error error = audit(*program))
    return llvm::make_error<VerifierFailure>(llvm::toString(std::move(error)));
  return llvm::Error::success();
}
