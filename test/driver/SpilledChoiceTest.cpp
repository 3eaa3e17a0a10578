// Where the best of all candidates spills, tiles are tried too.
#include "codegen/lower/Variant.h"
#include "frontend/driver/Choose.h"
#include "test/Examples.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace spilled_choice {

static Choice choiceOf(const char *name, const Constraints &constraints = {}) {
  const Stencil stencil =
      stencilIn(std::string(STENCILC_EXAMPLES "/../test/gpu/Inputs/") + name + ".stn");
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  return llvm::cantFail(choose(stencil, constraints, Situation{&device, {384, 384, 384}, {}}));
}

static int spilledRegisters(const Choice &choice) {
  return choice.ranking.candidates.front().predicted.occupancy.spilledRegisters;
}

} // namespace spilled_choice

using namespace spilled_choice;

TEST(SpilledChoice, IsATileThatGainsMuch) {
  const char *entropy = "programs_eighth/pencil_hydro_entropy";
  EXPECT_EQ(choiceOf(entropy).program->schedule.variant, "shm");
  // What is asked for is given.
  Constraints marches;
  marches.variant = findVariant("zblock");
  const Choice asked = choiceOf(entropy, marches);
  EXPECT_EQ(asked.program->schedule.variant, "zblock");
  EXPECT_GT(spilledRegisters(asked), 0);
}

// It would gain 2 % by the forecast.
TEST(SpilledChoice, IsNoTileThatGainsLittle) {
  const Choice choice = choiceOf("programs_fourth/addsgd6");
  EXPECT_EQ(choice.program->schedule.variant, "baseline");
  EXPECT_GT(spilledRegisters(choice), 0);
}
