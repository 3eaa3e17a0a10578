// Programs that no variant makes yet: what they leave is what the stencil means, in every order of
// warps; and what is missing from them is found.
#include "ir/run/KernelInterpreter.h"
#include "ir/verify/KernelAudit.h"
#include "ir/verify/KernelVerifier.h"
#include "test/Examples.h"
#include "test/ir/StencilSource.h"
#include "test/ir/UncheckedProgramFactory.h"
#include "test/programs/HeatStep.h"

#include <chrono>
#include <fmt/format.h>

using namespace stencilc;

namespace {

struct BuiltProgram {
  const char *name;
  ScalarType real;
  Program (*build)(const Stencil &);
};

void PrintTo(const BuiltProgram &built, std::ostream *out) { *out << built.name; }

/// The Program that takes every row for aligned: the interpreter does not mind, and so runs what
/// is aligned on rows of all lengths.
Program takingRowsForAligned(Program program) {
  for (Action &action : program.plan.passes.front().actions)
    if (auto *when = std::get_if<When>(&action.node);
        when && std::holds_alternative<Aligned>(when->condition)) {
      const Action aligned = when->then.front();
      action = aligned;
    }
  return program;
}

class HeatPrograms : public ::testing::TestWithParam<BuiltProgram> {
protected:
  const Stencil stencil = example("heat.stn", GetParam().real);
  const Program program = GetParam().build(stencil);
};

const std::vector<std::vector<int64_t>> kExtents = {
    {3, 3, 3}, {4, 5, 7}, {2, 9, 9}, {7, 6, 64}, {5, 4, 130}, {6, 11, 67}, {5, 4, 132}};

TEST_P(HeatPrograms, GiveTheValuesOfTheStencil) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  ASSERT_TRUE(bool(verified)) << toString(verified.takeError());
  const VerifiedProgram everywhere = UncheckedProgramFactory::make(takingRowsForAligned(program));
  for (const std::vector<int64_t> &extents : kExtents)
    for (int64_t steps : {1, 2, 3}) {
      State expected = noise(stencil, extents);
      ASSERT_FALSE(interpret(stencil, expected, steps));
      for (WarpOrder order : {WarpOrder{}, {WarpOrder::Descending}, {WarpOrder::Shuffled, 5}}) {
        for (const VerifiedProgram *run :
             std::initializer_list<const VerifiedProgram *>{&*verified, &everywhere}) {
          State state = noise(stencil, extents);
          llvm::Error error = interpret(*run, state, steps, {.order = order});
          ASSERT_FALSE(error) << toString(std::move(error));
          EXPECT_FALSE(firstDifference(state.current[0], expected.current[0]))
              << fmt::format("{} steps, order {}", steps, int(order.kind));
        }
      }
    }
}

TEST_P(HeatPrograms, PassTheAudit) {
  for (const std::vector<int64_t> &extents : kExtents)
    for (const Program &run : {program, takingRowsForAligned(program)})
      EXPECT_EQ(toString(audit(run, extents)), "");
}

TEST_P(HeatPrograms, PrintTheTimeToVerify) {
  constexpr int runs = 200;
  const auto start = std::chrono::steady_clock::now();
  for (int run = 0; run < runs; ++run)
    ASSERT_TRUE(bool(KernelVerifier::verify(program)));
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  llvm::outs() << GetParam().name << ": verified in " << int(time.count() / runs) << " us\n";
}

INSTANTIATE_TEST_SUITE_P(
    Heat, HeatPrograms,
    ::testing::Values(
        BuiltProgram{"VectorsOfFour", ScalarType::F32,
                     [](const Stencil &stencil) { return marchInVectors(stencil, 2, 2, 3); }},
        BuiltProgram{"VectorsOfTwo", ScalarType::F64,
                     [](const Stencil &stencil) { return marchInVectors(stencil, 3, 4, 8); }},
        BuiltProgram{"Roles", ScalarType::F64,
                     [](const Stencil &stencil) { return marchInRoles(stencil, 4, 3); }},
        BuiltProgram{"RolesOfSingles", ScalarType::F32,
                     [](const Stencil &stencil) { return marchInRoles(stencil, 1, 16); }}),
    [](const auto &info) { return info.param.name; });

} // namespace
