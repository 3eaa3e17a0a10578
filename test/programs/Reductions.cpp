#include "test/programs/Reductions.h"

#include "ir/kernel/KernelBuilder.h"
#include "ir/stencil/ReductionTree.h"
#include "test/ir/StencilBuilder.h"
#include "test/programs/HandKernel.h"

using namespace stencilc;

Stencil stencilc::bars() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "bars";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  addUpdate(stencil, 0, u, [&](FormulaBuilder &f) {
    const ExprId sides = f.plus(
        f.plus(f.plus(f.now(u, {-1, 0}), f.now(u, {1, 0})), f.now(u, {0, -1})), f.now(u, {0, 1}));
    return f.times(f.number(0.25), sides);
  });
  Region below;
  below[0] = {fromStart(1), fromEnd(0)};
  addReduction(
      stencil, Reduction::Op::Sum, "energy",
      [&](FormulaBuilder &f) { return f.times(f.now(u), f.now(u)); }, below);
  addReduction(stencil, Reduction::Op::Max, "slope", [&](FormulaBuilder &f) {
    return f.call(Builtin::Abs, {f.minus(f.now(u, {0, 1}), f.now(u))});
  });
  return stencil;
}

namespace {

constexpr int kLanes = kReductionLanes, kRun = kReductionRun;

Value number(auto node) { return makeValue(ScalarType::F64, std::move(node)); }
Index argument(unsigned number) { return coordinate(CoordinateKind::Argument, number); }

/// The body of a kernel whose block of kLanes threads combines lists of numbers.
class TreeKernel {
public:
  TreeKernel(const Program &program, std::string name, Reduction::Op op)
      : builder(program, std::move(name), Target::Device), op(op) {
    builder.kernel.block = {kLanes, 1, 1};
    lane = builder.reg("number", ScalarType::F64);
    lanes = builder.tile("lanes", ScalarType::F64, {kLanes});
  }

  Value combine(Value left, Value right) const {
    switch (op) {
    case Reduction::Op::Min:
      return number(CallValue{Builtin::Min, {std::move(left), std::move(right)}});
    case Reduction::Op::Max:
      return number(CallValue{Builtin::Max, {std::move(left), std::move(right)}});
    case Reduction::Op::Sum:
      return number(BinaryValue{BinaryOp::Add, std::move(left), std::move(right)});
    }
    llvm_unreachable("unknown reduction");
  }
  Value neutral() const { return number(LiteralValue{neutralOf(op)}); }
  Value ownNumber() const { return number(RegisterValue{lane}); }

  /// Starts the numbers of all lanes anew. Loops are entered after it.
  void start(Body &body) {
    if (std::exchange(hasStarted, true))
      body.push_back({Assign{lane, neutral()}});
    else
      body.push_back({LetMutable{lane, neutral()}});
  }

  /// Each lane combines what it takes of a run, `numberAt` of so many numbers after its start.
  void takeRun(Body &body, llvm::function_ref<Value(Body &, const Index &after)> numberAt) {
    start(body);
    const unsigned turn = builder.local("turn");
    Body each;
    const Index after = builder.letIndex(
        each, "after", add(scale(coordinate(CoordinateKind::Local, turn), kLanes), thread(0)));
    Value taken = builder.let(each, "taken", numberAt(each, after));
    each.push_back({Assign{lane, combine(ownNumber(), std::move(taken))}});
    body.push_back({For{LoopKind::Serial, turn, c(0), c(kRun / kLanes), 1, std::move(each)}});
  }

  /// Each lane takes one number.
  void takeOne(Body &body, Value taken) const {
    body.push_back({Assign{lane, combine(neutral(), std::move(taken))}});
  }

  /// Combines the numbers of all lanes, half with half; leaves the result with thread 0, which runs
  /// `last`.
  void halve(Body &body, Body last) const {
    const auto ofTile = [&](Index at) { return number(LoadShared{lanes, {std::move(at)}}); };
    const Statement show = {StoreShared{lanes, {thread(0)}, ownNumber()}};
    body.push_back(show);
    body.push_back({Barrier{}});
    for (int half = kLanes / 2; half >= int(kLanesPerWarp); half /= 2) {
      const Value both = combine(ownNumber(), ofTile(add(thread(0), half)));
      body.push_back({If{{{thread(0), nullptr, c(half)}}, {{Assign{lane, both}}, show}, {}}});
      body.push_back({Barrier{}});
    }
    Body inWarp;
    for (unsigned half = kLanesPerWarp / 2; half > 0; half /= 2)
      inWarp.push_back({Assign{
          lane,
          combine(ownNumber(), number(ShuffleValue{ShuffleFrom::HigherLane, half, ownNumber()}))}});
    inWarp.push_back({If{{{thread(0), nullptr, c(1)}}, std::move(last), {}}});
    body.push_back({If{{{warp(), nullptr, c(1)}}, std::move(inWarp), {}}});
  }

  KernelBuilder builder;

private:
  const Reduction::Op op;
  unsigned lane, lanes; ///< a register, a tile
  bool hasStarted = false;
};

class ReductionBuilder {
public:
  /// The number at a point of the area.
  using NumberAt = Value (*)(KernelBuilder &, unsigned array, const Point &);

  ReductionBuilder(Program &program, unsigned field) : program(program), field(field) {}

  When build(unsigned result, const Reduction &reduction, const Area &area, NumberAt valueAt) {
    const Signature &signature = program.signature;
    const unsigned rank = signature.rank();
    const unsigned owned = callerBuffers(signature).size() - signature.results.size() + result;
    Buffer list = {.name = reduction.name + "_of_runs",
                   .type = ScalarType::F64,
                   .axes = {},
                   .owner = WorkspaceMemory{},
                   .layout = Layout::Dense};
    for (unsigned axis = 0; axis + 1 < rank; ++axis)
      list.lengths.push_back(extent(axis));
    list.lengths.push_back(quotient(add(extent(rank - 1), kRun - 1), kRun));
    program.buffers.push_back(std::move(list));
    const unsigned runs = program.buffers.size() - 1;
    return {
        Wanted{owned},
        {{launchOfRuns(runs, reduction, area, valueAt)}, {launchOfRest(runs, owned, reduction)}},
        {}};
  }

private:
  Launch launchOfRuns(unsigned runs, const Reduction &reduction, const Area &area,
                      NumberAt valueAt) {
    const unsigned rank = program.signature.rank(), last = rank - 1;
    TreeKernel tree(program, program.signature.name + "_" + reduction.name + "_runs", reduction.op);
    KernelBuilder &builder = tree.builder;
    builder.kernel.minimumExtent = {};
    const unsigned array = builder.array({.name = program.buffers[field].name,
                                          .type = program.buffers[field].type,
                                          .axes = program.buffers[field].axes,
                                          .ghost = program.buffers[field].ghost});
    const unsigned list = builder.array({.name = "of_runs",
                                         .type = ScalarType::F64,
                                         .axes = {},
                                         .ghost = {},
                                         .access = Access::Write,
                                         .layout = Layout::Dense,
                                         .lengths = program.buffers[runs].lengths});
    Body body;
    Point first;
    Box inGrid;
    for (unsigned axis = 0; axis < rank; ++axis) {
      const std::string &name = program.signature.axes[axis];
      const Index begin = argument(builder.integer("first_" + name, c(0), nullptr, FirstOf{axis}));
      first.push_back(builder.letIndex(
          body, axis == last ? name + "_begin" : name,
          add(begin, scale(block(dimensionOf(axis, rank)), axis == last ? kRun : 1))));
      inGrid.push_back({first.back(), nullptr, extent(axis)});
    }
    body.push_back({ReturnUnless{inGrid}});
    tree.takeRun(body, [&](Body &each, const Index &after) {
      Point point = first;
      point[last] = builder.letIndex(each, program.signature.axes[last], add(first[last], after));
      const PointBox box = boxOf(area, rank, program.signature.paramRanges);
      Box inArea;
      for (unsigned axis = 0; axis < rank; ++axis)
        inArea.push_back({point[axis], box.begin[axis], box.end[axis]});
      return number(GuardedValue{inArea, valueAt(builder, array, point), tree.neutral()});
    });
    std::vector<Index> place(first.begin(), first.end());
    place[last] = quotient(first[last], kRun);
    tree.halve(body, {{StoreGlobal{list, place, tree.ownNumber()}}});

    Launch launch;
    launch.comment = "The runs of each row.";
    launch.buffers = {field, runs};
    for (unsigned axis = 0; axis < rank; ++axis) {
      launch.cover.begin[axis] = c(0);
      launch.cover.end[axis] = extent(axis);
    }
    launch.cover.points[last] = kRun;
    return finish(std::move(launch), builder, std::move(body));
  }

  Launch launchOfRest(unsigned runs, unsigned result, const Reduction &reduction) {
    TreeKernel tree(program, program.signature.name + "_" + reduction.name, reduction.op);
    KernelBuilder &builder = tree.builder;
    builder.kernel.minimumExtent = {};
    const Index count =
        argument(builder.integer("count", c(0), c(kMaxListElements), ElementsOf{runs}));
    const unsigned list = builder.array({.name = "of_runs",
                                         .type = ScalarType::F64,
                                         .axes = {},
                                         .ghost = {},
                                         .layout = Layout::Dense,
                                         .lengths = {count}});
    const unsigned single = builder.array({.name = reduction.name,
                                           .type = ScalarType::F64,
                                           .axes = {},
                                           .ghost = {},
                                           .access = Access::Write,
                                           .layout = Layout::Dense});
    // A run of runs becomes one number here, and a run of those one there.
    const unsigned here = builder.tile("of_lists", ScalarType::F64, {kRun});
    const unsigned there = builder.tile("of_all", ScalarType::F64, {kLanes});
    const auto runsIn = [](Index numbers, int64_t length) {
      return quotient(add(std::move(numbers), length - 1), length);
    };
    const auto ofTile = [&](unsigned tile, const Index &at, const Index &end) {
      return number(
          GuardedValue{{{at, nullptr, end}}, number(LoadShared{tile, {at}}), tree.neutral()});
    };

    Body body;
    tree.start(body);
    const Index lists = builder.letIndex(body, "lists", runsIn(count, kRun));
    const Index all = builder.letIndex(body, "all", runsIn(count, int64_t(kRun) * kRun));
    const unsigned outer = builder.local("part"), inner = builder.local("list");
    const Index part = coordinate(CoordinateKind::Local, outer),
                own = coordinate(CoordinateKind::Local, inner);
    Body ofPart, ofList;
    const Index left =
        builder.letIndex(ofPart, "left", minimum(c(kRun), add(lists, scale(part, -kRun))));
    const Index begin =
        builder.letIndex(ofList, "begin", add(scale(part, int64_t(kRun) * kRun), scale(own, kRun)));
    tree.takeRun(ofList, [&](Body &, const Index &after) {
      const Index at = add(begin, after);
      return number(GuardedValue{{{at, nullptr, count}}, builder.load(list, {at}), tree.neutral()});
    });
    tree.halve(ofList, {{StoreShared{here, {own}, tree.ownNumber()}}});
    ofPart.push_back({For{LoopKind::Serial, inner, c(0), left, 1, std::move(ofList)}});
    ofPart.push_back({Barrier{}});
    tree.takeRun(ofPart, [&](Body &, const Index &after) { return ofTile(here, after, left); });
    tree.halve(ofPart, {{StoreShared{there, {part}, tree.ownNumber()}}});
    body.push_back({For{LoopKind::Serial, outer, c(0), all, 1, std::move(ofPart)}});
    body.push_back({Barrier{}});
    tree.takeOne(body, ofTile(there, thread(0), all));
    tree.halve(body, {{StoreGlobal{single, {}, tree.ownNumber()}}});

    Launch launch;
    launch.comment = "One number of all runs.";
    launch.buffers = {runs, result};
    for (unsigned axis = 0; axis < program.signature.rank(); ++axis) {
      launch.cover.begin[axis] = c(0);
      launch.cover.end[axis] = c(1);
    }
    return finish(std::move(launch), builder, std::move(body));
  }

  Launch finish(Launch launch, KernelBuilder &builder, Body body) {
    launch.kernel = program.kernels.size();
    launch.integers = builder.bindings;
    program.kernels.push_back(builder.finish(std::move(body)));
    return launch;
  }

  Program &program;
  const unsigned field; ///< a buffer
};

} // namespace

Program stencilc::barsProgram(const Stencil &stencil) {
  Stencil steps = stencil;
  steps.reductions.clear();
  Program program = simpleProgram(steps);
  program.signature = signatureOf(stencil);
  program.buffers = callerBuffers(program.signature);
  const StencilAreas areas = areasOf(stencil);
  ReductionBuilder reductions(program, bufferOf(program.signature, 0));
  const ReductionBuilder::NumberAt numbers[] = {
      [](KernelBuilder &builder, unsigned u, const Point &at) {
        return number(BinaryValue{BinaryOp::Multiply, builder.load(u, at), builder.load(u, at)});
      },
      [](KernelBuilder &builder, unsigned u, const Point &at) {
        Point east = at;
        east.back() = add(at.back(), 1);
        return number(CallValue{
            Builtin::Abs,
            {number(BinaryValue{BinaryOp::Subtract, builder.load(u, east), builder.load(u, at)})}});
      }};
  for (unsigned result = 0; result < stencil.reductions.size(); ++result)
    program.plan.epilogue.push_back({reductions.build(result, stencil.reductions[result],
                                                      areas.reductions[result], numbers[result])});
  return program;
}
