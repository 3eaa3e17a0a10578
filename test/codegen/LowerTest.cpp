// What comes of lowering is audited before it is written.
#include "codegen/lower/Lower.h"
#include "test/Examples.h"
#include "test/ir/UncheckedProgramFactory.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

TEST(Lower, MakesProgramsThatPassTheAudit) {
  for (const std::string &name : exampleNames()) {
    const Stencil stencil = example(name);
    for (const Variant *variant : variantsFor(stencil)) {
      SCOPED_TRACE(name + " " + variant->name.str());
      const VerifiedProgram program =
          llvm::cantFail(lower(stencil, variant->defaultSchedule(stencil)));
      EXPECT_EQ(toString(auditLowered(program)), "");
    }
  }
}

TEST(Lower, TakesAFaultThatTheAuditFindsForOurs) {
  const Stencil stencil = example("heat.stn");
  Program program = *llvm::cantFail(lower(stencil, defaultSchedule(stencil)));
  for (Action &action : program.plan.passes.back().actions)
    if (auto *when = std::get_if<When>(&action.node))
      when->then.pop_back();
  llvm::Error error = auditLowered(UncheckedProgramFactory::make(program));
  EXPECT_TRUE(error.isA<VerifierFailure>());
  EXPECT_TRUE(llvm::StringRef(toString(std::move(error))).starts_with("no launch writes u["));
}

} // namespace
