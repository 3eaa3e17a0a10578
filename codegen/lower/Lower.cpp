#include "codegen/lower/Lower.h"

#include "ir/verify/KernelAudit.h"

using namespace stencilc;

char VerifierFailure::ID = 0;

Schedule stencilc::defaultSchedule(const Stencil &stencil) {
  return variants().front().defaultSchedule(stencil);
}

llvm::Expected<VerifiedProgram> stencilc::lower(const Stencil &stencil, const Schedule &schedule) {
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
