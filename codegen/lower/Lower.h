// The only door from Stencil and Schedule to a verified Program: legality, lower, verify.
#pragma once

#include "codegen/lower/TempsAgain.h"
#include "codegen/lower/ValuesOnce.h"
#include "codegen/lower/Variant.h"
#include "ir/verify/KernelVerifier.h"

namespace stencilc {

/// An illegal schedule is refused with its reason. A failure of the verifier is a fatal internal
/// error and comes back as VerifierFailure.
llvm::Expected<VerifiedProgram> lower(const Stencil &stencil, const Schedule &schedule);

/// The stencil in the form that the schedule lowers: with its temps stored or computed again
/// (codegen/lower/TempsAgain.h), with more of them (codegen/lower/ValuesOnce.h), in as few stages
/// as possible (codegen/lower/JoinedStages.h); or why it has no such form.
llvm::Expected<StencilForm> formFor(const Stencil &stencil, const Schedule &schedule);
/// The same as lower(), for who lowers one form by many schedules.
llvm::Expected<VerifiedProgram> lowerForm(const StencilForm &form, const Schedule &schedule);
/// Why the schedule cannot lower its form; success if it can.
llvm::Error checkLegal(const StencilForm &form, const Schedule &schedule);

/// What a Program that is written has to pass beyond that: the audit (ir/verify/KernelAudit.h). It
/// fails with a VerifierFailure.
llvm::Error auditLowered(const VerifiedProgram &program);

/// The fixed sensible schedule used when nothing is forced.
Schedule defaultSchedule(const Stencil &stencil);

/// Our own fault: the lowering made a Program that the verifier or the audit refuses.
class VerifierFailure : public llvm::ErrorInfo<VerifierFailure> {
public:
  static char ID;
  explicit VerifierFailure(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  std::string message;
};

} // namespace stencilc
