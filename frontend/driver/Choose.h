// Choose: the schedule that a program gets, forced or of least predicted time.
//
//   candidates of every variant -> lower -> count -> predict -> rank -> the first
//
// How many blocks are promised to an SM is decided here. Each schedule is predicted with the usual
// promise (costmodel/compiled/Residency.h), which leaves a thread the registers it wants, or with
// as many blocks fewer as leave it what it needs by the estimate, and a tenth more for the
// estimate's error; and, behind all of these, with as many as an SM has places for, unless that
// leaves it fewer than it needs. Of what lies between, the forecast says too little: in a march of
// the 7-point stencil on an H200, eight blocks of 256 threads beat the four or five that are usual
// by 8 % in f32 and 9 % in f64, six lose 2 % in f32 and win 4 % in f64.
//
// Of candidates whose times tie, the one that marches less far comes first: neighbours that march
// side by side drift apart the further they go, which no model here sees. In f32, blocks of 32x8
// with eight on an SM update 397, 387 and 377 points a nanosecond in marches of 16, 32 and 64
// planes, in f64 233, 227 and 225 (test/gpu/results/h200_examples.json), where the model predicts a
// percent or four more for the longest.
//
// The same on every machine: the choice follows from the stencil, the constraints and the device's
// profile. What cannot be lowered, counted or predicted is kept with its reason, and so is what
// cannot win:
// - chunks longer than one that reaches through the slowest axis;
// - schedules with the flag `plain`, which takes a promise away, where the device serves plain
//   loads and those of the read-only path by the same cache;
// - fused steps by [su2015], which knows one step at a time;
// - patches of points by [su2015], which knows threads of one alone, and patches of more registers
//   than a thread gets with a block to itself on an SM.
// - fused steps of a stencil that does not evolve (StencilFacts.h), unless steps are to be fused or
//   the variant is given.
//
// Where temps may be computed again (codegen/lower/TempsAgain.h), or values that several points ask
// for once (codegen/lower/ValuesOnce.h), all variants have their candidates for that too.
//
// Of patches few are candidates (codegen/lower/Candidates.h): the best of other blocks, chunks and
// shapes has a forecast that is less by no more than a tie, kTie (test/driver/ChooseTest.cpp).
//
// Steps are fused where the forecast of a step is less than that of the best single one by more
// than forecasts of fused steps err (fusedGainAsked), and the stages of one step likewise. A run of
// given length makes the steps that are left over one at a time, and a step of it is forecast in
// the mean. Of tiles of fused steps the chunk says least: all tiles are tried with the first of
// their chunks, and those with the others that would be best if their blocks filled every wave
// (Situation::bestTiles). On three axes every
// tile is, with counts in proportion to those of its first chunk (costmodel/count/MarchOfLength.h),
// and if these win or tie, the best four are lowered and counted themselves. What is chosen is
// counted anew. The best of all is at most 1 % less (test/driver/FusedChoiceTest.cpp). Each is
// predicted with as many blocks on an SM as spill nothing by the estimate; on three axes none of
// the kernels of a tile may, whatever grid it is for. What spills with a block to itself must gain
// much to be chosen (kSpilledGain). Where even the best spills, other variants are tried by their
// default schedules (kGainOfOthers).
//
// Beside the best few, what their variants have beside them is tried (Variant::besides): tiles on
// three axes that lie apart.
//
// A step on three axes goes on in bands (Schedule::band) where its layers outgrow the L2 and it
// gains a tenth by that (ScheduleTrials.cpp).
//
// Of a large stencil not all candidates are lowered, for that takes seconds (`--try-all`). All of
// one form together, with as many expressions each as the formulas have, are to be no more than
// Situation::mostLowered; while they are more, fewer are tried:
// 1. blocks with as many threads along x as that of the variant's default schedule has;
// 2. of these its block, at one point those of a quarter of its threads, which large formulas leave
//    more registers, and in marches those of four times as many, which share more planes, with no
//    flags but its own; and patches;
// 3. the default schedule alone.
// Of the examples, whose candidates are all tried, the best of the first two kinds are slower by
// their forecasts by no more than a tie (test/driver/ChooseTest.cpp).
#pragma once

#include "codegen/lower/Lower.h"
#include "costmodel/model/Rank.h"

namespace stencilc {

/// What is forced about the schedule; empty parts are left to the choice.
struct Constraints {
  std::optional<Schedule> whole; ///< excludes all others
  const Variant *variant = nullptr;
  std::vector<int> block; ///< x first; no more numbers than the stencil has axes
  std::optional<int> chunk, fuse;
  bool unoptimized = false; ///< what is not forced takes its default, and no model chooses
};

/// Puts the parts that are forced in their places.
void force(Schedule &schedule, const Constraints &constraints);

/// What a schedule is chosen for.
struct Situation {
  const DeviceProfile *device;  ///< outlives this
  std::vector<int64_t> extents; ///< slowest axis first
  PredictOptions options;
  /// Of a run that the choice is for; nothing: many.
  std::optional<int64_t> steps = {};
  /// How many try candidates; 0: as many as the processor runs at once, four at most. The choice is
  /// the same whatever their number.
  unsigned threads = 0;
  /// Expressions of all candidates that are tried; of those that fuse steps.
  size_t mostLowered = 40'000, mostFused = 800;
  /// Tiles of fused steps that are tried with every chunk.
  size_t bestTiles = 5;
  bool scalesMarches = true; ///< of three axes: counts one chunk of each tile
};

/// What a model makes of a program. `counted` points into the program.
struct Forecast {
  ProgramCounts counted;
  Prediction predicted;
};

struct Ranking {
  std::vector<Candidate> candidates; ///< best first
  std::vector<Rejection> rejected;
};

struct Choice {
  VerifiedProgram program;
  bool isForced;
  std::optional<Forecast> forecast;
  std::string unpredicted; ///< why there is no forecast; empty: none was asked for
  Ranking ranking;         ///< empty where the schedule is forced
};

/// So much longer than fused steps, by their forecasts, the best single step must take for them to
/// be chosen. Of 18 cases that seeds drew, where the forecast of the best fused kernel gains more,
/// it ran 0.97 to 5.9 times as fast as the best single step
/// (test/gpu/results/h200_fused_drawn.json, h100_fused_drawn_again.json), on which the number was
/// chosen. Of kernels with too few blocks to fill every SM, 173 timed on small grids, nine of ten
/// take no more than the other number longer than is forecast
/// (test/gpu/results/h200_fused_small.json).
inline constexpr double kFusedGain = 0.25, kFusedGainOfFewBlocks = 1.1;
/// Blocks are few where the SMs have less than this share of the threads that they hold at most:
/// all of those 173 have. Of three kernels with more, timed later, none took more than 6 % longer
/// than forecast (test/gpu/results/h100_programs_second.json, sandpile), which is why the bound is
/// there.
inline constexpr double kFewThreads = 0.25;
/// The same where stages of one step are fused, and no steps: of eight such marches timed on an
/// H100 (test/gpu/results/h100_fused_stages.json) forecasts gain 30 % at most, which is 8 % by the
/// clock, and one that by them gains 3 % takes twice as long as a launch a stage. One of which 34 %
/// are forecast gains 51 (harris in h100_programs_second.json there). Chosen on these.
inline constexpr double kFusedGainOfOneStep = 0.32;
/// Which of these it is.
double fusedGainAsked(const Schedule &schedule, const Prediction &fused);

/// And the best that spills no register, for one to be chosen that does by the estimate: three such
/// kernels of large formulas, timed on an H100, take up to 1.6 times as long as is forecast
/// (test/gpu/results/h100_programs.json). Chosen on these.
inline constexpr double kSpilledGain = 0.5;

/// And the best of all, if that spills by the estimate, for the default schedule of a variant that
/// is else chosen by name only: tiles leave a thread registers. Of five programs that were timed,
/// three that are forecast to gain 37 to 66 % by it gain 1.08, 2.75 and 2.86 times, two that are to
/// gain 2 and 11 % lose 12 and 8 (h200_programs_fourth.json and _eighth, h100_programs_fifth.json
/// there). Chosen on these.
inline constexpr double kGainOfOthers = 0.25;

/// And the best that computes every value where it is asked for, for one to be chosen that computes
/// some once: of two programs that were forecast to gain 57 and 117 % one loses 3 and one gains 48
/// (test/gpu/results/h200_values_once.json), as compilers keep what points of a patch have in
/// common; a third gains 84 (h200_programs_changed.json there). Chosen before they were timed.
inline constexpr double kValuesOnceGain = 0.15;

/// Seconds of a step by this schedule; of one without a variant, by the best that takes it. Nothing
/// where it cannot be lowered or predicted, or promises so many blocks on an SM that a thread may
/// have too few registers.
std::optional<double> tryOut(const Stencil &stencil, Schedule schedule, const Situation &situation);

/// Takes the schedule that is forced as a whole, or the default of a variant that has no candidates
/// or of whichever is not to be optimized; else the best of those that have the parts forced, and
/// fails with the reasons if none is left. Where the grid has no point to update, any is as good:
/// the first is taken. Without a situation no model is asked, and what is not forced takes its
/// default. What no launch could pass its arguments to is refused, forced or not.
llvm::Expected<Choice> choose(const Stencil &stencil, const Constraints &constraints,
                              const std::optional<Situation> &situation);

} // namespace stencilc
