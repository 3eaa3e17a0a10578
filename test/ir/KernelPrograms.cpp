#include "test/ir/KernelPrograms.h"

using namespace stencilc;

static ArrayArgument argumentFor(std::string name, llvm::SmallVector<unsigned, 3> axes,
                                 Access access) {
  return {.name = std::move(name),
          .type = ScalarType::F64,
          .axes = std::move(axes),
          .ghost = {},
          .access = access,
          .readOnlyPath = access == Access::Read};
}

static Body coordinates() {
  return {{LetIndex{0, add(add(argument(1), scale(block(0), 4)), thread(0))}},
          {LetIndex{1, add(add(argument(0), scale(block(1), 2)), thread(1))}}};
}

static Kernel kernelOf(std::string name) {
  Kernel kernel;
  kernel.name = std::move(name);
  kernel.axes = {"y", "x"};
  kernel.block = {4, 2, 1};
  kernel.arrays = {argumentFor("u", {0, 1}, Access::Read),
                   argumentFor("u_next", {0, 1}, Access::Write)};
  kernel.locals = {"x", "y"};
  kernel.pointers = {"here"};
  kernel.body = coordinates();
  return kernel;
}

static Kernel stepKernel() {
  Kernel kernel = kernelOf("step");
  kernel.integers = {{"first_y", constant(1), nullptr}, {"first_x", nullptr, nullptr}};
  kernel.uniforms = {0};
  for (const char *name : {"u_west", "u_east", "u_south", "u_north"})
    kernel.registers.push_back({name, ScalarType::F64});
  Index x = local(0), y = local(1);
  kernel.body.push_back(
      {ReturnUnless{{{x, constant(1), add(extent(1), -1)}, {y, nullptr, add(extent(0), -1)}}}});
  kernel.body.push_back({Let{0, load(0, {y, add(x, -1)})}});
  kernel.body.push_back({Let{1, load(0, {y, add(x, 1)})}});
  kernel.body.push_back({Let{2, load(0, {add(y, -1), x})}});
  kernel.body.push_back({Let{3, load(0, {add(y, 1), x})}});
  Value neighbours = sum(sum(sum(reg(0), reg(1)), reg(2)), reg(3));
  Value k = makeValue(ScalarType::F64, UniformValue{0});
  kernel.body.push_back(
      {StoreGlobal{1, {y, x}, sum(load(0, {y, x}), binary(BinaryOp::Multiply, k, neighbours))}});
  return kernel;
}

static Kernel copyKernel() {
  Kernel kernel = kernelOf("copy_frame");
  kernel.integers = {{"first_y", constant(0), nullptr},
                     {"first_x", constant(0), nullptr},
                     {"end_y", nullptr, extent(0)},
                     {"end_x", nullptr, extent(1)}};
  Index x = local(0), y = local(1);
  kernel.body.push_back({ReturnUnless{{{x, nullptr, argument(3)}, {y, nullptr, argument(2)}}}});
  kernel.body.push_back({StoreGlobal{1, {y, x}, load(0, {y, x})}});
  return kernel;
}

static Launch launchOf(unsigned kernel, std::array<Index, kMaxRank> begin,
                       std::array<Index, kMaxRank> end) {
  Launch launch;
  launch.kernel = kernel;
  launch.arrays = {{0, BufferRole::Source}, {0, BufferRole::Target}};
  launch.begin = std::move(begin);
  launch.end = std::move(end);
  launch.cover = {2, 4, 1};
  launch.firstArgument = {0, 1};
  return launch;
}

Program stencilc::fivePoint() {
  Program program;
  program.signature.name = "five";
  program.signature.axes = {"y", "x"};
  program.signature.arrays = {
      {.name = "u", .type = ScalarType::F64, .axes = {0, 1}, .hasNext = true}};
  program.signature.params = {{"k", ScalarType::F64, 0.25}};
  program.uniforms = {{"k", ScalarType::F64, makeValue(ScalarType::F64, ParamLeaf{0})}};
  program.kernels = {stepKernel(), copyKernel()};

  Index zero = constant(0), one = constant(1), ny = extent(0), nx = extent(1);
  Launch step = launchOf(0, {one, one}, {add(ny, -1), add(nx, -1)});
  step.alignTo = 1;
  program.launches.push_back(step);
  Index lastY = maximum(one, add(ny, -1)), lastX = maximum(one, add(nx, -1));
  for (const auto &[begin, end] : {std::pair{std::array{zero, zero}, std::array{one, nx}},
                                   std::pair{std::array{lastY, zero}, std::array{ny, nx}},
                                   std::pair{std::array{one, zero}, std::array{lastY, one}},
                                   std::pair{std::array{one, lastX}, std::array{lastY, nx}}}) {
    Launch copy = launchOf(1, {begin[0], begin[1]}, {end[0], end[1]});
    copy.when = LaunchWhen::FirstStep;
    copy.endArgument = {2, 3};
    program.launches.push_back(copy);
  }
  return program;
}

Program stencilc::onePoint(Body body) {
  Program program;
  program.signature.name = "one";
  program.signature.axes = {"x"};
  program.signature.arrays = {{.name = "u", .type = ScalarType::F64, .axes = {0}, .hasNext = true}};
  Kernel kernel;
  kernel.name = "one";
  kernel.axes = {"x"};
  kernel.block = {4, 1, 1};
  kernel.arrays = {argumentFor("u", {0}, Access::Read), argumentFor("u_next", {0}, Access::Write)};
  kernel.integers = {{"first_x", constant(0), nullptr}};
  kernel.locals = {"x"};
  kernel.pointers = {"here"};
  kernel.body = {{LetIndex{0, add(add(argument(0), scale(block(0), 4)), thread(0))}}};
  kernel.body.insert(kernel.body.end(), body.begin(), body.end());
  program.kernels = {kernel};
  Launch launch;
  launch.kernel = 0;
  launch.arrays = {{0, BufferRole::Source}, {0, BufferRole::Target}};
  launch.begin[0] = constant(0);
  launch.end[0] = extent(0);
  launch.cover[0] = 4;
  launch.firstArgument[0] = 0;
  program.launches = {launch};
  return program;
}

State stencilc::stateOf(const Program &program, std::vector<int64_t> extents,
                        std::vector<double> params, double (*value)(size_t)) {
  State state;
  state.extents = extents;
  state.params = std::move(params);
  state.previous.resize(program.signature.arrays.size());
  for (unsigned number = 0; number < program.signature.arrays.size(); ++number) {
    const SignatureArray &array = program.signature.arrays[number];
    std::vector<int64_t> own, low, high;
    for (unsigned axis : array.axes) {
      own.push_back(extents[axis]);
      low.push_back(array.ghost[axis][Low]);
      high.push_back(array.ghost[axis][High]);
    }
    Grid grid(array.type, own, low, high, 0);
    for (size_t element = 0; element < grid.values.size(); ++element)
      grid.values[element] = value(element);
    state.current.push_back(grid);
    if (array.hasPrevious)
      state.previous[number] = grid;
  }
  return state;
}
