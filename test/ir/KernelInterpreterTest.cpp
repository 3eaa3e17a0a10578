// The interpreter on Programs built by hand, against loops written here.
#include "ir/run/KernelInterpreter.h"

#include "ir/verify/KernelVerifier.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/UncheckedProgramFactory.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace kernel_interpreter {
namespace {

using Values = std::vector<double>;

const Index x = local(0);

/// Distinct numbers of no pattern.
double scattered(size_t element) { return double((element * 7919 + 13) % 1009) / 8; }

/// Verifies and runs a Program; returns the newest level of its first field.
Values run(const Program &program, std::vector<int64_t> extents, int64_t steps,
           const InterpretOptions &options = {}) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  if (!verified) {
    ADD_FAILURE() << toString(verified.takeError());
    return {};
  }
  State state = stateOf(program, std::move(extents), {0.25}, scattered);
  if (llvm::Error error = interpret(*verified, state, steps, options))
    ADD_FAILURE() << toString(std::move(error));
  return state.current[0].values;
}

/// The error of a Program that never passed the verifier.
std::string errorOf(const Program &program, std::vector<int64_t> extents) {
  State state = stateOf(program, std::move(extents), {0.25}, scattered);
  return toString(interpret(UncheckedProgramFactory::make(program), state, 1));
}

Values start(size_t count) {
  Values values(count);
  for (size_t element = 0; element < count; ++element)
    values[element] = scattered(element);
  return values;
}

/// `steps` steps of fivePoint() on ny x nx points.
Values fivePointLoop(int64_t ny, int64_t nx, int64_t steps) {
  Values u = start(ny * nx);
  for (int64_t step = 0; step < steps; ++step) {
    Values next = u;
    for (int64_t y = 1; y < ny - 1; ++y)
      for (int64_t x = 1; x < nx - 1; ++x)
        next[y * nx + x] = u[y * nx + x] + 0.25 * (u[y * nx + x - 1] + u[y * nx + x + 1] +
                                                   u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
    u = next;
  }
  return u;
}

TEST(KernelInterpreter, RunsAnUpdateAndItsFrame) {
  for (auto [ny, nx] : {std::pair{1, 1}, {2, 2}, {1, 9}, {3, 3}, {5, 7}, {11, 6}})
    for (int64_t steps : {0, 1, 2, 5})
      EXPECT_EQ(run(fivePoint(), {ny, nx}, steps), fivePointLoop(ny, nx, steps))
          << ny << " x " << nx << ", " << steps << " steps";
}

TEST(KernelInterpreter, GivesTheSameForEveryPhase) {
  for (int phase = 0; phase < 16; ++phase)
    EXPECT_EQ(run(fivePoint(), {5, 23}, 3, {.phase = phase}), fivePointLoop(5, 23, 3)) << phase;
}

TEST(KernelInterpreter, GivesTheSameInSlabs) {
  for (int64_t most : {1, 2, 3})
    EXPECT_EQ(run(fivePoint(), {13, 9}, 3, {.maxGridYZ = most}), fivePointLoop(13, 9, 3)) << most;
}

TEST(KernelInterpreter, DoesNothingWithoutPointsOrSteps) {
  EXPECT_EQ(run(fivePoint(), {4, 0}, 3), Values());
  EXPECT_EQ(run(fivePoint(), {4, 4}, 0), start(16));
}

TEST(KernelInterpreter, LeavesPoisonWhereNothingWrites) {
  Program program = fivePoint();
  stepOf(program).actions.erase(stepOf(program).actions.begin() + 1);
  Values values = run(program, {3, 3}, 1, {.poison = -1});
  EXPECT_EQ(values[0], -1);
  EXPECT_EQ(values[4], fivePointLoop(3, 3, 1)[4]);
}

TEST(KernelInterpreter, AlignsTheFirstBlock) {
  // Stores the number of the block: lines of 16 points of 8 bytes start where phase + x is a
  // multiple of 16, and blocks of 4 threads from there.
  Program program = onePoint({});
  Kernel &kernel = program.kernels[0];
  kernel.registers = {{"number", ScalarType::F64}};
  kernel.integers[0].atLeast = nullptr;
  kernel.body.push_back({ReturnUnless{{{x, constant(0), extent(0)}}}});
  kernel.body.push_back({LetMutable{0, number(0)}});
  kernel.locals.push_back("count");
  kernel.body.push_back({For{LoopKind::Serial,
                             1,
                             argument(0),
                             add(argument(0), scale(block(0), 4)),
                             4,
                             {{Assign{0, sum(reg(0), number(1))}}}}});
  kernel.body.push_back({StoreGlobal{1, {x}, reg(0)}});
  launchAt(program, 0).cover.alignTo = 1;
  EXPECT_EQ(run(program, {6}, 1, {.phase = 0}), (Values{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(run(program, {6}, 1, {.phase = 3}), (Values{0, 1, 1, 1, 1, 2}));
  EXPECT_EQ(run(program, {6}, 1, {.phase = 16}), (Values{0, 0, 0, 0, 1, 1}));
}

/// u' = u[x-1] + u[x+1], clamped, through a tile with one point of halo.
Program tileProgram() {
  auto at = [](Index index) { return map(BoundaryKind::Clamp, 0, std::move(index)); };
  Index t = thread(0);
  Program program = onePoint({
      {StoreShared{0, {add(t, 1)}, load(0, {at(x)})}},
      {If{{{t, nullptr, constant(1)}}, {{StoreShared{0, {t}, load(0, {at(add(x, -1))})}}}, {}}},
      {If{{{t, constant(3), nullptr}},
          {{StoreShared{0, {add(t, 2)}, load(0, {at(add(x, 1))})}}},
          {}}},
      {Barrier{}},
      {If{{{x, nullptr, extent(0)}},
          {{StoreGlobal{1, {x}, sum(loadShared(0, {t}), loadShared(0, {add(t, 2)}))}}},
          {}}},
  });
  program.kernels[0].tiles = {{"tile", ScalarType::F64, {6}}};
  program.kernels[0].minimumExtent = {1};
  return program;
}

Values neighbourSums(Values u, int64_t (*outside)(int64_t, int64_t)) {
  Values next(u.size());
  int64_t n = u.size();
  for (int64_t x = 0; x < n; ++x)
    next[x] = u[outside(x - 1, n)] + u[outside(x + 1, n)];
  return next;
}

int64_t clamped(int64_t x, int64_t n) { return std::clamp<int64_t>(x, 0, n - 1); }
int64_t wrapped(int64_t x, int64_t n) { return (x + n) % n; }

TEST(KernelInterpreter, SharesTiles) {
  for (int64_t n : {1, 3, 4, 5, 8, 11})
    EXPECT_EQ(run(tileProgram(), {n}, 1), neighbourSums(start(n), clamped)) << n;
}

TEST(KernelInterpreter, WrapsIndices) {
  auto at = [](Index index) { return load(0, {map(BoundaryKind::Periodic, 0, std::move(index))}); };
  Program program = onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}},
                              {StoreGlobal{1, {x}, sum(at(add(x, -1)), at(add(x, 1)))}}});
  for (int64_t n : {1, 2, 5})
    EXPECT_EQ(run(program, {n}, 1), neighbourSums(start(n), wrapped)) << n;
}

TEST(KernelInterpreter, GuardsValues) {
  // u' = u[x-1], or -1 at the wall.
  Value west =
      makeValue(ScalarType::F64,
                GuardedValue{{{x, constant(1), nullptr}}, load(0, {add(x, -1)}), number(-1)});
  Program program =
      onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}}, {StoreGlobal{1, {x}, west}}});
  Values expected = start(5);
  expected.insert(expected.begin(), -1);
  expected.pop_back();
  EXPECT_EQ(run(program, {5}, 1), expected);
}

/// u' = u[x-1] + u[x+1], clamped, by one thread that keeps three points in a queue.
Program queueProgram() {
  auto at = [](Index index) { return load(0, {map(BoundaryKind::Clamp, 0, std::move(index))}); };
  auto slot = [](unsigned number) { return makeValue(ScalarType::F64, QueueSlotValue{0, number}); };
  Index i = local(1);
  Program program = onePoint({{AssignSlot{0, 0, at(constant(0))}},
                              {AssignSlot{0, 1, at(constant(0))}},
                              {For{LoopKind::Serial,
                                   1,
                                   constant(0),
                                   extent(0),
                                   1,
                                   {{AssignSlot{0, 2, at(add(i, 1))}},
                                    {StoreGlobal{1, {i}, sum(slot(0), slot(2))}},
                                    {Rotate{0}}}}}});
  Kernel &kernel = program.kernels[0];
  kernel.block = {1, 1, 1};
  kernel.locals.push_back("i");
  kernel.queues = {{"u_row", ScalarType::F64, {"u_west", "u_here", "u_east"}}};
  kernel.minimumExtent = {1};
  launchAt(program, 0).cover.end[0] = constant(1);
  return program;
}

TEST(KernelInterpreter, RotatesQueues) {
  for (int64_t n : {1, 2, 7})
    EXPECT_EQ(run(queueProgram(), {n}, 1), neighbourSums(start(n), clamped)) << n;
}

TEST(KernelInterpreter, CountsLoopsPerThread) {
  // Thread t adds 1 for each of 0, 2, 4, ... below x: ceil(x / 2).
  Program program = onePoint(
      {{ReturnUnless{{{x, nullptr, extent(0)}}}},
       {LetMutable{0, number(0)}},
       {For{LoopKind::Serial, 1, constant(0), x, 2, {{Assign{0, sum(reg(0), number(1))}}}}},
       {StoreGlobal{1, {x}, reg(0)}}});
  program.kernels[0].registers = {{"count", ScalarType::F64}};
  program.kernels[0].locals.push_back("i");
  EXPECT_EQ(run(program, {6}, 1), (Values{0, 1, 1, 2, 2, 3}));
}

TEST(KernelInterpreter, ReturnsFromInnerBodies) {
  // Odd threads return inside the branch; the others go on after it.
  Body branch = {{ReturnUnless{{{remainder(x, 2), nullptr, constant(1)}}}}};
  Program program = onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}},
                              {StoreGlobal{1, {x}, number(1)}},
                              {If{{{x, constant(2), nullptr}}, branch, {}}},
                              {StoreGlobal{1, {x}, number(2)}}});
  EXPECT_EQ(run(program, {6}, 1), (Values{2, 2, 2, 1, 2, 1}));
}

/// u' = u + 1 in place; with a previous level, u' = u + u[t-1] over the previous one.
Program inPlaceProgram(bool overPrevious) {
  Program program = onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}}});
  SignatureArray &u = program.signature.arrays[0];
  u.hasNext = false;
  u.hasPrevious = overPrevious;
  Kernel &kernel = program.kernels[0];
  kernel.arrays[1].access = Access::ReadWrite;
  if (overPrevious) {
    kernel.body.push_back({StoreGlobal{1, {x}, sum(load(0, {x}), load(1, {x}))}});
  } else {
    launchAt(program, 0).buffers = {0};
    kernel.arrays.erase(kernel.arrays.begin());
    kernel.body.push_back({StoreGlobal{0, {x}, sum(load(0, {x}), number(1))}});
  }
  declareBuffers(program);
  return program;
}

TEST(KernelInterpreter, UpdatesInPlace) {
  Values expected = start(5);
  for (double &value : expected)
    value += 3;
  EXPECT_EQ(run(inPlaceProgram(false), {5}, 3), expected);
}

TEST(KernelInterpreter, UpdatesOverThePreviousLevel) {
  // Both levels start alike: 1 1, 2 1, 3 2, 5 3 times the start.
  Values expected = start(5);
  for (double &value : expected)
    value = (value + value) + value + (value + value);
  EXPECT_EQ(run(inPlaceProgram(true), {5}, 3), expected);
}

TEST(KernelInterpreter, RotatesThreeBuffers) {
  // u' = u + u[t-1] with a target of its own.
  Program program = onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}},
                              {StoreGlobal{1, {x}, sum(load(0, {x}), load(2, {x}))}}});
  program.signature.arrays[0].hasPrevious = true;
  program.kernels[0].arrays.push_back(program.kernels[0].arrays[0]);
  program.kernels[0].arrays[2].name = "u_prev";
  declareBuffers(program);
  launchAt(program, 0).buffers.push_back(bufferOf(program.signature, 0, TimeLevel::Previous));
  Values expected = start(5);
  for (double &value : expected)
    value = (value + value) + value + (value + value);
  EXPECT_EQ(run(program, {5}, 3), expected);
}

TEST(KernelInterpreter, RunsHostKernels) {
  // u' = u + 1 over the whole box, which comes as arguments.
  Program program = onePoint({});
  program.target = Target::Host;
  Kernel &kernel = program.kernels[0];
  kernel.target = Target::Host;
  kernel.block = {1, 1, 1};
  kernel.integers.push_back({"end_x", nullptr, extent(0)});
  kernel.body = {{For{LoopKind::Parallel,
                      0,
                      argument(0),
                      argument(1),
                      1,
                      {{StoreGlobal{1, {x}, sum(load(0, {x}), number(1))}}}}}};
  launchAt(program, 0).integers.push_back(EndOf{0});
  Values expected = start(5);
  for (double &value : expected)
    value += 2;
  EXPECT_EQ(run(program, {5}, 2), expected);
}

TEST(KernelInterpreter, RefusesExtentsBelowTheMinimum) {
  Program program = fivePoint();
  program.signature.minimumExtent = {0, 3};
  EXPECT_EQ(errorOf(program, {4, 2}), "nx is 2, below the least extent 3");
}

// ---- past the verifier ------------------------------------------------------------------------

TEST(KernelInterpreter, SeesAccessesOutOfBounds) {
  Program program = fivePoint();
  std::get<ReturnUnless>(program.kernels[0].body[2].node).box[0].lower = constant(0);
  EXPECT_EQ(errorOf(program, {3, 3}), "step: `u` is accessed at [1, -1], outside its box");
}

TEST(KernelInterpreter, SeesAccessesOutsideATile) {
  Program program = tileProgram();
  program.kernels[0].tiles[0].shape = {5};
  EXPECT_EQ(errorOf(program, {8}), "one: tile `tile` is accessed at 5 of an axis of 5");
}

TEST(KernelInterpreter, SeesTilesReadBeforeTheyAreStored) {
  Program program = tileProgram();
  program.kernels[0].body.erase(program.kernels[0].body.begin() + 2);
  EXPECT_EQ(errorOf(program, {8}), "one: element 0 of tile `tile` is read before it is stored");
}

TEST(KernelInterpreter, SeesRegistersReadBeforeTheyHaveAValue) {
  Program program = fivePoint();
  program.kernels[0].body.erase(program.kernels[0].body.begin() + 4);
  EXPECT_EQ(errorOf(program, {3, 3}), "step: `u_east` is read before it has a value");
}

TEST(KernelInterpreter, SeesBarriersThatSomeThreadsMiss) {
  Program program = tileProgram();
  Body &body = program.kernels[0].body;
  body.insert(body.begin() + 1, {ReturnUnless{{{x, nullptr, extent(0)}}}});
  EXPECT_EQ(errorOf(program, {6}), "one: 2 of 4 threads of warp 0 reach a barrier");
}

} // namespace
} // namespace kernel_interpreter
