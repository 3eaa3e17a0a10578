// What every program of the table must do: pass the verifier and the audit, leave what the stencil
// means, interpreted and as text, in every order of warps and threads, and be walked and counted as
// it is executed.
#include "test/programs/HandBuilt.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilVerifier.h"
#include "ir/verify/KernelAudit.h"
#include "ir/verify/KernelVerifier.h"
#include "test/costmodel/CountComparison.h"
#include "test/fuzz/TextProgram.h"
#include "test/ir/UncheckedProgramFactory.h"
#include "test/ir/WalkComparison.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace stencilc {
static void PrintTo(const HandBuilt &built, std::ostream *out) { *out << built.name; }
} // namespace stencilc

namespace {

class HandBuiltPrograms : public ::testing::TestWithParam<HandBuilt> {
protected:
  const Stencil stencil = GetParam().stencil();
  const Program program = GetParam().build(stencil);
  /// As it is, and as it runs where rows are aligned.
  const std::vector<Program> forms = asksForAlignment(program)
                                         ? std::vector{program, takingRowsForAligned(program)}
                                         : std::vector{program};
  const std::vector<fuzz::Case> cases = casesOf(GetParam());

  fuzz::Reference referenceOf(const fuzz::Case &tested) const {
    return fuzz::referenceOf(tested, stencil, llvm::cantFail(fuzz::startOf(tested, stencil)));
  }
};

std::string nameOf(const fuzz::Case &tested) {
  return fmt::format("{} steps on {}, phase {}", tested.steps, tested.extents, tested.phase);
}

TEST_P(HandBuiltPrograms, PassTheVerifier) {
  EXPECT_EQ(toString(verify(stencil)), "");
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  EXPECT_TRUE(bool(verified)) << toString(verified.takeError());
}

TEST_P(HandBuiltPrograms, PassTheAudit) {
  int phase = 0;
  for (const std::vector<int64_t> &extents : GetParam().extents) {
    for (const Program &run : forms)
      EXPECT_EQ(toString(audit(run, extents, phase)), "") << fmt::format("on {}", extents);
    phase = (phase + 3) % 16;
  }
}

TEST_P(HandBuiltPrograms, LeaveTheValuesOfTheStencilInEveryOrderOfWarps) {
  for (const Program &form : forms) {
    const VerifiedProgram run = UncheckedProgramFactory::make(form);
    for (const fuzz::Case &tested : cases) {
      const fuzz::Reference reference = referenceOf(tested);
      for (WarpOrder order :
           {WarpOrder{}, {WarpOrder::Descending}, {WarpOrder::Shuffled, tested.seed}}) {
        State state = reference.start;
        llvm::Error error =
            interpret(run, state, tested.steps,
                      {.phase = tested.phase, .maxGridYZ = tested.maxGridYZ, .order = order});
        if (reference.isRefused) {
          EXPECT_TRUE(errorToBool(std::move(error))) << nameOf(tested);
          continue;
        }
        ASSERT_FALSE(error) << toString(std::move(error));
        EXPECT_EQ(fuzz::difference(stencil, reference.expected, state), std::nullopt)
            << nameOf(tested) << ", order " << order.kind;
      }
    }
  }
}

TEST_P(HandBuiltPrograms, LeaveThemAsTextInEveryOrderOfThreads) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stencilc-programs", folder));
  const std::string place = folder.str().str();
  ASSERT_TRUE(fuzz::compileText(program, fuzz::sourceOf(program), place)) << place;
  std::vector<fuzz::Reference> references;
  for (const fuzz::Case &tested : cases)
    references.push_back(referenceOf(tested));
  const std::optional<fuzz::Failure> failure =
      fuzz::runText(program, stencil, cases, references, place);
  EXPECT_FALSE(failure) << failure->text;
  llvm::sys::fs::remove_directories(folder);
}

TEST_P(HandBuiltPrograms, AreWalkedAndCountedAsTheyAreExecuted) {
  for (const std::vector<int64_t> &extents : GetParam().extents) {
    SCOPED_TRACE(fmt::format("on {}", extents));
    EXPECT_EQ(compareWalk(forms.back(), extents, /*phase=*/0).difference, "");
    if (program.target == Target::Device)
      expectCountsOfInterpreter(UncheckedProgramFactory::make(forms.back()), extents);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, HandBuiltPrograms, ::testing::ValuesIn(handBuilt()),
                         [](const auto &info) { return info.param.name; });

} // namespace
