// How long one candidate schedule takes to be lowered, verified and walked. Automatic choice pays
// this for every candidate; the three together must stay below 0.3 ms.
#include "codegen/lower/Lower.h"
#include "codegen/lower/ScheduleLimits.h"
#include "costmodel/count/Traffic.h"
#include "ir/walk/KernelWalk.h"
#include "test/Examples.h"

#include <benchmark/benchmark.h>

using namespace stencilc;

namespace {

struct Candidate {
  Stencil stencil;
  Schedule schedule;
  const Variant *variant;

  Candidate(const std::string &name, const std::string &text) : stencil(example(name)) {
    schedule = llvm::cantFail(parseSchedule(text, stencil.rank()));
    schedule.residency = chooseResidency(stencil, schedule);
    variant = findVariant(schedule.variant);
  }
  Program lowered() const { return variant->lower(stencil, schedule); }
};

void lowerIt(benchmark::State &state, const Candidate &candidate) {
  for (auto _ : state)
    benchmark::DoNotOptimize(candidate.lowered());
}

void verifyIt(benchmark::State &state, const Candidate &candidate) {
  for (auto _ : state) {
    state.PauseTiming();
    Program program = candidate.lowered();
    state.ResumeTiming();
    benchmark::DoNotOptimize(KernelVerifier::verify(std::move(program)));
  }
}

/// A block in the middle: prepared, walked, and its requests looked at.
void walkIt(benchmark::State &state, const Candidate &candidate) {
  const Program program = candidate.lowered();
  const std::vector<int64_t> extents(candidate.stencil.rank(), 512);
  const std::vector<ArrayLayout> layouts = recommendedLayouts(program, extents);
  const Launch &step = *llvm::find_if(
      program.launches, [](const Launch &launch) { return launch.when == LaunchWhen::EveryStep; });
  for (auto _ : state) {
    const PlacedLaunch placed = place(program, step, extents, layouts);
    int64_t requests = 0;
    KernelWalk(placed).walk({1, 1, 1}, [&](const WarpRequest &) { ++requests; });
    benchmark::DoNotOptimize(requests);
  }
}

/// The same, and all that --emit=traffic counts.
void countIt(benchmark::State &state, const Candidate &candidate) {
  const VerifiedProgram program = llvm::cantFail(KernelVerifier::verify(candidate.lowered()));
  for (auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(countTraffic(program)));
}

using Measurement = void (*)(benchmark::State &, const Candidate &);
const std::pair<const char *, Measurement> kMeasurements[] = {
    {"lower", lowerIt}, {"verify", verifyIt}, {"walk", walkIt}, {"count", countIt}};

double least(const std::vector<double> &times) {
  return *std::min_element(times.begin(), times.end());
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  for (const auto &[name, schedule] : {std::pair{"7pt1.stn", "baseline/32x8x1"},
                                       {"7pt1.stn", "zblock/32x8x1/c8"},
                                       {"7pt1.stn", "zblock/32x8x1/c64"},
                                       {"19pt.stn", "zblock/32x8x1/c64"}}) {
    const Candidate candidate(name, schedule);
    for (const auto &[what, measure] : kMeasurements)
      benchmark::RegisterBenchmark(
          (std::string(name) + " " + schedule + " " + what).c_str(),
          [candidate, measure = measure](benchmark::State &state) { measure(state, candidate); })
          ->Unit(benchmark::kMicrosecond)
          ->MinTime(0.02)
          ->Repetitions(20)
          ->ComputeStatistics("min", least)
          ->ReportAggregatesOnly();
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
