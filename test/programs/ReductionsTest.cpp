#include "test/programs/Reductions.h"
#include "codegen/lower/Lower.h"
#include "codegen/lower/Variant.h"
#include "codegen/print/Print.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "ir/verify/KernelAudit.h"
#include "ir/verify/KernelVerifier.h"

#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <random>

using namespace stencilc;

namespace reductions {
namespace {

State startOf(const Stencil &stencil, std::vector<int64_t> extents) {
  State state = llvm::cantFail(initialState(stencil, std::move(extents), {}));
  std::mt19937 generator(2026);
  for (double &value : state.current[0].values)
    value = generator() * 0x1p-31 - 1.0;
  return state;
}

class Bars : public ::testing::Test {
protected:
  const Stencil stencil = bars();
  const Program program = *llvm::cantFail(lower(stencil, defaultSchedule(stencil)));
};

TEST_F(Bars, LeaveTheBitsOfTheStencil) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  ASSERT_TRUE(bool(verified)) << toString(verified.takeError());
  // Nothing, less than a warp, more than a run in a row; more than a run of runs.
  for (const std::vector<int64_t> &extents :
       {std::vector<int64_t>{0, 5}, {5, 0}, {1, 1}, {4, 7}, {3, 300}, {2, 9000}, {4100, 2}})
    for (int64_t steps : {0, 1, 3}) {
      State expected = startOf(stencil, extents), state = expected;
      ASSERT_FALSE(interpret(stencil, expected, steps));
      const std::vector<double> numbers = llvm::cantFail(reduce(stencil, expected));
      llvm::Error error = interpret(*verified, state, steps);
      ASSERT_FALSE(error) << toString(std::move(error));
      EXPECT_FALSE(firstDifference(state.current[0], expected.current[0]));
      ASSERT_EQ(state.results.size(), numbers.size());
      for (auto [seen, wanted] : llvm::zip_equal(state.results, numbers))
        EXPECT_EQ(std::bit_cast<uint64_t>(seen), std::bit_cast<uint64_t>(wanted))
            << fmt::format("{} and {}, {} steps on {}", seen, wanted, steps, extents);
      if (extents[0] > 1000)
        break;
    }
}

TEST_F(Bars, PassTheAudit) {
  for (const std::vector<int64_t> &extents : {std::vector<int64_t>{1, 1}, {4, 7}, {2, 5000}})
    EXPECT_EQ(toString(audit(program, extents)), "") << fmt::format("{}", extents);
}

TEST(Reductions, OverARegionOfAParamLeaveTheBitsOfTheStencil) {
  Stencil stencil = bars();
  stencil.params.push_back({"wall", ScalarType::Int, 2, {}});
  stencil.reductions[0].region[1] = {fromParam(0, -1), fromEnd(0)};
  stencil.reductions[1].region[0] = {fromStart(0), fromParam(0, 1)};
  for (const char *variant : {"baseline", "host"}) {
    llvm::Expected<VerifiedProgram> program =
        lower(stencil, findVariant(variant)->defaultSchedule(stencil));
    ASSERT_TRUE(bool(program)) << toString(program.takeError());
    for (const std::vector<int64_t> &extents :
         {std::vector<int64_t>{3, 1}, {4, 7}, {3, 300}, {0, 5}, {5, 0}, {0, 0}}) {
      State state = startOf(stencil, extents);
      const std::vector<double> numbers = llvm::cantFail(reduce(stencil, state));
      llvm::Error error = interpret(*program, state, 0);
      ASSERT_FALSE(error) << toString(std::move(error));
      EXPECT_EQ(state.results, numbers) << fmt::format("{}", extents);
    }
  }
}

// ---- faults -----------------------------------------------------------------------------------

struct Fault {
  const char *name;
  void (*plant)(Program &);
  const char *seen; ///< of the verifier, or of the audit where that passes it
};
void PrintTo(const Fault &fault, std::ostream *out) { *out << fault.name; }

/// What is done for the first result.
Actions &actionsOf(Program &program) { return std::get<When>(program.plan.epilogue[0].node).then; }
Launch &runsOf(Program &program) { return std::get<Launch>(actionsOf(program)[0].node); }
Launch &restOf(Program &program) { return std::get<Launch>(actionsOf(program)[1].node); }
Kernel &kernelOf(Program &program, const Launch &launch) { return program.kernels[launch.kernel]; }
Buffer &listOf(Program &program) { return program.buffers[runsOf(program).buffers[0]]; }

class BarsFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(BarsFaults, AreSeen) {
  const Stencil stencil = bars();
  Program program = *llvm::cantFail(lower(stencil, defaultSchedule(stencil)));
  GetParam().plant(program);
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  if (!verified) {
    EXPECT_EQ(toString(verified.takeError()), GetParam().seen);
    return;
  }
  // The audit goes on to say in which launch and statement.
  const std::string seen = toString(audit(program, {3, 300}));
  EXPECT_TRUE(llvm::StringRef(seen).starts_with(GetParam().seen)) << seen;
  EXPECT_TRUE(llvm::StringRef(seen).ends_with(", in 2 steps on 3 x 300 points")) << seen;
}

INSTANTIATE_TEST_SUITE_P(
    Planted, BarsFaults,
    ::testing::Values(
        Fault{
            "AListShorterByARun",
            [](Program &program) {
              for (Index *length : {&listOf(program).lengths[1],
                                    &kernelOf(program, runsOf(program)).arrays[0].lengths[1]})
                *length = quotient(extent(1), 4096);
            },
            "bounds: bars_energy_runs: `quotient(x_begin, 4096)` of list `of_runs` may leave 0 .. "
            "quotient(nx, 4096) - 1"},
        Fault{"AListOfOtherLengths",
              [](Program &program) { listOf(program).lengths[0] = constant(7); },
              "list: bars_energy_runs: `of_runs` and `energy_of_runs` have different lengths"},
        Fault{"AListWithAxes", [](Program &program) { listOf(program).axes = {0}; },
              "list: bars: `energy_of_runs` is no list"},
        Fault{"AListOfTheThreads",
              [](Program &program) {
                kernelOf(program, runsOf(program)).arrays[0].lengths[0] =
                    coordinate(CoordinateKind::Thread, 0);
              },
              "type: bars_energy_runs: `of_runs` is no list"},
        Fault{"ElementsOfAnotherList",
              [](Program &program) {
                restOf(program).integers[0] = ElementsOf{runsOf(program).buffers[0] + 1};
              },
              "list: bars_energy: `of_runs` and `energy_of_runs` have different lengths"},
        Fault{"ElementsOfAField",
              [](Program &program) {
                Kernel &kernel = kernelOf(program, restOf(program));
                kernel.integers.push_back({"other", nullptr, nullptr});
                restOf(program).integers.push_back(ElementsOf{0});
              },
              "launch: bars_energy: `other` takes the elements of what is no list"},
        Fault{"AListWithoutEnd",
              [](Program &program) {
                kernelOf(program, restOf(program)).integers[0].atMost = nullptr;
              },
              "tile: bars_energy: `part` of tile `of_all` may leave 0 .. 255"},
        Fault{"AResultThatIsAField",
              [](Program &program) {
                std::get<When>(program.plan.epilogue[0].node).condition = Wanted{0};
              },
              "plan: bars: `u` is no result"},
        Fault{"AResultOfAnother", [](Program &program) { restOf(program).buffers[1] += 1; },
              "bars_slope: writes slope[] a second time"},
        Fault{"RestLeftOut", [](Program &program) { actionsOf(program).pop_back(); },
              "no launch writes energy, which a run owes"},
        Fault{"RunsLeftOut",
              [](Program &program) { actionsOf(program).erase(actionsOf(program).begin()); },
              "bars_energy: reads energy_of_runs[0, 0], which nothing wrote"},
        Fault{"ARowLeftOut", [](Program &program) { runsOf(program).cover.begin[0] = constant(1); },
              "bars_energy: reads energy_of_runs[0, 0], which nothing wrote"},
        Fault{
            "AnEmptyGridLeftOutOfTheProof",
            [](Program &program) { kernelOf(program, restOf(program)).minimumExtent = {1, 1, 1}; },
            "launch: bars_energy: ny may be below 1, the kernel's least"}),
    [](const auto &info) { return info.param.name; });

// ---- text -------------------------------------------------------------------------------------

void expectIn(const std::string &text, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST_F(Bars, PrintWhatTheyTake) {
  std::string text, header, listing;
  llvm::raw_string_ostream out(text), headerOut(header), list(listing);
  const Banner banner = {"0", "bars.stn", "test", {}};
  printSource(out, llvm::cantFail(KernelVerifier::verify(program)), banner, "bars.h",
              FloatMode::Contract);
  printHeader(headerOut, program.signature, banner);
  print(list, program);
  expectIn(text, {"of_runs[y * ((nx + 4095) / 4096) + x_begin / 4096] = number;",
                  "  number = block_sum<256>(number, lanes);\n  if (threadIdx.x < 1)\n    "
                  "energy[0] = number;\n",
                  "if (begin + after < count) {",
                  "    steps = 0;  // what is reduced is empty\n  } else {\n",
                  "  if (state.energy != nullptr) {\n", "ny * ((nx + 4095) / 4096), stream);",
                  "range(args.energy, 0, args.energy != nullptr),\n",
                  "if (double(args.ny) * ((args.nx + 4095) / 4096) > 2000000000) return "
                  "BARS_TOO_LARGE;"});
  EXPECT_EQ(text.find("args.energy == nullptr"), std::string::npos);
  expectIn(header, {"double *energy;   /* where a run leaves the number; null: not wanted */"});
  expectIn(listing, {"  result f64 energy\n", "f64 energy_of_runs[ny, quotient(nx + 4095, 4096)], ",
                     "when energy is wanted\n", "elements of energy_of_runs as count\n",
                     "array f64 of_runs[0 .. count - 1] read"});
}

} // namespace
} // namespace reductions
