#include "costmodel/count/BlockFootprint.h"
#include "costmodel/count/InteriorCounter.h"
#include "costmodel/count/StatementWork.h"
#include "ir/kernel/CudaLimits.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

/// Extents that put the middle block further from every end than an access may reach.
static constexpr int64_t kRoomyExtent = 1 << 18;

uint64_t LaunchCounts::pointsPerThread() const {
  uint64_t product = std::min(cover[0], extent[0]);
  for (int64_t points : llvm::drop_begin(cover))
    product *= points;
  return std::max<uint64_t>(1, product / threads);
}

int64_t stencilc::argumentBytes(const Program &program, const Kernel &kernel) {
  constexpr int64_t pointer = 8, stride = 8, integer = 4;
  int64_t bytes = pointer * kernel.arrays.size() + (integer + stride) * kernel.rank() - stride;
  for (const IntegerArgument &argument : kernel.integers)
    bytes = argument.isWide ? llvm::alignTo(bytes, 8) + 8 : bytes + integer;
  for (unsigned uniform : kernel.uniforms) {
    const ScalarType type = program.uniforms[uniform].type;
    const int64_t size = isFloat(type)              ? sizeInBytes(type)
                         : type == ScalarType::Bool ? sizeof(bool)
                                                    : sizeof(int64_t);
    bytes = llvm::alignTo(bytes, size) + size;
  }
  return bytes;
}

// ---- launches ---------------------------------------------------------------------------------

namespace {

/// Counts one launch. `roomy` is the same launch on a grid whose middle block is far from every
/// end.
class LaunchCounter {
public:
  LaunchCounter(const Launch &launch, const PlacedLaunch &placed, const PlacedLaunch &roomy)
      : placed(placed), roomy(roomy), kernel(*placed.kernel), rank(kernel.rank()) {
    counted.kernel = &kernel;
    counted.threads = kernel.threads();
    counted.warps = kernel.warps();
    counted.cover = counted.extent = counted.blocks = {1, 1, 1};
    counted.band = launch.cover.band;
    counted.blockCount = counted.points = 1;
    for (unsigned axis = 0; axis < rank; ++axis) {
      counted.cover[axis] = launch.cover.points[axis] / launch.cover.together(axis);
      counted.extent[axis] = endWithPoints(axis) - placed.cover.begin[axis];
      counted.blocks[axis] = placed.blocks[dimensionOf(axis, rank)];
      counted.blockCount *= counted.blocks[axis];
      counted.points *= counted.extent[axis];
    }
    if (kernel.cluster > 1)
      counted.sharedBytes += cuda::kMailBytes;
    for (const SharedTile &tile : kernel.tiles) {
      int64_t elements = 1;
      for (int size : tile.shape)
        elements *= size;
      counted.sharedBytes += elements * sizeInBytes(tile.type);
    }
  }

  LaunchCounts count() {
    const EventCounts grid = countGrid();
    const GridFootprint once = footprintOfGrid(placed);
    for (unsigned array = 0; array < kernel.arrays.size(); ++array)
      addArray(array, /*isStore=*/false, grid.loads[array], once.loads[array]);
    for (unsigned array = 0; array < kernel.arrays.size(); ++array)
      addArray(array, /*isStore=*/true, grid.stores[array], once.stores[array]);
    countInterior();
    return std::move(counted);
  }

private:
  /// A box that is covered may go on behind the last points that any array has.
  int64_t endWithPoints(unsigned axis) const {
    int64_t most = placed.extents[axis];
    for (const ArrayArgument &array : kernel.arrays)
      most = std::max(most, placed.extents[axis] + array.ghost[axis][High]);
    return std::min(placed.cover.end[axis], most);
  }

  EventCounts countGrid() {
    KernelWalk walk(placed);
    EventCounter grid(kernel, walk);
    walk.walkGrid(grid);
    work = workOf(kernel, walk.statements());
    EventCounts counts = grid.counts();
    for (auto [number, own] : llvm::enumerate(counts.statements)) {
      const Statement *statement = walk.statements()[number];
      counted.statements.push_back({statement, own.warps, own.lanes, own.turns, own.divergent});
      counted.flops += own.lanes * work[number].flops;
      counted.computed += own.lanes * work[number].values;
    }
    for (auto [side, lanes] : llvm::zip_equal(walk.sides(), counts.sides))
      counted.flops += lanes * flopsOf(side);
    counted.together = withBarriers(counts);
    counted.storingWarps = counts.storingWarps;
    return counts;
  }

  /// Several barriers, of different roles, may be one to a group: arrivals are summed up by group.
  WarpCounts withBarriers(const EventCounts &counts) const {
    WarpCounts together = counts.together;
    uint64_t ofBlocks = 0;
    llvm::SmallVector<uint64_t, 4> ofGroups(kernel.groups.size());
    for (auto [own, ofStatement] : llvm::zip_equal(counts.statements, work))
      if (const std::optional<Barrier> &barrier = ofStatement.barrier) {
        (barrier->group ? ofGroups[*barrier->group] : ofBlocks) += own.warps;
        together.arrivals += own.warps;
      } else if (ofStatement.awaits) { // one warp of a block does
        together.meetings += own.warps;
        together.arrivals += own.warps;
      }
    together.meetings += ofBlocks / counted.warps;
    for (auto [arrivals, group] : llvm::zip_equal(ofGroups, kernel.groups))
      together.meetings += arrivals / group.warps;
    return together;
  }

  void addArray(unsigned number, bool isStore, const RequestCounts &requests,
                const GridFootprint::OfArray &once) {
    if (requests.accesses == 0)
      return;
    const ArrayArgument &argument = kernel.arrays[number];
    ArrayCounts &array = counted.arrays.emplace_back();
    array.array = number;
    array.isStore = isStore;
    array.name = argument.name;
    array.elementBytes = sizeInBytes(argument.type);
    array.readOnlyPath = argument.readOnlyPath;
    array.points = 1;
    for (unsigned axis : argument.axes)
      array.points *= counted.extent[axis];
    array.launch = requests;
    // Where rows lie one after another some begin amid a sector, of which footprints know nothing.
    array.launchSectors = std::min<uint64_t>(once.sectors, requests.sectors);
    array.launchPoints = once.points;
    (isStore ? counted.stored : counted.loaded) += once.points;
  }

  /// The number of the loop in which threads spend most of their time.
  std::optional<unsigned> steadyLoop() const {
    std::optional<unsigned> most;
    for (auto [number, counts] : llvm::enumerate(counted.statements))
      if (const For *loop = loopOf(*counts.statement); loop && loop->steady)
        if (!most || counts.turns > counted.statements[*most].turns)
          most = number;
    return most;
  }

  void countInterior() {
    std::array<int64_t, 3> block;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      block[dimension] = roomy.blocks[dimension] / 2;
    KernelWalk walk(roomy);
    const std::optional<unsigned> loop = steadyLoop();
    InteriorCounter counter(kernel, walk, block[0] * counted.cover[rank - 1], loop);
    walk.walkInRounds(block, loop, counter);
    counted.interior = withBarriers(counter.counts());
    const std::vector<AccessBoxes> boxes = boxesOfBlock(roomy, block);
    for (ArrayCounts &array : counted.arrays) {
      counter.describe(array, loop ? movedByTurn(*loop, array.array) : 0);
      for (const AccessBoxes &access : boxes)
        if (access.array == array.array && access.isStore == array.isStore)
          addFootprint(array, access, block);
    }
  }

  /// Elements from a turn's loads to those of the next; none of an array that lacks the slowest
  /// axis.
  int64_t movedByTurn(unsigned loop, unsigned array) const {
    const auto &axes = kernel.arrays[array].axes;
    if (axes.empty() || axes.front() != 0)
      return 0;
    return loopOf(*counted.statements[loop].statement)->steady->planes *
           roomy.layouts[array].stride.front();
  }

  /// `block` is the interior one, on the roomy grid.
  void addFootprint(ArrayCounts &array, const AccessBoxes &access,
                    const std::array<int64_t, 3> &block) const {
    array.blockSectors = piecesOf(roomy, access, kSectorBytes);
    array.blockLines = piecesOf(roomy, access, kLineBytes);
    array.boxes = access.boxes;
    for (GridBox &box : array.boxes)
      for (unsigned axis : kernel.arrays[access.array].axes) {
        const int64_t start =
            roomy.cover.first[axis] + block[dimensionOf(axis, rank)] * counted.cover[axis];
        box[axis] = {box[axis].first - start, box[axis].last - start};
      }
  }

  const PlacedLaunch &placed, &roomy;
  const Kernel &kernel;
  const unsigned rank;
  std::vector<StatementWork> work; ///< of the statements
  LaunchCounts counted;
};

} // namespace

// ---- programs ---------------------------------------------------------------------------------

namespace {

/// How the arrays of a program lie, on a grid and on one that is roomy.
struct GridPair {
  GridPair(const Program &program, llvm::ArrayRef<int64_t> extents)
      : program(program), extents(extents), room(extents.size(), kRoomyExtent),
        layouts(recommendedLayouts(program, extents)),
        roomyLayouts(recommendedLayouts(program, room)) {}

  std::optional<LaunchCounts> count(const Launch &launch) const {
    const PlacedLaunch placed = place(program, launch, extents, layouts);
    if (placed.cover.isEmpty())
      return std::nullopt;
    const PlacedLaunch roomy = place(program, launch, room, roomyLayouts);
    LaunchCounts counted = LaunchCounter(launch, placed, roomy).count();
    counted.argumentBytes = argumentBytes(program, *placed.kernel);
    return counted;
  }

  const Program &program;
  const llvm::ArrayRef<int64_t> extents;
  const std::vector<int64_t> room;
  const std::vector<ArrayLayout> layouts, roomyLayouts;
};

} // namespace

std::optional<LaunchCounts> stencilc::countLaunch(const VerifiedProgram &program,
                                                  const Launch &launch,
                                                  llvm::ArrayRef<int64_t> extents) {
  return GridPair(*program, extents).count(launch);
}

/// Counts, on a grid of such extents, what a steady pass launches on one of those `asked`.
static llvm::Expected<ProgramCounts> countLaunches(const VerifiedProgram &program,
                                                   llvm::ArrayRef<int64_t> extents,
                                                   llvm::ArrayRef<int64_t> asked) {
  if (program->target != Target::Device)
    return llvm::createStringError("only kernels of a GPU are counted; this schedule runs on the "
                                   "CPU");
  ProgramCounts counts;
  counts.schedule = program->schedule;
  counts.axes = program->signature.axes;
  counts.extents = extents.vec();
  const GridPair grids(*program, extents);
  const Pass &pass = steadyPass(program->plan, extents);
  counts.steps = pass.steps;
  std::vector<std::pair<unsigned, bool>> moved; // buffers, and whether they are written
  for (const Launch *launch : steadyLaunches(*program, pass, asked, grids.layouts)) {
    std::optional<LaunchCounts> made = grids.count(*launch);
    if (!made)
      continue;
    const LaunchCounts &counted = counts.launches.emplace_back(std::move(*made));
    counts.points = std::max(counts.points, counted.points);
    for (const ArrayCounts &array : counted.arrays) {
      const std::pair buffer(launch->buffers[array.array], array.isStore);
      if (llvm::is_contained(moved, buffer))
        continue;
      if (!llvm::is_contained(moved, std::pair(buffer.first, !array.isStore)))
        counts.heldBytes += array.points * array.elementBytes;
      moved.push_back(buffer);
      (array.isStore ? counts.compulsoryWriteBytes : counts.compulsoryReadBytes) +=
          array.points * array.elementBytes;
    }
  }
  if (counts.launches.empty())
    return llvm::createStringError("no point of a grid of this size is updated");
  return counts;
}

llvm::Expected<ProgramCounts> stencilc::countProgram(const VerifiedProgram &program,
                                                     llvm::ArrayRef<int64_t> extents) {
  return countLaunches(program, extents, extents);
}

bool stencilc::updatesPoints(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents) {
  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, extents);
  const Pass &pass = steadyPass(program->plan, extents);
  return llvm::any_of(steadyLaunches(*program, pass, extents, layouts), [&](const Launch *launch) {
    return !place(*program, *launch, extents, layouts).cover.isEmpty();
  });
}

llvm::Expected<ProgramCounts> stencilc::countInteriorBlocks(const VerifiedProgram &program) {
  // No memory holds so roomy a grid: it is launched on as one that some do.
  const unsigned rank = program->signature.rank();
  const int64_t held = rank == 1 ? kRoomyExtent : rank == 2 ? 1 << 15 : 1 << 10;
  return countLaunches(program, std::vector<int64_t>(rank, kRoomyExtent),
                       std::vector<int64_t>(rank, held));
}
