#include "codegen/lower/Reductions.h"

#include "codegen/lower/GridReads.h"
#include "codegen/lower/PointUpdate.h"
#include "codegen/lower/TreeKernel.h"
#include "codegen/lower/UpdateBox.h"
#include "ir/kernel/InterfaceEntries.h"
#include "ir/stencil/ReductionTree.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

class ReductionMaker {
public:
  ReductionMaker(Program &program, const Stencil &stencil, const StencilAreas &areas,
                 const StepFormula &formula, unsigned number)
      : program(program), stencil(stencil), formula(formula), number(number),
        reduction(stencil.reductions[number]), area(areas.reductions[number]), rank(stencil.rank()),
        run(program.signature.reductionTree.run()) {}

  When make() {
    const Signature &signature = program.signature;
    const unsigned result = callerBuffers(signature).size() - signature.results.size() + number;
    addList();
    Action ofRuns{launchOfRuns()};
    if (program.target == Target::Host) // a device's launches nothing on an empty grid
      ofRuns = {When{HasPoints{}, {std::move(ofRuns)}, {}}};
    return {Wanted{result}, {std::move(ofRuns), {launchOfRest(result)}}, {}};
  }

private:
  void addList() {
    UniqueNames names;
    for (const Buffer &buffer : program.buffers)
      names.reserve(buffer.name);
    Buffer list = {.name = names.fresh(reduction.name + "_of_runs"),
                   .type = ScalarType::F64,
                   .axes = {},
                   .owner = WorkspaceMemory{},
                   .layout = Layout::Dense};
    for (unsigned axis = 0; axis + 1 < rank; ++axis)
      list.lengths.push_back(extent(axis));
    list.lengths.push_back(quotient(add(extent(rank - 1), run - 1), run));
    runs = program.buffers.size();
    program.buffers.push_back(std::move(list));
  }

  TreeKernel kernel(llvm::StringRef suffix, llvm::StringRef comment) const {
    // The text defines what the caller calls, and the kernels before, in the same scope.
    UniqueNames names;
    for (llvm::StringRef entry : kInterfaceEntries)
      names.reserve(fmt::format("{}_{}", program.signature.name, entry.str()));
    for (const Kernel &other : program.kernels)
      names.reserve(other.name);
    TreeKernel tree(
        program,
        names.fresh(fmt::format("{}_{}{}", program.signature.name, reduction.name, suffix.str())),
        reduction.op);
    tree.builder.kernel.comment = {fmt::format("{}{}.", reduction.name, comment.str())};
    return tree;
  }

  /// An argument of a kernel that is bound to the list.
  unsigned bindList(KernelBuilder &builder, Access access) const {
    Buffer list = program.buffers[runs];
    list.name = "of_runs";
    builder.buffers.push_back(runs);
    return builder.array(list, access);
  }

  // ---- runs of rows

  /// Where a block's run starts, or on the host that of a turn of the loops around it.
  Point beginOfRun(TreeKernel &tree, Body &body) {
    KernelBuilder &builder = tree.builder;
    const bool isHost = program.target == Target::Host;
    Point begin;
    Box inGrid;
    for (unsigned axis = 0; axis < rank; ++axis) {
      const std::string &name = program.signature.axes[axis];
      const std::string own = axis + 1 == rank ? name + "_begin" : name;
      if (isHost) {
        begin.push_back(coordinate(CoordinateKind::Local, builder.local(own)));
        continue;
      }
      const Index first =
          coordinate(CoordinateKind::Argument,
                     builder.integer("first_" + name, constant(0), nullptr, FirstOf{axis}));
      const Index block = coordinate(CoordinateKind::Block, dimensionOf(axis, rank));
      begin.push_back(
          builder.letIndex(body, own, add(first, scale(block, axis + 1 == rank ? run : 1))));
      inGrid.push_back({begin.back(), nullptr, extent(axis)});
    }
    if (!isHost)
      body.push_back({ReturnUnless{inGrid}});
    return begin;
  }

  /// On the host, loops over the runs of all rows.
  Body aroundRuns(const Point &begin, Body body) const {
    if (program.target == Target::Device)
      return body;
    for (unsigned axis = rank; axis-- > 0;) {
      Body outer;
      outer.push_back(
          {For{LoopKind::Parallel, std::get<Coordinate>(begin[axis]->node).number, constant(0),
               extent(axis), axis + 1 == rank ? run : 1, std::move(body)}});
      body = std::move(outer);
    }
    return body;
  }

  Value valueAt(KernelBuilder &builder, Body &body, const Point &point) {
    builder.letPointer(body, "here", point);
    std::map<unsigned, unsigned> arguments; // by buffer
    ReadSource reads =
        GridReads(builder, stencil, formula, {point}, [&](const Read &read, Point where) {
          return builder.load(argument(builder, read), std::move(where));
        });
    return PointUpdate(stencil, formula, {formula.reduction(number)})
        .append(builder, body, {point}, reads)
        .front();
  }

  unsigned argument(KernelBuilder &builder, const Read &read) const {
    const unsigned buffer = bufferOf(program.signature, read.array, read.level);
    const auto known = llvm::find(builder.buffers, buffer);
    return known != builder.buffers.end() ? known - builder.buffers.begin()
                                          : builder.bind(buffer, Access::Read);
  }

  Launch launchOfRuns() {
    TreeKernel tree = kernel("_runs", ": a number of each run of a row");
    KernelBuilder &builder = tree.builder;
    const unsigned list = bindList(builder, Access::Write);
    Body body;
    const Point begin = beginOfRun(tree, body);
    tree.takeRun(body, [&](Body &each, const Index &after, TreeKernel::Take take) {
      Point point = begin;
      point.back() =
          builder.letIndex(each, program.signature.axes.back(), add(begin.back(), after));
      If inArea{conditionOf(area, point, builder), {}, {}};
      take(inArea.then, valueAt(builder, inArea.then, point));
      each.push_back({std::move(inArea)});
    });
    Point place = begin;
    place.back() = quotient(begin.back(), run);
    tree.halve(body, [&](Value all) { return Body{{StoreGlobal{list, place, all}}}; });

    Launch launch;
    launch.comment = fmt::format("{}: the runs of each row.", reduction.name);
    for (unsigned axis = 0; axis < rank; ++axis) {
      launch.cover.begin[axis] = constant(0);
      launch.cover.end[axis] = extent(axis);
    }
    launch.cover.points[rank - 1] = run;
    return finish(std::move(launch), builder, aroundRuns(begin, std::move(body)));
  }

  // ---- one number of all

  Launch launchOfRest(unsigned result) {
    TreeKernel tree = kernel("", ": one number of all runs");
    KernelBuilder &builder = tree.builder;
    builder.kernel.minimumExtent = {}; // there may be no runs
    const Index count =
        coordinate(CoordinateKind::Argument,
                   builder.integer("count", constant(0), constant(program.signature.mostRuns()),
                                   ElementsOf{runs}));
    const unsigned list = bindList(builder, Access::Read);
    builder.kernel.arrays[list].lengths = {count};
    const unsigned single = builder.bind(result, Access::Write);
    // A run of runs becomes one number here, and a run of those one there.
    const unsigned here = builder.tile("of_lists", ScalarType::F64, {run});
    const unsigned there =
        builder.tile("of_all", ScalarType::F64, {program.signature.reductionTree.lanes});
    const auto runsIn = [](Index numbers, int64_t length) {
      return quotient(add(std::move(numbers), length - 1), length);
    };
    const auto takeBelow = [&](Body &body, const Index &at, const Index &end, Value number,
                               TreeKernel::Take take) {
      If isThere{{{at, nullptr, end}}, {}, {}};
      take(isThere.then, std::move(number));
      body.push_back({std::move(isThere)});
    };
    const auto inTile = [](unsigned tile, const Index &at) {
      return makeValue(ScalarType::F64, LoadShared{tile, {at}});
    };

    Body body;
    tree.start(body);
    const Index lists = builder.letIndex(body, "lists", runsIn(count, run));
    const Index all = builder.letIndex(body, "all", runsIn(count, int64_t(run) * run));
    const unsigned outer = builder.local("part"), inner = builder.local("list");
    const Index part = coordinate(CoordinateKind::Local, outer),
                own = coordinate(CoordinateKind::Local, inner);
    Body ofPart, ofList;
    const Index left =
        builder.letIndex(ofPart, "left", minimum(constant(run), add(lists, scale(part, -run))));
    const Index begin =
        builder.letIndex(ofList, "begin", add(scale(part, int64_t(run) * run), scale(own, run)));
    tree.takeRun(ofList, [&](Body &each, const Index &after, TreeKernel::Take take) {
      const Index at = add(begin, after);
      takeBelow(each, at, count, builder.load(list, {at}), take);
    });
    tree.halve(ofList, [&](Value value) { return Body{{StoreShared{here, {own}, value}}}; });
    ofPart.push_back({For{LoopKind::Serial, inner, constant(0), left, 1, std::move(ofList)}});
    synchronise(ofPart);
    tree.takeRun(ofPart, [&](Body &each, const Index &after, TreeKernel::Take take) {
      takeBelow(each, after, left, inTile(here, after), take);
    });
    tree.halve(ofPart, [&](Value value) { return Body{{StoreShared{there, {part}, value}}}; });
    body.push_back({For{LoopKind::Serial, outer, constant(0), all, 1, std::move(ofPart)}});
    synchronise(body);
    tree.takeLanes(body, there, all);
    tree.halve(body, [&](Value value) { return Body{{StoreGlobal{single, {}, value}}}; });

    Launch launch;
    launch.comment = fmt::format("{}: one number of all runs.", reduction.name);
    for (unsigned axis = 0; axis < rank; ++axis) {
      launch.cover.begin[axis] = constant(0);
      launch.cover.end[axis] = constant(1);
    }
    return finish(std::move(launch), builder, std::move(body));
  }

  void synchronise(Body &body) const {
    if (program.target == Target::Device)
      body.push_back({Barrier{}});
  }

  Launch finish(Launch launch, KernelBuilder &builder, Body body) {
    launch.kernel = program.kernels.size();
    launch.buffers = builder.buffers;
    launch.integers = builder.bindings;
    program.kernels.push_back(builder.finish(std::move(body)));
    return launch;
  }

  Program &program;
  const Stencil &stencil;
  const StepFormula &formula;
  const unsigned number;
  const Reduction &reduction;
  const Area &area;
  const unsigned rank;
  const int run;     ///< numbers of one
  unsigned runs = 0; ///< a buffer
};

} // namespace

When stencilc::reductionOf(Program &program, const Stencil &stencil, const StencilAreas &areas,
                           const StepFormula &formula, unsigned number) {
  return ReductionMaker(program, stencil, areas, formula, number).make();
}
