#include "test/programs/Layers.h"
#include "codegen/print/Print.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "ir/verify/KernelAudit.h"
#include "ir/verify/KernelVerifier.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

using namespace stencilc;

namespace {

State startOf(const Stencil &stencil, std::vector<int64_t> extents, double surface) {
  State state =
      llvm::cantFail(initialState(stencil, std::move(extents), {{"surface", surface}}, 12));
  std::mt19937 generator(2026);
  for (Grid &grid : state.current)
    for (double &value : grid.values)
      value = generator() * 0x1p-31 - 1.0;
  state.step = 4;
  return state;
}

class Layers : public ::testing::TestWithParam<int> {
protected:
  const Stencil stencil = layers();
  const Program program = layersProgram(stencil, GetParam());
};

TEST_P(Layers, GiveTheValuesOfTheStencil) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  ASSERT_TRUE(bool(verified)) << toString(verified.takeError());
  for (const std::vector<int64_t> &extents : {std::vector<int64_t>{4, 3, 5}, {1, 1, 1}, {7, 9, 40}})
    for (double surface : {0.0, 1.0, double(extents[0])})
      for (int64_t steps : {1, 2, 5}) {
        State expected = startOf(stencil, extents, surface), state = expected;
        ASSERT_FALSE(interpret(stencil, expected, steps));
        llvm::Error error = interpret(*verified, state, steps);
        ASSERT_FALSE(error) << toString(std::move(error));
        EXPECT_FALSE(firstDifference(state.current[0], expected.current[0]))
            << fmt::format("{} steps, surface {}", steps, surface);
        EXPECT_EQ(state.step, expected.step);
      }
}

TEST_P(Layers, RefuseWhatTheStencilRefuses) {
  const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
  const auto refuses = [&](double surface, int64_t step, int64_t steps) {
    State state = startOf(stencil, {4, 3, 5}, surface), same = state;
    state.step = same.step = step;
    const bool refused = errorToBool(interpret(verified, state, steps));
    EXPECT_EQ(refused, errorToBool(interpret(stencil, same, steps)));
    return refused;
  };
  EXPECT_FALSE(refuses(4, 0, 12));
  EXPECT_TRUE(refuses(5, 0, 1));
  EXPECT_TRUE(refuses(-1, 0, 1));
  EXPECT_TRUE(refuses(2, 0, 13));
  EXPECT_TRUE(refuses(2, 12, 1));
  EXPECT_TRUE(refuses(2, -1, 1));
}

TEST_P(Layers, PassTheAudit) {
  EXPECT_EQ(toString(audit(program)), "");
  EXPECT_EQ(toString(audit(program, {1, 1, 1})), "");
}

INSTANTIATE_TEST_SUITE_P(Passes, Layers, ::testing::Values(1, 2));

// ---- faults -----------------------------------------------------------------------------------

struct Fault {
  const char *name;
  void (*plant)(Program &);
  const char *seen; ///< of the verifier
};
void PrintTo(const Fault &fault, std::ostream *out) { *out << fault.name; }

/// The launch of a kernel in the pass of two steps.
Launch &launchOf(Program &program, unsigned action) {
  return std::get<Launch>(program.plan.passes[0].actions[action].node);
}

class LayersFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(LayersFaults, AreSeenByTheVerifier) {
  Program program = layersProgram(layers(), 2);
  GetParam().plant(program);
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  EXPECT_EQ(verified ? "" : toString(verified.takeError()), GetParam().seen);
}

INSTANTIATE_TEST_SUITE_P(
    Planted, LayersFaults,
    ::testing::Values(
        Fault{"AParamWithoutARange",
              [](Program &program) {
                program.signature.params.push_back({"other", ScalarType::Int, {}});
                launchOf(program, 1).integers[3] = WholeParam{2};
              },
              "wide: layers_below: `surface` has 32 bits for a param that may have more"},
        Fault{"AParamBelowItsPromise",
              [](Program &program) { program.signature.paramRanges.begin()->second.least = 1; },
              "launch: layers_below: `surface` may fall below 0"},
        Fault{"AParamBeyondItsPromise",
              [](Program &program) { program.signature.paramRanges.begin()->second.most = -1; },
              "launch: layers_above: `end_z` may pass nz"},
        Fault{"AParamThatIsNoWholeNumber",
              [](Program &program) { launchOf(program, 1).integers[3] = WholeParam{1}; },
              "launch: layers_below: `surface` takes param 1, which is no whole number or does not "
              "exist"},
        Fault{"ABoxOfAParamThatIsNoWholeNumber",
              [](Program &program) {
                launchOf(program, 0).cover.end[0] = coordinate(CoordinateKind::WholeParam, 1);
              },
              "launch: layers_above: the box along z is not given by extents, constants and whole "
              "params"},
        Fault{"AParamInAKernel",
              [](Program &program) {
                std::get<LetIndex>(program.kernels[0].body[0].node).value =
                    coordinate(CoordinateKind::WholeParam, 0);
              },
              "definition: layers_above: it takes params as integer arguments only"},
        Fault{"AStepOfTheNextPass",
              [](Program &program) { launchOf(program, 3).integers[4] = StepNumber{2}; },
              "launch: layers_above: `step` takes step 2 of a pass of 2"},
        Fault{"AStepBeforeTheFirstPass",
              [](Program &program) { program.plan.prologue = {{launchOf(program, 0)}}; },
              "launch: layers_above: `step` takes step 0 of a pass of 0"},
        Fault{"AStepThatNobodyKeeps",
              [](Program &program) { program.signature.countsSteps = false; },
              "launch: layers_above: `step` takes the number of a step, which the caller does not "
              "keep"},
        Fault{"AStepOf32Bits",
              [](Program &program) { program.kernels[0].integers[4].isWide = false; },
              "wide: layers_above: `step` has 32 bits for a step's number"},
        Fault{"AStepWithBounds",
              [](Program &program) { program.kernels[0].integers[4].atLeast = constant(0); },
              "launch: layers_above: `step` promises bounds of a step's number"},
        Fault{"AStepInALocal",
              [](Program &program) {
                std::get<LetIndex>(program.kernels[0].body[0].node).value =
                    coordinate(CoordinateKind::Argument, 4);
              },
              "wide: layers_above: `step` stands where there is room for 32 bits"},
        Fault{"AValueBeyondTheRun",
              [](Program &program) { program.signature.arrays[1].overTime = StepSpan{-1, -1}; },
              "time: layers_below: `pulse` is read at step 1 of a pass"},
        Fault{"AValueAtNoStep",
              [](Program &program) {
                program.kernels[1].integers[4].atLeast = nullptr;
                launchOf(program, 1).integers[4] = WholeParam{0};
              },
              "time: layers_below: `pulse` is read at what is no step's number"},
        Fault{"AnArrayOverTimeWithAxes",
              [](Program &program) { program.kernels[1].arrays[2].axes = {0}; },
              "time: layers_below: `pulse` has axes or is written"},
        Fault{"AnArrayThatIsNotOverTime",
              [](Program &program) { program.kernels[1].arrays[2].isOverTime = false; },
              "type: layers_below: `pulse` has 0 axes and is accessed by 1 indices"},
        Fault{"ABufferThatIsNotOverTime",
              [](Program &program) {
                program.signature.arrays[1].overTime.reset();
                program.buffers = callerBuffers(program.signature);
              },
              "time: layers_below: one of `pulse` and `pulse` is over time"},
        Fault{"PointsOwedTwice",
              [](Program &program) {
                PointBox &below = program.plan.passes[0].owed[0].boxes[1];
                below.begin[0] = add(below.begin[0], -1);
              },
              "plan: layers: points of `u` may be owed twice"}),
    [](const auto &info) { return info.param.name; });

/// What only running the program shows.
TEST(LayersAudit, FindsPointsLeftOutAndMadeTwice) {
  Program program = layersProgram(layers(), 1);
  Actions &actions = program.plan.passes[0].actions;
  auto &above = std::get<Launch>(actions[0].node);
  const Launch whole = above;
  above.cover.end[0] = add(above.cover.end[0], -1);
  EXPECT_EQ(toString(audit(program, {4, 3, 5})),
            "no launch writes u[2, 0, 0], which a pass owes, in 2 steps on 4 x 3 x 5 points");
  above = whole;
  above.cover.end[0] = extent(0);
  EXPECT_TRUE(llvm::StringRef(toString(audit(program, {4, 3, 5})))
                  .starts_with("layers_below: writes u_next[3, 0, 0] a second time (launch 2"));
}

// ---- text -------------------------------------------------------------------------------------

std::string textOf(const Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printSource(out, llvm::cantFail(KernelVerifier::verify(program)), {"0", "layers.stn", "test", {}},
              "layers.h", FloatMode::Contract);
  return text;
}

void expectIn(const std::string &text, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST_P(Layers, PrintWhatTheyTakeAndRefuse) {
  const bool isFused = GetParam() == 2;
  expectIn(textOf(program),
           {"int surface,\n    int64_t step, double a) {", "pulse[step];",
            "if (z < surface || z >= nz || y >= ny || x >= nx) return;",
            "layers_status check(const layers_args &args, int64_t steps) {",
            "if (args.surface < 0 || args.surface > args.nz) return LAYERS_REGION;",
            "if (args.step < 0 || args.pulse_steps < 1 || steps > args.pulse_steps - args.step)",
            "range(args.pulse, 0, args.pulse_steps),", "  args.surface = 3;\n",
            "launch_layers_above(state, {{0, 0, 0}, {args->surface, ny, nx}}, state.u,",
            isFused ? "state.pulse, args->surface, state.step + 1, args->a, stream);"
                    : "state.pulse, args->surface, state.step, args->a, stream);",
            isFused ? "    state.step += 2;\n" : "    ++state.step;\n"});
  std::string header;
  llvm::raw_string_ostream out(header);
  printHeader(out, program.signature, {"0", "layers.stn", "test", {}});
  expectIn(header, {"int64_t step;               /* completed so far; a run adds its own */\n",
                    "const double *pulse;        /* a value a step */\n  int64_t pulse_steps; ",
                    "int64_t surface;            /* default 3 */"});
  std::string listing;
  llvm::raw_string_ostream list(listing);
  print(list, program);
  expectIn(listing, {"  const f64 pulse[step]\n  param int surface = 3\n",
                     "owes u: z from surface below nz, y from 0 below ny",
                     "      param surface as surface\n      step as step\n"});
}

/// All launches of a pass stand before the return that a failed one takes.
TEST(LayersText, ReturnsAfterTheLastLaunchOfAPass) {
  const std::string text = textOf(layersProgram(layers(), 2));
  const size_t last = text.rfind("launched &= ", text.find("state.step += 2"));
  const size_t check = text.find("if (!launched)", last);
  EXPECT_LT(check, text.find("state.step += 2"));
}

} // namespace
