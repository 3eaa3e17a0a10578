// What is counted in rounds, of turns of loops, of blocks and of warps, against a walk of every
// turn of every block: on kernels whose guards, bounds and addresses change in the middle of loops
// in all kinds of ways.
#include "costmodel/count/BlockFootprint.h"
#include "costmodel/count/EventCounter.h"
#include "test/Seed.h"
#include "test/fuzz/Random.h"
#include "test/ir/KernelPrograms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

using namespace stencilc;

namespace {

/// A launch that lives as long as this.
struct HandMade {
  Kernel kernel;
  PlacedLaunch placed;

  explicit HandMade(unsigned rank) {
    kernel.axes = {"z", "y", "x"};
    kernel.axes.erase(kernel.axes.begin(), kernel.axes.end() - rank);
  }
  HandMade(const HandMade &) = delete;

  /// An argument with all axes whose rows are whole lines, or of the given number of elements.
  unsigned addArray(ScalarType type, Access access, llvm::ArrayRef<int64_t> strides,
                    int64_t origin) {
    ArrayArgument argument;
    argument.name = fmt::format("a{}", kernel.arrays.size());
    argument.type = type;
    argument.access = access;
    ArrayLayout layout;
    for (unsigned axis = 0; axis < kernel.rank(); ++axis) {
      argument.axes.push_back(axis);
      layout.stride[axis] = strides[axis];
    }
    layout.origin = origin;
    kernel.arrays.push_back(argument);
    placed.layouts.push_back(layout);
    return kernel.arrays.size() - 1;
  }
  Index addLocal(Body &body, Index value) {
    kernel.locals.push_back(fmt::format("i{}", kernel.locals.size()));
    const unsigned number = kernel.locals.size() - 1;
    body.push_back({LetIndex{number, std::move(value)}});
    return local(number);
  }
  void place(Body body, std::array<int64_t, 3> blocks, std::vector<int64_t> extents) {
    kernel.body = std::move(body);
    placed.kernel = &kernel;
    placed.blocks = blocks;
    placed.extents = std::move(extents);
  }
};

/// Counts, also what is walked.
class WalkedCounter final : public EventCounter {
public:
  using EventCounter::EventCounter;

  void beginBlock(std::array<int64_t, 3>) override { ++blocks; }
  void turn(unsigned statement, const WarpLanes &lanes) override {
    ++turns;
    EventCounter::turn(statement, lanes);
  }

  int64_t blocks = 0, turns = 0; ///< of loops
};

std::string text(const RequestCounts &counts) {
  return fmt::format("{} accesses, {} requests, {} sectors, {} lines, {} wavefronts",
                     counts.accesses, counts.requests, counts.sectors, counts.lines,
                     counts.wavefronts);
}

/// All numbers, a line each.
std::string text(const EventCounts &counts) {
  std::string all;
  for (auto [name, list] : {std::pair("load", &counts.loads), {"store", &counts.stores}})
    for (auto [number, array] : llvm::enumerate(*list))
      all += fmt::format("{} {}: {}\n", name, number, text(array));
  for (auto [number, own] : llvm::enumerate(counts.statements))
    all += fmt::format("statement {}: {} warps, {} lanes, {} turns, {} divergent\n", number,
                       own.warps, own.lanes, own.turns, own.divergent);
  return all + fmt::format("shared {} {}, storing {}\n", counts.together.shared.requests,
                           counts.together.shared.wavefronts, counts.storingWarps);
}

struct Walked {
  EventCounts counts;
  GridFootprint footprint;
  int64_t blocks, turns;
};

/// All numbers, a line each.
std::string text(const Walked &walked) {
  std::string all = text(walked.counts);
  for (auto [name, list] :
       {std::pair("load", &walked.footprint.loads), {"store", &walked.footprint.stores}})
    for (auto [number, array] : llvm::enumerate(*list))
      all += fmt::format("{} {}: {} sectors and {} points by block\n", name, number, array.sectors,
                         array.points);
  return all;
}

Walked inRounds(const PlacedLaunch &placed) {
  KernelWalk walk(placed);
  WalkedCounter counter(*placed.kernel, walk);
  walk.walkGrid(counter);
  return {counter.counts(), footprintOfGrid(placed), counter.blocks, counter.turns};
}

Walked everyTurn(const PlacedLaunch &placed) {
  KernelWalk walk(placed);
  WalkedCounter counter(*placed.kernel, walk);
  GridFootprint footprint;
  footprint.loads.resize(placed.kernel->arrays.size());
  footprint.stores.resize(placed.kernel->arrays.size());
  for (int64_t z = 0; z < placed.blocks[2]; ++z)
    for (int64_t y = 0; y < placed.blocks[1]; ++y)
      for (int64_t x = 0; x < placed.blocks[0]; ++x) {
        walk.walk({x, y, z}, counter);
        for (const AccessBoxes &access : boxesOfBlock(placed, {x, y, z})) {
          auto &own = (access.isStore ? footprint.stores : footprint.loads)[access.array];
          own.sectors += piecesOf(placed, access, kSectorBytes);
          own.points += unionSize(access.boxes, placed.kernel->rank());
        }
      }
  return {counter.counts(), footprint, counter.blocks, counter.turns};
}

/// A march along the first axis, `chunk` turns a block, with `body` made of the plane in each.
template <class MakeBody>
void march(HandMade &made, int64_t chunk, std::array<int, 3> block, const MakeBody &makeBody) {
  Body body;
  made.kernel.block = block;
  const Index x = made.addLocal(body, add(scale(::block(0), block[0]), thread(0)));
  const Index begin = scale(::block(1), chunk);
  made.kernel.locals.push_back("z");
  const unsigned z = made.kernel.locals.size() - 1;
  body.push_back({For{LoopKind::Serial, z, begin, minimum(add(begin, chunk), extent(0)), 1,
                      makeBody(local(z), x, begin)}});
  made.place(std::move(body), {4, 4, 1}, {4 * chunk - 3, 4 * block[0]});
}

} // namespace

TEST(Rounds, CountSharedMemoryAndArithmeticOfTheTurnsThatHaveThem) {
  // Turns 10 to 19 of 64 store to a tile and multiply.
  HandMade made(2);
  const unsigned u = made.addArray(ScalarType::F64, Access::ReadWrite, {128, 1}, 0);
  made.kernel.tiles = {{"tile", ScalarType::F64, {32}}};
  march(made, 64, {32, 1, 1}, [&](Index z, Index x, Index begin) -> Body {
    Value product = binary(BinaryOp::Multiply, number(3), number(3));
    return {{StoreGlobal{u, {z, x}, load(u, {z, x})}},
            {If{{{add(z, scale(begin, -1)), constant(10), constant(20)}},
                {{StoreShared{0, {thread(0)}, product}}},
                {}}}};
  });
  const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
  EXPECT_EQ(text(rounds), text(every));
  EXPECT_EQ(rounds.counts.together.shared.requests, 16 * 10u);
  EXPECT_EQ(rounds.counts.together.shared.wavefronts, 16 * 10 * 2u);
  EXPECT_EQ(every.turns, 4 * (4 * 64 - 3));
  EXPECT_LE(rounds.turns, 3 * 2); // before, within and behind; a whole chunk and the last
}

TEST(Rounds, LeaveOutTurnsWhoseAddressesComeBackToAPlaceInALine) {
  // A plane is 24 doubles: two in three lines. A ring of three planes in shared memory.
  HandMade made(2);
  const unsigned u = made.addArray(ScalarType::F64, Access::Read, {24, 1}, 3),
                 v = made.addArray(ScalarType::F64, Access::Write, {128, 1}, 3);
  made.kernel.tiles = {{"ring", ScalarType::F64, {3, 32}}};
  march(made, 600, {32, 1, 1}, [&](Index z, Index x, Index) -> Body {
    return {{StoreShared{0, {remainder(z, 3), thread(0)}, load(u, {z, x})}},
            {StoreGlobal{v, {z, x}, loadShared(0, {remainder(add(z, 1), 3), thread(0)})}}};
  });
  const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
  EXPECT_EQ(text(rounds), text(every));
  EXPECT_LE(rounds.turns, 100);
}

TEST(Rounds, LeaveOutTurnsOfLoopsInLoops) {
  HandMade made(2);
  const unsigned u = made.addArray(ScalarType::F32, Access::Read, {128, 1}, 0),
                 v = made.addArray(ScalarType::F32, Access::Write, {128, 1}, 0);
  march(made, 300, {32, 1, 1}, [&](Index z, Index x, Index) -> Body {
    made.kernel.locals.push_back("k");
    const unsigned k = made.kernel.locals.size() - 1;
    // Up to the plane of the outer loop, but for a triangle.
    const Index plane = add(z, local(k));
    return {{For{LoopKind::Serial,
                 k,
                 constant(0),
                 constant(200),
                 1,
                 {{If{{{plane, constant(40), constant(700)}},
                      {{StoreGlobal{v, {plane, x}, load(u, {plane, x})}}},
                      {}}}}}}};
  });
  const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
  EXPECT_EQ(text(rounds), text(every));
  EXPECT_LT(rounds.turns, every.turns / 20);
}

TEST(Rounds, CutTilesOfThreadsIntoRows) {
  // Threads by their linear number fill a tile with a halo: 34 x 10 elements by 256 threads.
  HandMade made(2);
  const unsigned u = made.addArray(ScalarType::F64, Access::Read, {2048, 1}, 0);
  made.kernel.block = {32, 8, 1};
  made.kernel.tiles = {{"tile", ScalarType::F64, {10, 34}}};
  made.kernel.locals = {"element"};
  Body fill;
  const Index element = local(0), row = quotient(element, 34), column = remainder(element, 34);
  const Index y = made.addLocal(fill, add(add(scale(block(1), 8), row), -1));
  const Index x = made.addLocal(fill, add(add(scale(block(0), 32), column), -1));
  Value inside = load(u, {y, x});
  fill.push_back({StoreShared{0,
                              {row, column},
                              makeValue(ScalarType::F64, GuardedValue{{{y, constant(0), extent(0)},
                                                                       {x, constant(0), extent(1)}},
                                                                      inside,
                                                                      number(0)})}});
  Body body = {{For{LoopKind::Serial, 0, add(scale(thread(1), 32), thread(0)), constant(340), 256,
                    std::move(fill)}}};
  made.place(std::move(body), {64, 40, 1}, {317, 2047});
  const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
  EXPECT_EQ(text(rounds), text(every));
  EXPECT_LE(rounds.blocks, 2 * 9); // for each of two slices
}

TEST(Rounds, AskMinimaForTheirSignsAlone) {
  // Stores the 3 points at either end of 64 blocks of 32; how far others are from them is nobody's
  // concern, but where that is an address.
  for (bool isAddress : {false, true}) {
    HandMade made(1);
    const unsigned u = made.addArray(ScalarType::F64, Access::Write, {1}, 0);
    made.kernel.block = {32, 1, 1};
    Body body;
    const Index x = made.addLocal(body, add(scale(block(0), 32), thread(0)));
    const Index room =
        made.addLocal(body, minimum(add(x, -3), add(add(extent(0), scale(x, -1)), -4)));
    const Index least = made.addLocal(body, minimum(constant(0), room));
    body.push_back({If{{{least, nullptr, constant(0)}}, {{StoreGlobal{u, {x}, number(1)}}}, {}}});
    if (isAddress)
      body.push_back({StoreGlobal{u, {add(room, 3)}, number(1)}});
    made.place(std::move(body), {64, 1, 1}, {64 * 32});
    const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
    EXPECT_EQ(text(rounds), text(every));
    EXPECT_EQ(rounds.counts.stores[u].accesses, 2 * 3u + (isAddress ? 64 * 32 : 0));
    // One where nothing is guarded; at either end and between.
    EXPECT_TRUE(isAddress || rounds.blocks <= 1 + 3) << rounds.blocks;
  }
}

// ---- any kernel ------------------------------------------------------------------------------

namespace {

class RandomKernel {
public:
  RandomKernel(fuzz::Random &random, HandMade &made)
      : random(random), made(made), rank(made.kernel.rank()) {}

  void make() {
    made.kernel.block = random.pick<std::array<int, 3>>(
        {{32, 4, 1}, {8, 8, 1}, {5, 3, 2}, {33, 2, 1}, {64, 1, 1}, {16, 2, 2}, {96, 1, 1}});
    const int64_t length = random.pick<int64_t>({16, 24, 32, 100, 128, 256});
    for (Access access : {Access::Read, Access::Read, Access::Write})
      made.addArray(random.pick({ScalarType::F32, ScalarType::F64}), access,
                    {length * random.between(1, 40), length, random.chance(90) ? 1 : 2},
                    random.between(0, 31));
    made.kernel.tiles = {{"tile", ScalarType::F64, {7, 33}}, {"flat", ScalarType::F32, {200}}};
    Body body;
    for (unsigned dimension = 0; dimension < rank; ++dimension)
      known.push_back(made.addLocal(
          body,
          add(add(scale(block(dimension), random.pick({1, 5, 8, 32, 33, 64})), thread(dimension)),
              random.between(-3, 3))));
    append(body, 3);
    std::array<int64_t, 3> blocks = {1, 1, 1};
    std::vector<int64_t> extents;
    for (unsigned dimension = 0; dimension < rank; ++dimension) {
      blocks[dimension] = random.between(1, 12 / rank - 1);
      extents.push_back(random.between(1, 150));
    }
    made.place(std::move(body), blocks, extents);
  }

private:
  Index coordinateAt() {
    switch (random.below(4)) {
    case 0:
      return thread(random.below(rank));
    case 1:
      return block(random.below(rank));
    default:
      return known[random.below(known.size())];
    }
  }
  Index index(int depth) {
    if (depth == 0 || random.chance(25))
      return random.chance(15) ? constant(random.between(-4, 40)) : coordinateAt();
    const Index left = index(depth - 1);
    switch (random.below(8)) {
    case 0:
    case 1:
      return add(left, index(depth - 1));
    case 2:
      return add(left, random.between(-5, 5));
    case 3:
      return scale(left, random.pick<int64_t>({-2, -1, 2, 3, 7}));
    case 4:
      return quotient(left, random.pick({2, 3, 4, 7, 10, 34}));
    case 5:
      return remainder(left, random.pick({2, 3, 4, 7, 10, 34}));
    case 6: {
      const Index right = index(depth - 1);
      return random.chance(50) ? minimum(left, right) : maximum(left, right);
    }
    default:
      return map(random.pick({BoundaryKind::Clamp, BoundaryKind::Periodic}), random.below(rank),
                 left);
    }
  }
  Box box() {
    Box all;
    for (unsigned count = random.between(1, 2); count > 0; --count) {
      const Index guarded = index(2);
      Index lower, upper;
      if (random.chance(60))
        lower = constant(random.between(-2, 30));
      if (!lower || random.chance(50))
        upper = random.chance(50) ? constant(random.between(0, 60)) : extent(random.below(rank));
      all.push_back({guarded, lower, upper});
    }
    return all;
  }
  std::vector<Index> place() {
    std::vector<Index> where;
    for (unsigned axis = 0; axis < rank; ++axis)
      where.push_back(random.chance(70) ? coordinateAt() : index(2));
    return where;
  }
  Value value() {
    switch (random.below(4)) {
    case 0:
      return loadShared(0, {remainder(index(1), 7), remainder(index(2), 33)});
    case 1: {
      const Box guard = box();
      const Value inside = load(random.below(2), place());
      return makeValue(ScalarType::F64, GuardedValue{guard, inside, number(0)});
    }
    default:
      return load(random.below(2), place());
    }
  }
  void append(Body &body, int depth) {
    const size_t scope = known.size();
    for (unsigned count = random.between(1, 3); count > 0; --count)
      appendOne(body, depth);
    known.truncate(scope);
  }
  void appendOne(Body &body, int depth) {
    switch (random.below(depth > 0 ? 9 : 4)) {
    case 0: {
      const std::vector<Index> where = place();
      body.push_back({StoreGlobal{2, where, value()}});
      return;
    }
    case 1:
      body.push_back({StoreShared{1, {remainder(index(2), 200)}, value()}});
      return;
    case 2:
      known.push_back(made.addLocal(body, index(2)));
      return;
    case 3:
      if (random.chance(20))
        body.push_back({ReturnUnless{box()}});
      else
        body.push_back({Let{0, value()}});
      return;
    case 4:
    case 5: {
      If branch{box(), {}, {}};
      append(branch.then, depth - 1);
      if (random.chance(30))
        append(branch.otherwise, depth - 1);
      body.push_back({std::move(branch)});
      return;
    }
    default: {
      made.kernel.locals.push_back("k");
      For loop{LoopKind::Serial, unsigned(made.kernel.locals.size() - 1), nullptr,
               nullptr,          random.pick<int64_t>({1, 1, 1, 2, 5}),   {}};
      loop.begin =
          random.chance(50) ? constant(random.between(-3, 3)) : maximum(index(1), constant(-5));
      loop.end = random.chance(50) ? add(loop.begin, random.between(0, depth == 3 ? 60 : 12))
                                   : minimum(index(1), constant(random.between(5, 20)));
      known.push_back(local(loop.local));
      append(loop.body, depth - 1);
      known.pop_back();
      body.push_back({std::move(loop)});
      return;
    }
    }
  }

  fuzz::Random &random;
  HandMade &made;
  const unsigned rank;
  llvm::SmallVector<Index, 16> known; ///< locals in scope
};

} // namespace

TEST(Rounds, AddUpToEveryTurnOfAnyKernel) {
  int64_t turns = 0, walked = 0;
  for (uint64_t number = 0; number < (takesAll() ? 2000 : 150); ++number) {
    const uint64_t seed = seedOfRun() + number;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    fuzz::Random random(seed);
    HandMade made(random.between(1, 3));
    made.kernel.registers = {{"r", ScalarType::F64}};
    RandomKernel(random, made).make();
    const Walked rounds = inRounds(made.placed), every = everyTurn(made.placed);
    ASSERT_EQ(text(rounds), text(every));
    turns += every.turns;
    walked += rounds.turns;
  }
  EXPECT_LT(walked, turns / 2);
}
