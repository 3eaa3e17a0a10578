#include "costmodel/count/BlockCounter.h"
#include "costmodel/count/BlockFootprint.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace stencilc;

/// Extents that put the middle block further from every end than an access may reach.
static constexpr int64_t kRoomyExtent = 1 << 18;
/// Turns of a long loop that are walked at its end at least: the one before the last tells whether
/// those left out were alike.
static constexpr int64_t kLeastLastTurns = 2;

// ---- what a statement computes ----------------------------------------------------------------

/// Operations on numbers in a value: + - * / and functions, each as one; of a guarded value those
/// inside.
static unsigned flopsOf(const Value &value) {
  if (const auto *guarded = std::get_if<GuardedValue>(&value->node))
    return flopsOf(guarded->inside);
  unsigned flops =
      std::holds_alternative<CallValue>(value->node) ||
      (std::holds_alternative<BinaryValue>(value->node) && value->type != ScalarType::Bool);
  forEachOperand(*value, [&](const Value &operand) { flops += flopsOf(operand); });
  return flops;
}

static unsigned flopsOf(const Statement &statement) {
  const Value *value = valueOf(statement);
  return value ? flopsOf(*value) : 0;
}

uint64_t LaunchCounts::pointsPerThread() const {
  uint64_t product = 1;
  for (int64_t points : cover)
    product *= points;
  return product / threads;
}

// ---- classes of blocks ------------------------------------------------------------------------

namespace {

/// Blocks along one axis that behave as the one with this number does.
struct BlockClass {
  int64_t block;
  uint64_t count;
};

/// Counts one launch class by class. `roomy` is the same launch on a grid whose middle block is far
/// from every end.
class LaunchCounter {
public:
  LaunchCounter(const Launch &launch, const PlacedLaunch &placed, const PlacedLaunch &roomy)
      : placed(placed), roomy(roomy), kernel(*placed.kernel), rank(kernel.rank()), walk(placed),
        launch(kernel, walk.statements().size()) {
    counted.kernel = &kernel;
    counted.threads = kernel.threads();
    counted.warps = BlockThreads(kernel.block).warps;
    counted.residency = kernel.residency;
    counted.cover = counted.extent = counted.blocks = {1, 1, 1};
    counted.blockCount = counted.points = 1;
    for (unsigned axis = 0; axis < rank; ++axis) {
      counted.cover[axis] = launch.cover[axis];
      counted.extent[axis] = placed.end[axis] - placed.begin[axis];
      counted.blocks[axis] = placed.blocks[dimensionOf(axis, rank)];
      counted.blockCount *= counted.blocks[axis];
      counted.points *= counted.extent[axis];
    }
    for (const SharedTile &tile : kernel.tiles) {
      int64_t elements = 1;
      for (int size : tile.shape)
        elements *= size;
      counted.sharedBytes += elements * sizeInBytes(tile.type);
    }
  }

  LaunchCounts count() {
    countInterior();
    std::array<std::vector<BlockClass>, 3> classes;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      classes[dimension] = classesAlong(dimension);
    for (const BlockClass &z : classes[2])
      for (const BlockClass &y : classes[1])
        for (const BlockClass &x : classes[0])
          addClass({x.block, y.block, z.block}, x.count * y.count * z.count);
    finishStatements();
    return std::move(counted);
  }

private:
  void countInterior() {
    std::array<int64_t, 3> block;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      block[dimension] = roomy.blocks[dimension] / 2;
    KernelWalk walk(roomy);
    BlockCounter counter(kernel, walk.statements().size(), block[0] * counted.cover[rank - 1],
                         kLeastLastTurns);
    walk.walk(block, counter);
    const BlockCounts ofBlock = counter.isExact ? counter.counts : countEveryTurn(walk, block);
    for (const AccessBoxes &access : boxesOfBlock(roomy, block)) {
      const ArrayArgument &argument = kernel.arrays[access.array];
      const BlockCounts::OfArray &own =
          (access.isStore ? ofBlock.stores : ofBlock.loads)[access.array];
      ArrayCounts &array = counted.arrays.emplace_back();
      array.array = access.array;
      array.isStore = access.isStore;
      array.name = argument.name;
      array.elementBytes = sizeInBytes(argument.type);
      array.readOnlyPath = argument.readOnlyPath;
      array.aligned = own.aligned;
      array.misaligned = own.misaligned;
      array.interior = own.requests;
      if (!access.isStore)
        array.linesLoadedAgain = counter.linesLoadedAgain(access.array);
      array.blockSectors = pieces(roomy, access, kSectorBytes);
      array.blockLines = pieces(roomy, access, kLineBytes);
      array.boxes = access.boxes;
      for (GridBox &box : array.boxes)
        for (unsigned axis : argument.axes) {
          const int64_t start =
              roomy.first[axis] + block[dimensionOf(axis, rank)] * counted.cover[axis];
          box[axis] = {box[axis].first - start, box[axis].last - start};
          reach[axis] = {std::min(reach[axis].first, box[axis].first),
                         std::max(reach[axis].last, box[axis].last)};
        }
    }
  }

  /// Distinct pieces of memory that boxes touch.
  uint64_t pieces(const PlacedLaunch &launch, const AccessBoxes &access, int64_t pieceBytes) const {
    std::vector<GridBox> boxes = access.boxes;
    for (GridBox &box : boxes) {
      Interval &along = box[rank - 1];
      along = {along.first + launch.layouts[access.array].origin,
               along.last + launch.layouts[access.array].origin};
    }
    return unionPieces(boxes, rank, pieceBytes / sizeInBytes(kernel.arrays[access.array].type));
  }

  /// How many neighbours along the contiguous axis start at different places of a line.
  int64_t phasesOfBlocks() const {
    int64_t line = 1; // elements, of the narrowest type
    for (const ArrayArgument &array : kernel.arrays)
      line = std::max<int64_t>(line, kLineBytes / sizeInBytes(array.type));
    return line / std::gcd(line, counted.cover[rank - 1]);
  }

  /// The first and the last block stand alone, and so do all whose accesses reach an end of the
  /// grid; the others are alike.
  std::vector<BlockClass> classesAlong(unsigned dimension) const {
    const int64_t blocks = placed.blocks[dimension];
    if (dimension >= rank)
      return {{0, 1}};
    const unsigned axis = rank - 1 - dimension;
    const auto reachesAnEnd = [&](int64_t block) {
      const int64_t start = placed.first[axis] + block * counted.cover[axis];
      return start + reach[axis].first < 0 || start + reach[axis].last >= placed.extents[axis];
    };
    int64_t low = 1, high = blocks - 1; // [low, high) are alike
    while (low < high && reachesAnEnd(low))
      ++low;
    while (low < high && reachesAnEnd(high - 1))
      --high;
    std::vector<BlockClass> classes;
    for (int64_t block = 0; block < std::min(low, blocks); ++block)
      classes.push_back({block, 1});
    // Blocks that start at one distance from a line are alike.
    const int64_t phases = dimension == 0 ? phasesOfBlocks() : 1;
    const int64_t middle = llvm::alignDown(uint64_t(low + high) / 2 - low, phases) + low;
    for (int64_t phase = 0; phase < std::min(phases, high - low); ++phase)
      classes.push_back({middle + phase < high ? middle + phase : middle + phase - phases,
                         uint64_t(llvm::divideCeil(high - low - phase, phases))});
    for (int64_t block = std::max(low, high); block < blocks; ++block)
      classes.push_back({block, 1});
    return classes;
  }

  void addClass(std::array<int64_t, 3> block, uint64_t count) {
    const BlockCounts ofBlock = countBlock(walk, block);
    for (ArrayCounts &array : counted.arrays)
      array.launch.add((array.isStore ? ofBlock.stores : ofBlock.loads)[array.array].requests,
                       count);
    for (const AccessBoxes &access : boxesOfBlock(placed, block))
      for (ArrayCounts &array : counted.arrays)
        if (array.array == access.array && array.isStore == access.isStore)
          array.launchSectors += count * pieces(placed, access, kSectorBytes);
    launch.add(ofBlock, count);
  }

  BlockCounts countBlock(KernelWalk &walk, std::array<int64_t, 3> block) {
    const int64_t start = block[0] * counted.cover[rank - 1];
    BlockCounter counter(kernel, walk.statements().size(), start, lastTurns());
    walk.walk(block, counter);
    return counter.isExact ? std::move(counter.counts) : countEveryTurn(walk, block);
  }

  BlockCounts countEveryTurn(KernelWalk &walk, std::array<int64_t, 3> block) {
    BlockCounter counter(kernel, walk.statements().size(), block[0] * counted.cover[rank - 1],
                         /*lastTurns=*/std::nullopt);
    walk.walk(block, counter);
    return std::move(counter.counts);
  }

  /// A boundary bends the indices of the turns that read beyond it, and one before them is held
  /// against those left out. Nothing is to be left out of a kernel without a loop.
  std::optional<int64_t> lastTurns() const {
    const bool hasLoop = llvm::any_of(walk.statements(), [](const Statement *statement) {
      return std::holds_alternative<For>(statement->node);
    });
    if (!hasLoop)
      return std::nullopt;
    const int64_t beyond = reach[0].last - (counted.cover[0] - 1);
    return std::max(kLeastLastTurns, 1 + beyond);
  }

  void finishStatements() {
    for (auto [statement, own] : llvm::zip_equal(walk.statements(), launch.statements)) {
      counted.statements.push_back({statement, own.warps, own.turns, own.divergent});
      counted.flops += own.lanes * flopsOf(*statement);
      if (std::holds_alternative<Barrier>(statement->node))
        counted.barriers += own.warps / counted.warps;
    }
    counted.shared = launch.shared;
    counted.storingWarps = launch.storingWarps;
  }

  const PlacedLaunch &placed, &roomy;
  const Kernel &kernel;
  const unsigned rank;
  /// Points that an interior block accesses, counted from its first.
  GridBox reach = {};
  KernelWalk walk;
  LaunchCounts counted;
  BlockCounts launch; ///< all blocks
};

} // namespace

// ---- programs ---------------------------------------------------------------------------------

llvm::Expected<ProgramCounts> stencilc::countProgram(const VerifiedProgram &program,
                                                     llvm::ArrayRef<int64_t> extents) {
  if (program->target != Target::Device)
    return llvm::createStringError("only kernels of a GPU are counted; this schedule runs on the "
                                   "CPU");
  ProgramCounts counts;
  counts.schedule = program->schedule;
  counts.axes = program->signature.axes;
  counts.extents = extents.vec();
  const std::vector<int64_t> room(extents.size(), kRoomyExtent);
  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, extents),
                                 roomyLayouts = recommendedLayouts(*program, room);
  std::vector<std::pair<BufferRef, bool>> moved; // buffers, and whether they are written
  for (const Launch &launch : program->launches) {
    const PlacedLaunch placed = place(*program, launch, extents, layouts);
    if (launch.when != LaunchWhen::EveryStep || placed.blocks[0] == 0)
      continue;
    const PlacedLaunch roomy = place(*program, launch, room, roomyLayouts);
    const LaunchCounts &counted =
        counts.launches.emplace_back(LaunchCounter(launch, placed, roomy).count());
    counts.points = std::max(counts.points, counted.points);
    for (const ArrayCounts &array : counted.arrays) {
      const std::pair buffer(launch.arrays[array.array], array.isStore);
      if (llvm::is_contained(moved, buffer))
        continue;
      moved.push_back(buffer);
      (array.isStore ? counts.compulsoryWriteBytes : counts.compulsoryReadBytes) +=
          counted.points * array.elementBytes;
    }
  }
  if (counts.launches.empty())
    return llvm::createStringError("no point of a grid of this size is updated");
  return counts;
}
