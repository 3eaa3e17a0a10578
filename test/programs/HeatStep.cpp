#include "test/programs/HeatStep.h"

#include "codegen/lower/Lower.h"

using namespace stencilc;

static Program lowered(const Stencil &stencil) {
  return *llvm::cantFail(
      lower(stencil, llvm::cantFail(parseSchedule("baseline/32x4x2", stencil.rank()))));
}

HeatStep::HeatStep(const Stencil &stencil, llvm::StringRef name, std::array<int, 3> block)
    : program(lowered(stencil)), builder(program, name.str(), Target::Device),
      type(program.signature.arrays[0].type) {
  builder.kernel.block = block;
  u = builder.array({.name = "u", .type = type, .axes = {0, 1, 2}, .ghost = {}});
  next = builder.array(
      {.name = "u_next", .type = type, .axes = {0, 1, 2}, .ghost = {}, .access = Access::Write});
  auto first = [&](llvm::StringRef argument, int least, unsigned axis) {
    return coordinate(CoordinateKind::Argument,
                      builder.integer(argument, constant(least), nullptr, FirstOf{axis}));
  };
  firstZ = first("first_z", 1, 0);
  firstY = first("first_y", 1, 1);
  firstX = first("first_x", 0, 2);
}

Value HeatStep::update(Value here, Value west, Value east, Value south, Value north, Value below,
                       Value above) {
  auto combine = [&](BinaryOp op, Value left, Value right) {
    return value(BinaryValue{op, std::move(left), std::move(right)});
  };
  Value sum = combine(BinaryOp::Add, std::move(west), std::move(east));
  for (Value *term : {&south, &north, &below, &above})
    sum = combine(BinaryOp::Add, std::move(sum), std::move(*term));
  return combine(BinaryOp::Add, combine(BinaryOp::Multiply, builder.uniform(0), std::move(here)),
                 combine(BinaryOp::Multiply, builder.uniform(1), std::move(sum)));
}

Program HeatStep::finish(Body body, Index beginX, Index endX, std::array<int, 3> points) {
  Actions &actions = program.plan.passes.front().actions;
  auto step = llvm::find_if(actions, [](const Action &action) {
    const auto *launch = std::get_if<Launch>(&action.node);
    return launch && launch->kernel == 0;
  });
  const Launch simple = std::get<Launch>(step->node);
  builder.kernel.minimumExtent = {3, 3, 1};
  Kernel kernel = builder.finish(std::move(body));
  const bool isAligned = kernel.arrays[u].alignment.has_value();

  Launch launch = simple;
  launch.kernel = program.kernels.size();
  launch.cover = {.begin = {constant(1), constant(1), std::move(beginX)},
                  .end = {add(nz, -1), add(ny, -1), std::move(endX)},
                  .points = points};
  launch.integers = builder.bindings;
  if (isAligned) {
    program.kernels.push_back(std::move(kernel));
    step->node = When{Aligned{16, 0, launch.buffers}, {{launch}}, {{simple}}};
  } else {
    launch.kernel = simple.kernel;
    program.kernels[simple.kernel] = std::move(kernel);
    step->node = std::move(launch);
  }
  return std::move(program);
}
