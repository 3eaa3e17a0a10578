#include "codegen/lower/Lower.h"

#include "codegen/lower/JoinedStages.h"
#include "codegen/lower/NextInWorkspace.h"
#include "codegen/lower/SharedSides.h"
#include "codegen/lower/UnreadEnds.h"
#include "codegen/lower/UnreadTemps.h"
#include "ir/verify/KernelAudit.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

char VerifierFailure::ID = 0;

Schedule stencilc::defaultSchedule(const Stencil &stencil) {
  return variants().front().defaultSchedule(stencil);
}

/// The schedule as its variant knows it: what the form is has been decided.
static Schedule ofVariant(Schedule schedule) {
  llvm::erase(schedule.flags, kTempsAgain);
  llvm::erase(schedule.flags, kValuesOnce);
  return schedule;
}

/// Launches that make steps go on in bands; those that copy frames are short.
static void cutIntoBands(Program &program, int band) {
  forEachLaunchOf(program.plan, [&](Launch &launch) {
    if (program.kernels[launch.kernel].promisesResidency)
      launch.cover.band = band;
  });
}

/// Loads of what is only read say so one by one.
static void askForReadOnlyPath(Program &program) {
  for (Kernel &kernel : program.kernels)
    for (ArrayArgument &array : kernel.arrays)
      array.asksForPath = array.readOnlyPath;
}

static llvm::Expected<StencilForm> inContext(const char *what, llvm::Expected<StencilForm> form) {
  if (form)
    return form;
  return llvm::createStringError(what + llvm::toString(form.takeError()));
}

/// The stencil with its temps, or its values, as the flags have it.
static llvm::Expected<StencilForm> flaggedForm(const Stencil &stencil, const Schedule &schedule) {
  const bool again = schedule.hasFlag(kTempsAgain), once = schedule.hasFlag(kValuesOnce);
  if (again && once)
    return llvm::createStringError("`" + kTempsAgain + "` is the opposite of `" + kValuesOnce +
                                   "`: one of them");
  if (again)
    return inContext("temps cannot be computed again: ", withTempsAgain(stencil));
  if (once)
    return inContext("no value can be computed once: ", withValuesOnce(stencil));
  return StencilForm{stencil};
}

llvm::Expected<StencilForm> stencilc::formFor(const Stencil &stencil, const Schedule &schedule) {
  llvm::Expected<StencilForm> form = flaggedForm(withoutUnreadTemps(stencil), schedule);
  if (form)
    form->stencil = withoutUnreadEnds(withSidesShared(withStagesJoined(std::move(form->stencil))));
  return form;
}

llvm::Error stencilc::checkLegal(const StencilForm &form, const Schedule &schedule) {
  const Variant *variant = findVariant(schedule.variant);
  if (!variant)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "there is no variant `%s`",
                                   schedule.variant.c_str());
  return variant->checkLegal(form.stencil, ofVariant(schedule));
}

llvm::Expected<VerifiedProgram> stencilc::lower(const Stencil &stencil, const Schedule &schedule) {
  llvm::Expected<StencilForm> form = formFor(stencil, schedule);
  if (!form)
    return form.takeError();
  return lowerForm(*form, schedule);
}

llvm::Expected<VerifiedProgram> stencilc::lowerForm(const StencilForm &form,
                                                    const Schedule &schedule) {
  if (llvm::Error error = checkLegal(form, schedule))
    return error;
  Program program = findVariant(schedule.variant)->lower(form.stencil, ofVariant(schedule));
  program.schedule = schedule;
  cutIntoBands(program, schedule.band);
  if (schedule.hasFlag(kLdgFlag.name))
    askForReadOnlyPath(program);
  std::vector<unsigned> inWorkspace = fieldsBeside(form.stencil, program);
  llvm::append_range(inWorkspace, form.inWorkspace);
  if (!inWorkspace.empty())
    makeInWorkspace(program, inWorkspace);
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
