#include "test/mutation/Subject.h"

#include "frontend/language/Diagnostics.h"
#include "frontend/language/Frontend.h"
#include "test/programs/HandBuilt.h"

#include "llvm/Support/Path.h"

#include <cmath>
#include <numeric>

using namespace stencilc;
using namespace stencilc::mutation;

static Stencil readStencil(llvm::StringRef file) {
  auto source = llvm::MemoryBuffer::getFile(file);
  if (!source)
    llvm::report_fatal_error(llvm::Twine("cannot read ") + file);
  DiagnosticEngine diagnostics(std::move(*source), llvm::errs());
  std::optional<Stencil> stencil = analyse(diagnostics, {});
  if (!stencil)
    llvm::report_fatal_error(llvm::Twine(file) + " is not a stencil");
  return std::move(*stencil);
}

/// Blocks of few threads and chunks of few planes, as far as the variant has them; none if it is
/// not for this stencil. Three rows reach two points beyond an end: past a frame of one.
static std::optional<Schedule> smallSchedule(const Variant &variant, const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  const Schedule usual = variant.defaultSchedule(stencil);
  Schedule points = usual;
  points.block = {8, rank > 1 ? 3 : 1, rank > 2 ? 2 : 1};
  Schedule marching = points;
  marching.block[dimensionOf(0, rank)] = 1;
  marching.chunk = 3;
  for (const Schedule &schedule : {points, marching, usual}) {
    llvm::Error illegal = variant.checkLegal(stencil, schedule);
    if (!illegal)
      return schedule;
    consumeError(std::move(illegal));
  }
  return std::nullopt;
}

namespace {

struct Size {
  int64_t z, y, x;
  int phase = 0, pitch = 0;
  int64_t maxGridYZ = 65535;
};

} // namespace

/// Below, at and above blocks, chunks and frames, and one point past a multiple of them: what
/// begins or ends one point wrong shows in one of these.
static constexpr Size kSizes[] = {{.z = 5, .y = 4, .x = 19, .phase = 3, .pitch = 2},
                                  {.z = 1, .y = 1, .x = 1},
                                  {.z = 1, .y = 4, .x = 5},
                                  {.z = 4, .y = 1, .x = 5},
                                  {.z = 4, .y = 5, .x = 1},
                                  {.z = 2, .y = 3, .x = 5, .phase = 15},
                                  {.z = 3, .y = 2, .x = 4},
                                  {.z = 4, .y = 3, .x = 2},
                                  {.z = 3, .y = 4, .x = 2, .pitch = 1},
                                  {.z = 3, .y = 19, .x = 4, .maxGridYZ = 1},
                                  {.z = 19, .y = 3, .x = 5, .maxGridYZ = 2},
                                  {.z = 4, .y = 5, .x = 31},
                                  {.z = 5, .y = 9, .x = 33, .pitch = 1},
                                  {.z = 6, .y = 11, .x = 35, .phase = 2},
                                  {.z = 6, .y = 9, .x = 4},
                                  // One more than blocks that copy ends of rows; also with ghosts.
                                  {.z = 9, .y = 17, .x = 4},
                                  {.z = 7, .y = 15, .x = 3}};

static std::vector<fuzz::Case> casesFor(const Stencil &stencil, llvm::ArrayRef<Size> sizes,
                                        int64_t steps) {
  std::vector<fuzz::Case> cases;
  for (const Size &size : sizes) {
    fuzz::Case tested;
    tested.seed = tested.dataSeed = cases.size() + 1;
    const int64_t extents[] = {size.z, size.y, size.x};
    tested.extents.assign(extents + kMaxRank - stencil.rank(), extents + kMaxRank);
    tested.keepsShortPeriods = true;
    tested.steps = steps;
    tested.phase = size.phase;
    tested.pitch = size.pitch;
    tested.maxGridYZ = size.maxGridYZ;
    cases.push_back(std::move(tested));
  }
  return cases;
}

static std::vector<fuzz::Case> casesFor(const Stencil &stencil) {
  std::vector<Size> sizes(std::begin(kSizes), std::end(kSizes));
  // All remainders of rows by the block, from all first points of a memory line.
  for (int phase = 0; phase < 16; ++phase)
    sizes.push_back({.z = 7, .y = 3, .x = 11, .phase = phase});
  return casesFor(stencil, sizes, 3);
}

/// Ghost points that nothing reads hold NaN, as buffers do that nothing wrote: numbers tell whether
/// they were copied.
static void nameUnread(Grid &grid) {
  for (auto [element, value] : llvm::enumerate(grid.values))
    if (std::isnan(value))
      value = 100 + double(element);
}

static Subject makeSubject(llvm::StringRef variant, llvm::StringRef stencilName,
                           const Stencil &stencil, Program program, std::vector<fuzz::Case> cases) {
  Subject subject;
  subject.variant = variant.str();
  subject.stencilName = stencilName.str();
  subject.stencil = stencil;
  subject.program = std::move(program);
  subject.cases = std::move(cases);
  for (const fuzz::Case &tested : subject.cases) {
    State start = llvm::cantFail(fuzz::startOf(tested, stencil));
    for (Grid &grid : start.current)
      nameUnread(grid);
    subject.references.push_back(fuzz::referenceOf(tested, stencil, std::move(start)));
  }
  return subject;
}

static Subject makeSubject(const Variant &variant, const Schedule &schedule, llvm::StringRef file,
                           const Stencil &stencil) {
  Program program = variant.lower(stencil, schedule);
  program.schedule = schedule;
  return makeSubject(variant.name, llvm::sys::path::stem(file), stencil, std::move(program),
                     casesFor(stencil));
}

/// Short addresses reach as far as the largest grid but one, so that launches for long ones run
/// too.
static int64_t mostShort(const HandBuilt &built) {
  std::vector<int64_t> elements;
  for (const std::vector<int64_t> &extents : built.extents)
    elements.push_back(
        std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies()));
  llvm::sort(elements);
  return elements[elements.size() - std::min<size_t>(2, elements.size())];
}

/// With the longest of its runs; and where that has several kinds of passes, with the shortest,
/// whose first pass is of another kind. Where levels return from the workspace, with all: it
/// depends on how many steps there are.
static Subject makeSubject(const HandBuilt &built) {
  const Stencil stencil = built.stencil();
  Program program = built.build(stencil);
  if (built.runsLong)
    program.mostShort = mostShort(built);
  const int64_t shortest = built.steps.front(), longest = built.steps.back();
  std::vector<fuzz::Case> cases;
  if (built.faults.empty()) // else its own grids show what is wrong
    cases = casesFor(stencil, kSizes, longest);
  if (built.faults.empty() && program.plan.passes.size() > 1)
    llvm::append_range(cases, casesFor(stencil, kSizes, shortest));
  const bool asks = asksForAlignment(program);
  const auto lastGrids =
      llvm::ArrayRef(built.extents).take_back(std::min<size_t>(4, built.extents.size()));
  for (fuzz::Case &tested : casesOf(built)) {
    if (tested.steps != longest && program.plan.epilogue.empty())
      continue;
    if (asks) {
      // Rows of the other cases are not aligned; of these, those of the last grids are not
      // either, and others at the first point that is updated.
      tested.phase = 0;
      tested.pitch = (4 - tested.extents.back() % 4) % 4;
      if (llvm::is_contained(lastGrids, tested.extents)) {
        fuzz::Case unaligned = tested;
        unaligned.phase = 1;
        ++unaligned.pitch;
        cases.push_back(std::move(unaligned));
        fuzz::Case atFirst = tested;
        atFirst.phase = 16 - program.signature.firstUpdated % 16;
        cases.push_back(std::move(atFirst));
      }
    }
    cases.push_back(std::move(tested));
  }
  Subject subject =
      makeSubject(built.name, stencil.name, stencil, std::move(program), std::move(cases));
  subject.isCostly = true;
  subject.faults = built.faults;
  return subject;
}

/// The points along an axis that blocks of the launches may advance at most.
static int64_t blockAlong(const Program &program, unsigned axis) {
  int64_t points = 1;
  for (const Pass &pass : program.plan.passes)
    forEachLaunch(pass.actions, [&](const Launch &launch) {
      if (!llvm::StringRef(program.kernels[launch.kernel].name).contains("_copy_frame"))
        points = std::max<int64_t>(points, launch.cover.points[axis]);
    });
  return points;
}

Subject mutation::onMoreGrids(const Subject &subject) {
  const unsigned rank = subject.stencil.rank();
  std::vector<std::vector<int64_t>> sizes; ///< by axis, all as many
  for (unsigned axis = 0; axis < rank; ++axis) {
    const int64_t block = blockAlong(subject.program, axis);
    sizes.push_back({3, 4, 5, 6, 7, block + 1, block + 2, block + 3, 2 * block + 1, 2 * block + 2,
                     2 * block + 3});
  }
  const size_t count = sizes[0].size();
  std::vector<fuzz::Case> cases;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < (rank > 1 ? count : 1); ++j)
      for (const bool isAligned : {true, false}) {
        fuzz::Case &tested = cases.emplace_back();
        tested.seed = tested.dataSeed = cases.size();
        const size_t numbers[] = {i, j, (i + j) % count};
        for (unsigned axis = 0; axis < rank; ++axis)
          tested.extents.push_back(sizes[axis][numbers[axis]]);
        tested.keepsShortPeriods = true;
        tested.steps = subject.cases.front().steps;
        tested.pitch = (4 - tested.extents.back() % 4) % 4 + !isAligned;
        tested.phase = isAligned ? 0 : cases.size() % 16;
      }
  return makeSubject(subject.variant, subject.stencilName, subject.stencil, subject.program,
                     std::move(cases));
}

std::vector<Subject> mutation::subjects() {
  static constexpr llvm::StringLiteral files[] = {"/examples/heat.stn", "/examples/diffusion.stn",
                                                  "/examples/gray_scott.stn", "/examples/7pt1.stn",
                                                  "/test/mutation/Inputs/walls.stn"};
  std::vector<Subject> result;
  for (const Variant &variant : variants())
    for (llvm::StringRef file : files) {
      const Stencil stencil = readStencil(STENCILC_SOURCE_FOLDER + file.str());
      // Of fused steps those built by hand are small enough.
      const std::optional<Schedule> schedule = smallSchedule(variant, stencil);
      if (schedule && schedule->fuse == 1)
        result.push_back(makeSubject(variant, *schedule, file, stencil));
    }
  llvm::StringRef tiled = STENCILC_SOURCE_FOLDER "/test/mutation/Inputs/plate.stn";
  const Stencil plate = readStencil(tiled);
  result.push_back(makeSubject(tiledVariant, *smallSchedule(tiledVariant, plate), tiled, plate));
  for (const HandBuilt &built : handBuilt())
    if (built.takesFaults)
      result.push_back(makeSubject(built));
  return result;
}
