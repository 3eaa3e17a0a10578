// The traces find what they are for: hand-made faults are named by the lines that make them.
#include "test/Examples.h"
#include "test/trace/Races.h"
#include "test/trace/TracedPrograms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;
using namespace stencilc::trace;

namespace {

/// Two blocks of eight threads sweep rows through a tile.
constexpr llvm::StringLiteral kSweep = R"(#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 8;

__global__ void sweep(const double *in, double *out, double *shifted, int rows, int nx) {
  __shared__ double tile[kThreads];
  const int i = threadIdx.x;
  const int x = blockIdx.x * kThreads + i;
  for (int row = 0; row < rows; ++row) {
    tile[i] = in[row * nx + x];
    __syncthreads();  // the tile is full
    const double next = tile[(i + 1) % kThreads];
    out[row * nx + x] = next;
    __syncthreads();  // the tile is free
  }
  shifted[x] = out[x];
}

}  // namespace

extern "C" void run(const double *in, double *out, double *shifted) {
  cudaLaunchConfig_t config;
  config.gridDim = dim3(2);
  config.blockDim = dim3(kThreads);
  cudaLaunchKernelEx(&config, sweep, in, out, shifted, 3, 16);
}
)";

/// The one place of `from` in the text becomes `to`.
std::string replaced(llvm::StringRef text, llvm::StringRef from, llvm::StringRef to) {
  const auto [before, after] = text.split(from);
  EXPECT_LT(before.size(), text.size()) << "nothing to replace: " << from.str();
  EXPECT_FALSE(after.contains(from)) << "several places: " << from.str();
  return (before + to + after).str();
}

/// "sweep.cu:12: `the whole line`" for the line of the text that begins with `start`.
std::string lineThatBegins(llvm::StringRef text, llvm::StringRef start) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (size_t number = 0; number < lines.size(); ++number)
    if (lines[number].trim().starts_with(start))
      return fmt::format("sweep.cu:{}: `{}`", number + 1, lines[number].trim().str());
  ADD_FAILURE() << "no line begins with " << start.str();
  return "";
}

using Lines = std::set<std::string>;

/// The lines of each race of a sweep.
std::set<Lines> racesOf(const std::string &text) {
  const std::string folder = emptyFolder();
  writeFile(folder + "/sweep.cu", text);
  TracedText traced(folder, {"sweep.cu"});
  auto *run = reinterpret_cast<void (*)(const double *, double *, double *)>(traced.symbol("run"));
  std::vector<double> in(3 * 16), out(3 * 16), shifted(17);
  AccessLog log;
  for (const std::vector<double> *array : {&in, &out, &shifted})
    log.watch({reinterpret_cast<const char *>(array->data()), array->size() * sizeof(double)});
  run(in.data(), out.data(), shifted.data());
  std::set<Lines> races;
  for (const auto &[left, right] : findRaces(log.accesses))
    races.insert({traced.lineOf(left.instruction), traced.lineOf(right.instruction)});
  return races;
}

TEST(Races, AreNoneInARightText) { EXPECT_EQ(racesOf(kSweep.str()), std::set<Lines>()); }

TEST(Races, WithoutTheFirstBarrierReadATileTooEarly) {
  const std::string text = replaced(kSweep, "__syncthreads();  // the tile is full", "");
  EXPECT_EQ(racesOf(text), std::set<Lines>({{lineThatBegins(text, "tile[i] ="),
                                             lineThatBegins(text, "const double next")}}));
}

TEST(Races, WithoutTheSecondBarrierFillATileTooEarly) {
  const std::string text = replaced(kSweep, "__syncthreads();  // the tile is free", "");
  EXPECT_EQ(racesOf(text), std::set<Lines>({{lineThatBegins(text, "tile[i] ="),
                                             lineThatBegins(text, "const double next")}}));
}

TEST(Races, OfStoresToOneElementOfATile) {
  const std::string text = replaced(kSweep, "tile[i] =", "tile[i / 2] =");
  EXPECT_TRUE(racesOf(text).contains(Lines{lineThatBegins(text, "tile[i / 2] =")}));
}

TEST(Races, InGlobalMemoryCrossBlocksInSpiteOfBarriers) {
  // The last thread of the first block reads what the first thread of the second one stores.
  const std::string text = replaced(kSweep, "shifted[x] = out[x];", "shifted[x] = out[x + 1];");
  EXPECT_EQ(racesOf(text), std::set<Lines>({{lineThatBegins(text, "out[row"),
                                             lineThatBegins(text, "shifted[x] =")}}));
  const std::string stores = replaced(kSweep, "shifted[x] =", "shifted[x / 9] =");
  EXPECT_EQ(racesOf(stores), std::set<Lines>({{lineThatBegins(stores, "shifted[x / 9] =")}}));
}

/// What the comparison says of heat's text after a change.
std::string differenceAfter(llvm::StringRef from, llvm::StringRef to) {
  const Stencil heat = example("heat.stn");
  const Schedule schedule = findVariant("baseline")->defaultSchedule(heat);
  PrintedProgram printed = printProgram(heat, schedule, "heat");
  printed.text = replaced(printed.text, from, to);
  TracedPrograms traced({std::move(printed)});
  const TracedStep step = traced.run(0, {.extents = {5, 6, 40}, .phase = 3});
  EXPECT_EQ(step.message, "");
  return traced.difference(0, step);
}

TEST(Traces, ShowAShiftedVector) {
  const Stencil heat = example("heat.stn");
  Schedule schedule = findVariant("temporal")->defaultSchedule(heat);
  schedule.prefetch = 0; // else memory is copied
  PrintedProgram printed = printProgram(heat, schedule, "fused");
  printed.text = replaced(printed.text, "reinterpret_cast<const Row *>(from)",
                          "reinterpret_cast<const Row *>(from - 1)");
  TracedPrograms traced({std::move(printed)});
  // Point 1 is aligned in every row.
  const TracedStep step = traced.run(0, {.extents = {5, 6, 40}, .phase = 15});
  EXPECT_EQ(step.message, "");
  const std::string text = traced.difference(0, step);
  EXPECT_TRUE(llvm::StringRef(text).contains(": `const Row row = *reinterpret_cast")) << text;
}

bool holdsInOrder(llvm::StringRef text, std::initializer_list<llvm::StringRef> parts) {
  for (llvm::StringRef part : parts) {
    if (!text.contains(part))
      return false;
    text = text.split(part).second;
  }
  return true;
}

TEST(Traces, EqualTheCountOfAnUnchangedText) {
  EXPECT_EQ(differenceAfter("here - stride_y", "here - stride_y"), "");
}

TEST(Traces, ShowAShiftedLoad) {
  const std::string text = differenceAfter("u_west = u[here - 1]", "u_west = u[here - 2]");
  EXPECT_TRUE(holdsInOrder(text, {"walked: load of element ", " of u; made: load of element ",
                                  " of u at heat.cu:", ": `const double u_west = u[here - 2];`"}))
      << text;
}

TEST(Traces, ShowALostGuard) {
  const std::string text = differenceAfter("x < 1 || ", "");
  EXPECT_TRUE(holdsInOrder(text, {"walked: nothing; made: load of element "})) << text;
}

TEST(Traces, ShowALoadThatIsMadeTwice) {
  const std::string text =
      differenceAfter("u_east = u[here + 1]", "u_east = (u[here + 1] + u[here + 1]) / 2");
  EXPECT_TRUE(holdsInOrder(text, {"made: load of element ", "`const double u_east = (u[here"}))
      << text;
}

TEST(Traces, ShowARequestThatIsSplit) {
  const std::string text = differenceAfter("u_east = u[here + 1]",
                                           "u_east = threadIdx.x % 2 ? u[here + 1] : u[1 + here]");
  EXPECT_TRUE(holdsInOrder(text, {"loads of u: ", " requests for ", " walked, ", " made"})) << text;
}

} // namespace
