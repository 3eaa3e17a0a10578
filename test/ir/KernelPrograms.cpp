#include "test/ir/KernelPrograms.h"

#include "llvm/ADT/STLExtras.h"

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
  launch.buffers = {0, 1};
  launch.cover = {.begin = std::move(begin), .end = std::move(end), .points = {2, 4, 1}};
  launch.integers = {FirstOf{0}, FirstOf{1}};
  return launch;
}

/// One pass of one step, which owes the box.
static void plan(Program &program, Actions actions, PointBox box) {
  program.buffers = callerBuffers(program.signature);
  actions.push_back({rotation(program.signature)});
  program.plan.passes = {{.steps = 1, .actions = std::move(actions), .owed = {{0, {box}}}}};
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
  step.cover.alignTo = 1;
  const PointBox owed{step.cover.begin, step.cover.end};
  When first{FirstPasses{1}, {}, {}};
  Index lastY = maximum(one, add(ny, -1)), lastX = maximum(one, add(nx, -1));
  for (const auto &[begin, end] : {std::pair{std::array{zero, zero}, std::array{one, nx}},
                                   std::pair{std::array{lastY, zero}, std::array{ny, nx}},
                                   std::pair{std::array{one, zero}, std::array{lastY, one}},
                                   std::pair{std::array{one, lastX}, std::array{lastY, nx}}}) {
    Launch copy = launchOf(1, {begin[0], begin[1]}, {end[0], end[1]});
    copy.integers.insert(copy.integers.end(), {EndOf{0}, EndOf{1}});
    first.then.push_back({copy});
  }
  plan(program, {{step}, {first}}, owed);
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
  launch.buffers = {0, 1};
  launch.cover = {.begin = {constant(0)}, .end = {extent(0)}, .points = {4, 1, 1}};
  launch.integers = {FirstOf{0}};
  plan(program, {{launch}}, {launch.cover.begin, launch.cover.end});
  return program;
}

Launch &stencilc::launchAt(Program &program, unsigned number) {
  std::vector<Launch *> launches;
  forEachLaunchOf(program.plan, [&](Launch &launch) { launches.push_back(&launch); });
  return *launches.at(number);
}

const Launch &stencilc::firstLaunch(const Program &program) {
  const Launch *first = nullptr;
  forEachLaunchOf(program.plan, [&](const Launch &launch) { first = first ? first : &launch; });
  return *first;
}

void stencilc::declareBuffers(Program &program) {
  const std::vector<Buffer> before = program.buffers;
  program.buffers = callerBuffers(program.signature);
  forEachLaunchOf(program.plan, [&](Launch &launch) {
    for (unsigned &buffer : launch.buffers)
      for (auto [number, now] : llvm::enumerate(program.buffers))
        if (now.name == before[buffer].name) {
          buffer = number;
          break;
        }
  });
  for (Action &action : stepOf(program).actions)
    if (auto *rename = std::get_if<Rename>(&action.node))
      *rename = rotation(program.signature);
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
    if (array.overTime) {
      constexpr int64_t kSteps = 64; // more than tests run
      own.push_back(kSteps);
      low.push_back(0);
      high.push_back(0);
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
