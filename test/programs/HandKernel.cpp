#include "test/programs/HandKernel.h"

#include "codegen/lower/Lower.h"

#include <functional>

using namespace stencilc;

HandKernel::HandKernel(const Program &program, llvm::StringRef name, std::array<int, 3> block)
    : builder(program, name.str(), Target::Device), type(program.signature.arrays[0].type) {
  const SignatureArray &field = program.signature.arrays[0];
  const unsigned rank = program.signature.rank();
  builder.kernel.block = block;
  const auto array = [&](llvm::StringRef suffix, Access access) {
    return builder.array({.name = field.name + suffix.str(),
                          .type = type,
                          .axes = program.buffers[0].axes,
                          .ghost = {},
                          .access = access});
  };
  u = array("", Access::Read);
  next = array("_next", Access::Write);
  for (unsigned axis = 0; axis < rank; ++axis)
    first.push_back(coordinate(CoordinateKind::Argument,
                               builder.integer("first_" + builder.kernel.axes[axis],
                                               c(axis + 1 < rank), nullptr, FirstOf{axis})));
}

void HandKernel::relyOnAlignment() {
  for (ArrayArgument &array : builder.kernel.arrays)
    array.alignment = Alignment{unsigned(lanesOf(type)), first.back()};
}

Value HandKernel::heat(Value here, Value west, Value east, Value south, Value north, Value below,
                       Value above) {
  Value sum = binary(BinaryOp::Add, std::move(west), std::move(east));
  for (Value *term : {&south, &north, &below, &above})
    sum = binary(BinaryOp::Add, std::move(sum), std::move(*term));
  return binary(BinaryOp::Add, binary(BinaryOp::Multiply, builder.uniform(0), std::move(here)),
                binary(BinaryOp::Multiply, builder.uniform(1), std::move(sum)));
}

Box HandKernel::inside(Point piece, int number) const {
  piece.back() = add(piece.back(), number);
  Box box;
  for (unsigned axis = 0; axis < piece.size(); ++axis)
    box.push_back({piece[axis], c(1), add(extent(axis), -1)});
  if (number > 0)
    box.back().lower = nullptr;
  return box;
}

void HandKernel::unroll(Body &body, llvm::StringRef local, int turns,
                        llvm::function_ref<Body(const Index &local)> turn) {
  const unsigned number = builder.local(local);
  body.push_back({For{LoopKind::Unroll, number, c(0), c(turns), 1,
                      turn(coordinate(CoordinateKind::Local, number))}});
}

void HandKernel::clear(Body &body, unsigned patch) {
  const std::vector<int> shape = builder.kernel.patches[patch].shape;
  std::vector<Index> at;
  const std::function<Body()> rest = [&] {
    Body part;
    if (at.size() == shape.size())
      part.push_back({AssignElement{patch, at, value(LiteralValue{0})}});
    else
      unroll(part, "slot", shape[at.size()], [&](const Index &slot) {
        at.push_back(slot);
        return rest();
      });
    return part;
  };
  llvm::move(rest(), std::back_inserter(body));
}

static PatchRow elementOf(PatchRow row, int number) {
  row.at.back() = add(row.at.back(), number);
  return row;
}

void HandKernel::loadPiece(Body &body, PatchRow row, const Point &point) {
  Point nearest;
  for (unsigned axis = 0; axis < point.size(); ++axis)
    nearest.push_back(map(BoundaryKind::Clamp, axis, point[axis]));
  const Index x = point.back();
  const bool isAligned = builder.kernel.arrays[u].alignment.has_value();
  Body each;
  for (unsigned lane = 0; lane < row.lanes; ++lane) {
    // Of a piece that is not whole, the last point lies outside.
    if (isAligned && lane + 1 == row.lanes) {
      each.push_back({AssignElement{row.patch, elementOf(row, lane).at, value(LiteralValue{0})}});
      break;
    }
    nearest.back() = map(BoundaryKind::Clamp, contiguous(), add(x, lane));
    each.push_back({AssignElement{row.patch, elementOf(row, lane).at, load(nearest)}});
  }
  if (!isAligned) {
    llvm::move(each, std::back_inserter(body));
    return;
  }
  nearest.back() = x;
  const Range whole = {x, c(0), add(extent(contiguous()), 1 - int64_t(row.lanes))};
  body.push_back({If{{whole}, {{LoadVector{row, u, nearest}}}, std::move(each)}});
}

void HandKernel::storePiece(Body &body, Point point, PatchRow row) {
  const Index x = point.back(), end = add(extent(contiguous()), -1);
  Body each;
  for (unsigned lane = 0; lane < row.lanes; ++lane) {
    point.back() = add(x, lane);
    Body store = {{StoreGlobal{next, point, element(row.patch, elementOf(row, lane).at)}}};
    const Index first = lane == 0 ? c(1) : nullptr;
    each.push_back({If{{{add(x, lane), first, end}}, std::move(store), {}}});
  }
  if (!builder.kernel.arrays[next].alignment) {
    llvm::move(each, std::back_inserter(body));
    return;
  }
  point.back() = x;
  const Range whole = {x, c(1), add(end, 1 - int64_t(row.lanes))};
  body.push_back({If{{whole}, {{StoreVector{next, point, row}}}, std::move(each)}});
}

Launch HandKernel::finish(Program &program, Body body, std::vector<int> points, bool coversWalls) {
  const unsigned rank = first.size();
  Launch launch = simpleStep(program);
  launch.kernel = program.kernels.size();
  launch.integers = builder.bindings;
  launch.cover = {};
  for (unsigned axis = 0; axis < rank; ++axis) {
    const bool isWhole =
        axis == contiguous() && (coversWalls || builder.kernel.arrays[u].alignment);
    builder.kernel.minimumExtent[axis] = axis == contiguous() ? 1 : 3;
    launch.cover.begin[axis] = c(isWhole ? 0 : 1);
    launch.cover.end[axis] = add(extent(axis), isWhole ? 0 : -1);
    launch.cover.points[axis] = points[axis];
  }
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}

// ---- programs ---------------------------------------------------------------------------------

Program stencilc::simpleProgram(const Stencil &stencil) {
  const char *schedules[] = {"baseline/64", "baseline/32x4", "baseline/32x4x2"};
  const unsigned rank = stencil.rank();
  return *llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedules[rank - 1], rank))));
}

/// The first action of the pass itself that launches the simple kernel.
template <class SomeActions> static auto &simpleAction(SomeActions &actions) {
  return *llvm::find_if(actions, [](const Action &action) {
    const auto *launch = std::get_if<Launch>(&action.node);
    return launch && launch->kernel == 0;
  });
}

const Launch &stencilc::simpleStep(const Program &program) {
  return std::get<Launch>(simpleAction(program.plan.passes.back().actions).node);
}

static void dropUnused(Program &program) {
  for (unsigned kernel = program.kernels.size(); kernel-- > 0;) {
    bool isUsed = false;
    forEachLaunchOf(program.plan, [&](const Launch &launch) { isUsed |= launch.kernel == kernel; });
    if (isUsed)
      continue;
    program.kernels.erase(program.kernels.begin() + kernel);
    forEachLaunchOf(program.plan, [&](Launch &launch) { launch.kernel -= launch.kernel > kernel; });
  }
}

void stencilc::replaceStep(Program &program, Action step) {
  simpleAction(program.plan.passes.back().actions) = std::move(step);
  dropUnused(program);
}

void stencilc::addFusedPass(Program &program, int steps, Action fused) {
  std::vector<Pass> &passes = program.plan.passes;
  Pass pass = passes.back();
  pass.steps = steps;
  simpleAction(pass.actions) = std::move(fused);
  passes.insert(passes.begin(), std::move(pass));
}

Action stencilc::whereAligned(const Program &program, Launch aligned, Actions otherwise) {
  const std::vector<unsigned> buffers = simpleStep(program).buffers;
  return {When{Aligned{16, 0, buffers}, {{std::move(aligned)}}, std::move(otherwise)}};
}
