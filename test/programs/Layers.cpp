#include "test/programs/Layers.h"

#include "ir/kernel/KernelBuilder.h"
#include "test/ir/StencilBuilder.h"

using namespace stencilc;

Stencil stencilc::layers() {
  Stencil stencil = emptyStencil({"z", "y", "x"});
  stencil.name = "layers";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Clamp);
  const unsigned pulse = addOverTime(stencil, "pulse");
  const unsigned surface = addParamInt(stencil, "surface", 3);
  stencil.params.push_back({"a", ScalarType::F64, 0.125, {}});
  const unsigned a = stencil.params.size() - 1;

  const auto update = [&](FormulaBuilder &f, Offset low, Offset high, ExprId more) {
    const ExprId sides = f.plus(f.now(u, low), f.now(u, high));
    return f.plus(f.plus(f.now(u), f.times(f.param(a), sides)), more);
  };
  Region above, below;
  above[0] = {fromStart(0), fromParam(surface, 0)};
  below[0] = {fromParam(surface, 0), fromEnd(0)};
  addUpdate(
      stencil, 0, u,
      [&](FormulaBuilder &f) {
        const ExprId drift =
            f.times(f.cast(ScalarType::F64, f.step()), f.cast(ScalarType::F64, f.position(2)));
        return update(f, {0, 0, -1}, {0, 0, 1}, drift);
      },
      above);
  addUpdate(
      stencil, 0, u,
      [&](FormulaBuilder &f) { return update(f, {-1, 0, 0}, {1, 0, 0}, f.overTime(pulse)); },
      below);
  return stencil;
}

namespace {

class LayersBuilder {
public:
  explicit LayersBuilder(const Stencil &stencil) {
    program.signature = signatureOf(stencil);
    program.buffers = callerBuffers(program.signature);
    program.uniforms = {{"a", ScalarType::F64, makeValue(ScalarType::F64, ParamLeaf{1})}};
    owed = owedBy(stencil, program.buffers);
  }

  Program build(int fused) {
    program.kernels = {above(), below()};
    for (int steps = fused; steps >= 1; --steps) {
      Pass pass{steps, {}, owed};
      for (int step = 0; step < steps; ++step) {
        pass.actions.push_back(
            {launch(0, {FirstOf{0}, FirstOf{1}, FirstOf{2}, EndOf{0}, StepNumber{step}})});
        pass.actions.push_back(
            {launch(1, {FirstOf{0}, FirstOf{1}, FirstOf{2}, WholeParam{0}, StepNumber{step}})});
        pass.actions.push_back({rotation(program.signature)});
      }
      program.plan.passes.push_back(std::move(pass));
    }
    return std::move(program);
  }

private:
  static Value number(auto node) { return makeValue(ScalarType::F64, std::move(node)); }
  static Value combine(BinaryOp op, Value left, Value right) {
    return number(BinaryValue{op, std::move(left), std::move(right)});
  }

  /// Opens the kernel: its arrays, and the point of a thread.
  Point open(KernelBuilder &builder, Body &body) {
    builder.array({.name = "u", .type = ScalarType::F64, .axes = {0, 1, 2}, .ghost = {}});
    builder.array({.name = "u_next",
                   .type = ScalarType::F64,
                   .axes = {0, 1, 2},
                   .ghost = {},
                   .access = Access::Write});
    const std::vector<Index> zeros(3, constant(0));
    return builder.threads(body, {32, 4, 1}, zeros, /*chunk=*/1);
  }

  /// u + a*(low + high) + more, stored at the point.
  Kernel close(KernelBuilder &builder, Body body, const Point &at, unsigned axis, Value more) {
    const auto beside = [&](int64_t distance) {
      Point point = at;
      point[axis] = map(BoundaryKind::Clamp, axis, add(at[axis], distance));
      return builder.load(0, point);
    };
    const Value sides = combine(BinaryOp::Add, beside(-1), beside(1));
    builder.store(body, 1, at,
                  combine(BinaryOp::Add,
                          combine(BinaryOp::Add, builder.load(0, at),
                                  combine(BinaryOp::Multiply, builder.uniform(0), sides)),
                          std::move(more)));
    return builder.finish(std::move(body));
  }

  Kernel above() {
    KernelBuilder builder(program, "layers_above", Target::Device);
    builder.kernel.minimumExtent = {1, 1, 1};
    Body body;
    const Point at = open(builder, body);
    const Index end = argument(builder.integer("end_z", nullptr, extent(0), EndOf{0}));
    const Index step = argument(wide(builder, "step"));
    body.push_back({ReturnUnless{
        {{at[0], nullptr, end}, {at[1], nullptr, extent(1)}, {at[2], nullptr, extent(2)}}}});
    const Value drift =
        combine(BinaryOp::Multiply, number(IndexValue{step}), number(IndexValue{at[2]}));
    return close(builder, std::move(body), at, 2, drift);
  }

  Kernel below() {
    KernelBuilder builder(program, "layers_below", Target::Device);
    builder.kernel.minimumExtent = {1, 1, 1};
    Body body;
    const Point at = open(builder, body);
    const unsigned pulse = builder.array({.name = "pulse",
                                          .type = ScalarType::F64,
                                          .axes = {},
                                          .ghost = {},
                                          .layout = Layout::Dense,
                                          .isOverTime = true});
    const Index surface =
        argument(builder.integer("surface", constant(0), extent(0), WholeParam{0}));
    const Index step = argument(wide(builder, "step"));
    body.push_back({ReturnUnless{
        {{at[0], surface, extent(0)}, {at[1], nullptr, extent(1)}, {at[2], nullptr, extent(2)}}}});
    return close(builder, std::move(body), at, 0, builder.load(pulse, {step}));
  }

  static Index argument(unsigned number) { return coordinate(CoordinateKind::Argument, number); }
  static unsigned wide(KernelBuilder &builder, llvm::StringRef name) {
    const unsigned number = builder.integer(name, nullptr, nullptr, StepNumber{});
    builder.kernel.integers[number].isWide = true;
    return number;
  }

  Launch launch(unsigned kernel, std::vector<IntegerBinding> integers) {
    const Signature &signature = program.signature;
    Launch launch;
    launch.kernel = kernel;
    launch.buffers = {bufferOf(signature, 0), bufferOf(signature, 0, TimeLevel::Next)};
    if (kernel == 1)
      launch.buffers.push_back(bufferOf(signature, 1));
    const Index end = kernel == 0 ? coordinate(CoordinateKind::WholeParam, 0) : extent(0);
    launch.cover = {.begin = {constant(0), constant(0), constant(0)},
                    .end = {end, extent(1), extent(2)},
                    .points = {1, 4, 32}};
    launch.integers = std::move(integers);
    return launch;
  }

  Program program;
  std::vector<Owed> owed;
};

} // namespace

Program stencilc::layersProgram(const Stencil &stencil, int fused) {
  return LayersBuilder(stencil).build(fused);
}
