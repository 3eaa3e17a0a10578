// What must hold of counts and predictions whatever the stencil: random stencils, blocks and
// chunks.
//
// A sample is drawn: STENCILC_SEED draws another one, STENCILC_ALL more.
#include "codegen/lower/Lower.h"
#include "costmodel/model/GeometricTraffic.h"
#include "frontend/language/Frontend.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/walk/WalkRequest.h"
#include "test/Seed.h"
#include "test/costmodel/LoweredAsUsual.h"
#include "test/fuzz/Generate.h"
#include "test/fuzz/Random.h"
#include "test/ir/StencilSource.h"

#include <fmt/ranges.h>

using namespace stencilc;

namespace invariants {
namespace {

/// Of sums and products of doubles, as a share of the result.
constexpr double kRounding = 1e-12;
constexpr double kManyWaves = 2;

// ---- what is drawn ----------------------------------------------------------------------------

/// A random program of the language, whose numbers are all of one type.
fuzz::Case randomCase(uint64_t seed) {
  fuzz::Case drawn = fuzz::generate(seed, fuzz::Dialect::Plain);
  for (fuzz::SourceArray &array : drawn.program.arrays)
    array.type = "real";
  for (fuzz::SourceParam &param : drawn.program.params)
    param.type = "real";
  drawn.real = ScalarType::F64;
  return drawn;
}

Stencil stencilFor(fuzz::Case drawn, ScalarType real = ScalarType::F64) {
  drawn.real = real;
  std::string diagnostics;
  std::optional<Stencil> stencil = analyse(drawn, diagnostics);
  EXPECT_TRUE(stencil) << diagnostics;
  return *stencil;
}

/// Calls `test(stencil, random)` for stencils of the day.
template <class Test> void forRandomStencils(int count, const Test &test) {
  const uint64_t seed = seedOfRun();
  fuzz::Random random(seed);
  for (int number = 0; number < (takesAll() ? 10 : 1) * count; ++number) {
    const fuzz::Case drawn = randomCase(random.next());
    SCOPED_TRACE(
        fmt::format("STENCILC_SEED={}, stencil {}:\n{}", seed, number, toText(drawn.program)));
    fuzz::Random ofTest(random.next());
    test(drawn, ofTest);
    if (testing::Test::HasFailure())
      return;
  }
}

/// Whether one stage updates all fields at the same points and reads every array at each of them.
bool touchesAllPoints(const Stencil &stencil) {
  if (stencil.stages.size() > 1)
    return false;
  const std::vector<Update> &updates = stencil.stages.front().updates;
  std::vector<bool> isRead(stencil.arrays.size()), isReadHere = isRead;
  for (const Update &update : updates) {
    if (frame(stencil, update) != frame(stencil, updates.front()))
      return false;
    for (const Expr &expr : update.formula.exprs)
      if (const auto *read = std::get_if<Read>(&expr.node)) {
        isRead[read->array] = true;
        isReadHere[read->array] = isReadHere[read->array] || read->offset == Offset{};
      }
  }
  return isRead == isReadHere;
}

/// Large grids that few blocks divide.
std::vector<int64_t> largeGrid(unsigned rank) {
  if (rank == 1)
    return {1'000'000};
  if (rank == 2)
    return {1500, 1111};
  return {200, 150, 130};
}

/// Whole warps in a row, or whole rows in a warp: then no row is cut between two warps otherwise
/// when the block grows along y or z.
Schedule drawSchedule(fuzz::Random &random, unsigned rank) {
  Schedule schedule;
  schedule.block = {random.pick({8, 16, 32, 32, 64}), random.pick({1, 2, 3, 4}),
                    random.pick({1, 2, 3})};
  if (rank > 1 && random.chance(50)) {
    schedule.variant = "zblock";
    schedule.chunk = random.pick({1, 2, 5, 8, 16});
    schedule.block[dimensionOf(0, rank)] = 1;
  }
  schedule.rank = rank;
  std::fill(schedule.block.begin() + rank, schedule.block.end(), 1);
  return schedule;
}

bool isLegal(const Stencil &stencil, const Schedule &schedule) {
  return !errorToBool(findVariant(schedule.variant)->checkLegal(stencil, schedule));
}

/// A lowered program and its counts, which point into it.
struct Counted {
  Counted(const Stencil &stencil, const Schedule &schedule, llvm::ArrayRef<int64_t> extents)
      : program(loweredAsUsual(stencil, schedule)),
        counts(llvm::cantFail(countProgram(program, extents))), launch(counts.launches.at(0)) {}
  Counted(const Counted &) = delete;

  const VerifiedProgram program;
  const ProgramCounts counts;
  const LaunchCounts &launch;
};

// ---- devices ----------------------------------------------------------------------------------

DeviceProfile device(const char *name) { return llvm::cantFail(loadDeviceProfile(name)); }

/// The toy GPU with caches that lose no reuse, but do not hold the grid from one step to the next.
DeviceProfile deviceWithoutMisses(const Counted &counted) {
  DeviceProfile toy = device(TOY_GPU);
  const double gridBytes =
      double(counted.counts.compulsoryReadBytes + counted.counts.compulsoryWriteBytes);
  toy.geometric->l2EffectiveBytes.value = gridBytes / 2;
  toy.geometric->l2Softness.value = 0.01;
  toy.caches.l2Bytes.value = int64_t(gridBytes / 2);
  toy.caches.l1Bytes.value = toy.caches.readOnlyBytes.value = int64_t(1) << 40;
  return toy;
}

GeometricTraffic trafficWithoutMisses(const Counted &counted) {
  return geometricTraffic(counted.launch, /*residentBlocks=*/1, deviceWithoutMisses(counted));
}

Prediction predicted(const Counted &counted, const DeviceProfile &device, Model model) {
  PredictOptions options;
  options.model = model;
  return llvm::cantFail(predict(counted.counts, device, options));
}

std::string textOf(const Prediction &prediction) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, prediction);
  return text;
}

struct ModelOnDevice {
  Model model;
  DeviceProfile device;
};
const std::vector<ModelOnDevice> &modelsOnDevices() {
  static const std::vector<ModelOnDevice> all = [] {
    std::vector<ModelOnDevice> all;
    for (const char *name : {TOY_GPU, "k20", "h200"})
      for (Model model : {Model::Su2015, Model::Geometric})
        if (DeviceProfile profile = device(name);
            model == Model::Su2015 ? bool(profile.su2015) : profile.geometric && profile.launching)
          all.push_back({model, std::move(profile)});
    return all;
  }();
  return all;
}

/// Calls `test(counted, model and device)` for predictions of the day.
template <class Test> void forPredictions(int count, const Test &test) {
  forRandomStencils(count, [&](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const Counted counted(stencil, drawSchedule(random, stencil.rank()), largeGrid(stencil.rank()));
    for (const ModelOnDevice &on : modelsOnDevices()) {
      SCOPED_TRACE(toString(counted.counts.schedule) + " " + spelling(on.model).str() + " " +
                   on.device.name);
      test(counted, on);
    }
  });
}

} // namespace

// ---- counts -----------------------------------------------------------------------------------

TEST(Invariants, RequestedSectorsCoverThoseOfBlocks) {
  forRandomStencils(300, [](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const Counted counted(stencil, drawSchedule(random, stencil.rank()), largeGrid(stencil.rank()));
    SCOPED_TRACE(toString(counted.counts.schedule));
    for (const ArrayCounts &array : counted.launch.arrays) {
      SCOPED_TRACE(array.name + (array.isStore ? " stored" : " loaded"));
      EXPECT_GE(array.interior.sectors, array.blockSectors);
      EXPECT_GE(array.interior.lines, array.blockLines);
      EXPECT_GE(array.launch.sectors, array.launchSectors);
      EXPECT_GE(array.launch.sectors, array.launch.lines);
      EXPECT_LE(array.launch.sectors, array.launch.accesses);
      EXPECT_EQ(array.interior.accesses, array.aligned + array.misaligned);
    }
  });
}

TEST(Invariants, BytesFallFromLevelToLevelDownToTheCompulsoryOnes) {
  // Compulsory are all updated points of every buffer. That is more than must move where a field is
  // updated, or an array read, at fewer points than the launch covers.
  int tested = 0;
  forRandomStencils(300, [&](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const Counted counted(stencil, drawSchedule(random, stencil.rank()), largeGrid(stencil.rank()));
    SCOPED_TRACE(toString(counted.counts.schedule));
    if (!touchesAllPoints(stencil))
      return;
    ++tested;
    const GeometricTraffic traffic = trafficWithoutMisses(counted);
    EXPECT_GE(traffic.smxBytes, traffic.l2Bytes);
    EXPECT_GE(traffic.l2Bytes, traffic.dramBytes());
    EXPECT_GE(traffic.dramBytes(),
              double(counted.counts.compulsoryReadBytes + counted.counts.compulsoryWriteBytes));
  });
  EXPECT_GE(tested, 60);
}

TEST(Invariants, ATallerBlockNeverRaisesL2BytesPerPoint) {
  forRandomStencils(200, [](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const unsigned rank = stencil.rank();
    Schedule schedule = drawSchedule(random, rank);
    const auto bytes = [&] {
      return trafficWithoutMisses(Counted(stencil, schedule, largeGrid(rank))).l2Bytes;
    };
    const double before = bytes();
    for (unsigned dimension = 1; dimension < rank; ++dimension) {
      schedule.block[dimension] *= 2;
      if (isLegal(stencil, schedule)) { // a march has the slowest axis to itself
        EXPECT_LE(bytes(), before) << toString(schedule);
      }
      schedule.block[dimension] /= 2;
    }
  });
}

TEST(Invariants, HalfAsWideNumbersAskForHalfTheBytes) {
  forRandomStencils(200, [](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const unsigned rank = stencil.rank();
    Schedule schedule = drawSchedule(random, rank);
    schedule.block[0] = 32;
    const Counted wide(stencil, schedule, largeGrid(rank)),
        narrow(stencilFor(drawn, ScalarType::F32), schedule, largeGrid(rank));
    SCOPED_TRACE(toString(wide.counts.schedule));
    bool allLieInRows = true;
    for (auto [f64, f32] : llvm::zip_equal(wide.launch.arrays, narrow.launch.arrays)) {
      SCOPED_TRACE(f64.name + (f64.isStore ? " stored" : " loaded"));
      EXPECT_EQ(f64.launch.accesses, f32.launch.accesses);
      EXPECT_EQ(f64.launch.requests, f32.launch.requests);
      // A sector holds twice as many numbers. One that is touched in part counts whole, so a
      // request moved off a line's start asks for more than half: 5 sectors of f32, 9 of f64.
      EXPECT_LE(f64.launch.sectors, 2 * f32.launch.sectors);
      EXPECT_GE(f64.launch.sectors, f32.launch.sectors);
      // Of an array without the contiguous axis, a request asks for one number.
      const auto read = llvm::find_if(
          stencil.arrays, [&name = f64.name](const Array &array) { return array.name == name; });
      const bool liesInRows =
          read == stencil.arrays.end() || llvm::is_contained(read->axes, rank - 1);
      allLieInRows &= liesInRows;
      if (f32.misaligned == 0 && liesInRows) {
        EXPECT_EQ(f64.interior.sectors, 2 * f32.interior.sectors);
        EXPECT_EQ(f64.blockSectors, 2 * f32.blockSectors);
      }
    }
    const DeviceProfile k20 = device("k20");
    if (allLieInRows) {
      EXPECT_EQ(predicted(wide, k20, Model::Su2015).bytes.smx,
                2 * predicted(narrow, k20, Model::Su2015).bytes.smx);
    }
  });
}

TEST(Invariants, AChunkOfOneCountsAsThePointsAlone) {
  forRandomStencils(200, [](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const unsigned rank = stencil.rank();
    if (rank == 1)
      return;
    Schedule schedule = drawSchedule(random, rank);
    schedule.block[dimensionOf(0, rank)] = schedule.chunk = 1;
    schedule.variant = "baseline";
    const Counted points(stencil, schedule, largeGrid(rank));
    schedule.variant = "zblock";
    const Counted march(stencil, schedule, largeGrid(rank));
    SCOPED_TRACE(toString(march.counts.schedule));
    EXPECT_EQ(points.launch.flops, march.launch.flops);
    EXPECT_EQ(points.launch.blocks, march.launch.blocks);
    for (auto [own, other] : llvm::zip_equal(points.launch.arrays, march.launch.arrays)) {
      SCOPED_TRACE(own.name);
      EXPECT_EQ(own.boxes, other.boxes);
      EXPECT_EQ(own.aligned, other.aligned);
      EXPECT_EQ(own.misaligned, other.misaligned);
      EXPECT_EQ(own.launch.sectors, other.launch.sectors);
      EXPECT_EQ(own.launch.wavefronts, other.launch.wavefronts);
      EXPECT_EQ(own.launchSectors, other.launchSectors);
    }
    for (auto &[model, device] : modelsOnDevices())
      EXPECT_EQ(predicted(points, device, model).total, predicted(march, device, model).total);
  });
}

// ---- predictions ------------------------------------------------------------------------------

TEST(Invariants, HalosOfStarsAreTheSameByFacesAndByRows) {
  fuzz::Random random(seedOfRun());
  for (int number = 0; number < (takesAll() ? 1000 : 50); ++number) {
    const unsigned rank = random.between(1, 3);
    const llvm::StringRef axes = llvm::StringRef("zyx").take_back(rank);
    std::string reads = "u";
    for (char axis : axes)
      for (char side : {'-', '+'})
        for (int step = 1, reach = random.between(0, 4); step <= reach; ++step)
          reads += fmt::format(" + u[{}{}{}]", axis, side, step);
    const std::string text =
        fmt::format("stencil star({}) {{ field {} u; boundary u: halo; u' = {}; }}",
                    fmt::join(axes, ", "), random.pick({"f32", "f64"}), reads);
    const Schedule schedule = drawSchedule(random, rank);
    SCOPED_TRACE(fmt::format("STENCILC_SEED={} {} {}", seedOfRun(), text, toString(schedule)));
    const Counted counted(stencilOf(text), schedule, largeGrid(rank));
    DeviceProfile k20 = device("k20");
    k20.su2015->haloMode.value = HaloMode::Paper;
    const Prediction faces = predicted(counted, k20, Model::Su2015);
    k20.su2015->haloMode.value = HaloMode::Geometric;
    EXPECT_EQ(textOf(faces), textOf(predicted(counted, k20, Model::Su2015)));
  }
  // Edges are counted by rows alone.
  const Counted box(stencilOf("stencil box(y, x) { field f64 u; boundary u: halo;"
                              "  u' = sum(j=-1:1, i=-1:1, u[y+j, x+i]); }"),
                    llvm::cantFail(parseSchedule("baseline/32x4", 2)), largeGrid(2));
  DeviceProfile k20 = device("k20");
  k20.su2015->haloMode.value = HaloMode::Paper;
  const double byFaces = predicted(box, k20, Model::Su2015).bytes.l2;
  k20.su2015->haloMode.value = HaloMode::Geometric;
  EXPECT_NE(byFaces, predicted(box, k20, Model::Su2015).bytes.l2);
}

TEST(Invariants, NamesOfArraysMeanNothing) {
  forRandomStencils(100, [](const fuzz::Case &drawn, fuzz::Random &random) {
    Stencil stencil = stencilFor(drawn);
    const Schedule schedule = drawSchedule(random, stencil.rank());
    const Counted before(stencil, schedule, largeGrid(stencil.rank()));
    for (auto [number, array] : llvm::enumerate(stencil.arrays))
      array.name = fmt::format("{}_array", "zyxwvu"[number]); // another order, too
    const Counted after(stencil, schedule, largeGrid(stencil.rank()));
    for (auto &[model, device] : modelsOnDevices())
      EXPECT_EQ(textOf(predicted(before, device, model)), textOf(predicted(after, device, model)));
  });
}

TEST(Invariants, NoResourceNeedsLongerThanTheWhole) {
  forPredictions(200, [](const Counted &counted, const ModelOnDevice &on) {
    const Prediction prediction = predicted(counted, on.device, on.model);
    EXPECT_GT(prediction.total, 0);
    for (unsigned bound = 0; bound < kBounds; ++bound)
      EXPECT_GE(prediction.total * (1 + kRounding), prediction.seconds[bound])
          << spelling(Bound(bound)).str();
    for (const LevelPrediction &level : prediction.levels)
      EXPECT_NEAR(level.bytes / level.bandwidth, level.seconds, kRounding * level.seconds)
          << level.name;
  });
}

TEST(Invariants, LaunchesBindWhereTheyAreTheWhole) {
  int bound = 0;
  forPredictions(200, [&](const Counted &counted, const ModelOnDevice &on) {
    // From far too short an interval to far too long a one.
    DeviceProfile device = on.device;
    for (double seconds = 1e-9; seconds < 1; seconds *= 1.5) {
      device.launching->hostInterval.value = seconds;
      const Prediction prediction = predicted(counted, device, on.model);
      EXPECT_GT(prediction[Bound::Launch], 0);
      EXPECT_EQ(prediction.bottleneck == Bound::Launch,
                prediction.total == prediction[Bound::Launch]);
      bound += prediction.bottleneck == Bound::Launch;
    }
  });
  EXPECT_GT(bound, 0);
}

TEST(Invariants, MoreDramBandwidthNeverSlowsDown) {
  forPredictions(100, [](const Counted &counted, const ModelOnDevice &on) {
    DeviceProfile faster = on.device;
    if (on.model == Model::Su2015)
      faster.su2015->dramBandwidth.value *= 2;
    else
      faster.geometric->dramBandwidth.value *= 2;
    EXPECT_LE(predicted(counted, faster, on.model).total,
              predicted(counted, on.device, on.model).total);
  });
}

TEST(Invariants, ATwiceAsLongGridTakesNoLessTime) {
  int tested = 0;
  forRandomStencils(100, [&](const fuzz::Case &drawn, fuzz::Random &random) {
    const Stencil stencil = stencilFor(drawn);
    const unsigned rank = stencil.rank();
    const Schedule schedule = drawSchedule(random, rank);
    std::vector<int64_t> extents = largeGrid(rank);
    for (int64_t &extent : extents)
      extent = std::max<int64_t>(extent >> random.between(0, 3), 24);
    const Counted once(stencil, schedule, extents);
    for (unsigned axis = 0; axis < rank; ++axis) {
      std::vector<int64_t> longer = extents;
      longer[axis] *= 2;
      const Counted twice(stencil, schedule, longer);
      for (const auto &[model, device] : modelsOnDevices()) {
        const Prediction before = predicted(once, device, model);
        // The geometric model takes the mean over all warps. That of a few waves may fall when the
        // last, short chunk of a march becomes a larger part.
        if (before.geometric && before.geometric->waves < kManyWaves)
          continue;
        ++tested;
        EXPECT_LE(before.total, predicted(twice, device, model).total * (1 + kRounding))
            << fmt::format("{} {} {} {} to {}", toString(once.counts.schedule),
                           spelling(model).str(), device.name, extents, longer);
      }
    }
  });
  EXPECT_GE(tested, 200);
}

TEST(Invariants, MoreRegistersNeverRaiseOccupancy) {
  forPredictions(10, [](const Counted &counted, const ModelOnDevice &on) {
    int least = std::numeric_limits<int>::max();
    for (int registers = 16; registers <= on.device.sm.registersPerThread; ++registers) {
      PredictOptions options;
      options.registers = registers;
      llvm::Expected<Occupancy> occupancy =
          occupancyOf(counted.counts, counted.launch, on.device, options);
      const int blocks = occupancy ? occupancy->blocks : 0;
      if (!occupancy)
        consumeError(occupancy.takeError());
      EXPECT_LE(blocks, least) << registers << " registers";
      least = std::min(least, blocks);
    }
  });
}

} // namespace invariants
