#include "ir/run/ProgramRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static constexpr int64_t kLineBytes = 128;

ProgramRun::ProgramRun(const Program &program, State &state, const InterpretOptions &options,
                       AccessObserver *observer)
    : program(program), state(state), options(options), observer(observer) {
  for (auto [array, grid] : llvm::zip_equal(program.signature.arrays, state.current))
    targets.push_back(array.hasNext
                          ? Grid(grid.type, grid.extents, grid.low, grid.high, options.poison)
                          : Grid());
  for (const Uniform &uniform : program.uniforms)
    uniforms.push_back(evaluateUniform(uniform.value));
}

double ProgramRun::evaluateUniform(const Value &value) const {
  auto of = [&](const Value &operand) { return evaluateUniform(operand); };
  return std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &node) { return node.value; },
          [&](const ParamLeaf &node) { return state.params[node.param]; },
          [&](const UniformValue &node) { return uniforms[node.argument]; },
          [&](const UnaryValue &node) { return apply(value->type, node.op, of(node.operand)); },
          [&](const BinaryValue &node) {
            return apply(value->type, node.op, of(node.left), of(node.right));
          },
          [&](const CompareValue &node) -> double {
            return apply(node.op, of(node.left), of(node.right));
          },
          [&](const SelectValue &node) {
            return of(node.condition) != 0 ? of(node.then) : of(node.otherwise);
          },
          [&](const CallValue &node) {
            llvm::SmallVector<double, 2> operands;
            for (const Value &operand : node.operands)
              operands.push_back(of(operand));
            return apply(value->type, node.function, operands);
          },
          [&](const CastValue &node) { return roundTo(value->type, of(node.operand)); },
          [](const auto &) -> double { llvm_unreachable("uniforms read nothing of a thread"); }),
      value->node);
}

int64_t ProgramRun::evaluateExtents(const Index &index) const {
  return evaluate(index, [&](const Coordinate &coordinate) {
    assert(coordinate.kind == CoordinateKind::Extent && "boxes are over extents and constants");
    return state.extents[coordinate.number];
  });
}

Grid &ProgramRun::grid(const BufferRef &buffer) {
  switch (buffer.role) {
  case BufferRole::Source:
    return state.current[buffer.array];
  case BufferRole::Previous:
    return state.previous[buffer.array];
  case BufferRole::Target:
    return targets[buffer.array];
  }
  llvm_unreachable("a buffer has a role");
}

int64_t ProgramRun::alignment(const Launch &launch, const Shape &shape) {
  unsigned argument = *launch.alignTo;
  const Kernel &kernel = program.kernels[launch.kernel];
  const Grid &grid = this->grid(launch.arrays[argument]);
  int64_t address = 0;
  for (auto [position, axis] : llvm::enumerate(kernel.arrays[argument].axes))
    address = address * (grid.low[position] + grid.extents[position] + grid.high[position]) +
              shape.first[axis];
  return euclideanRemainder(options.phase + address,
                            kLineBytes / sizeInBytes(kernel.arrays[argument].type));
}

ProgramRun::Shape ProgramRun::shapeOf(const Launch &launch) {
  Shape shape;
  unsigned rank = program.signature.rank();
  bool isEmpty = false;
  for (unsigned axis = 0; axis < rank; ++axis) {
    shape.first[axis] = evaluateExtents(launch.begin[axis]);
    shape.end[axis] = evaluateExtents(launch.end[axis]);
    isEmpty |= shape.first[axis] >= shape.end[axis];
  }
  if (isEmpty) {
    shape.blocks.fill(0);
    return shape;
  }
  if (launch.alignTo)
    shape.first[rank - 1] -= alignment(launch, shape);
  for (unsigned axis = 0; axis < rank; ++axis)
    shape.blocks[axis] =
        llvm::divideCeil(uint64_t(shape.end[axis] - shape.first[axis]), launch.cover[axis]);
  return shape;
}

BlockExecutor::Arguments ProgramRun::argumentsOf(const Launch &launch, const Shape &shape) {
  const Kernel &kernel = program.kernels[launch.kernel];
  BlockExecutor::Arguments arguments;
  arguments.extents = state.extents;
  for (const BufferRef &buffer : launch.arrays)
    arguments.arrays.push_back(&grid(buffer));
  for (unsigned uniform : kernel.uniforms)
    arguments.uniforms.push_back(uniforms[uniform]);
  arguments.integers.resize(kernel.integers.size());
  for (unsigned axis = 0; axis < program.signature.rank(); ++axis) {
    if (launch.firstArgument[axis])
      arguments.integers[*launch.firstArgument[axis]] = shape.first[axis];
    if (launch.endArgument[axis])
      arguments.integers[*launch.endArgument[axis]] = shape.end[axis];
  }
  return arguments;
}

static llvm::Error errorOf(const BlockExecutor &executor) {
  return llvm::createStringError(executor.fault());
}

llvm::Error ProgramRun::launchSlab(const Launch &launch, const Shape &slab) {
  BlockExecutor executor(program.kernels[launch.kernel], argumentsOf(launch, slab), observer,
                         options.order);
  unsigned rank = program.signature.rank();
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (unsigned axis = 0; axis < rank; ++axis)
    blocks[dimensionOf(axis, rank)] = slab.blocks[axis];
  for (int64_t z = 0; z < blocks[2]; ++z)
    for (int64_t y = 0; y < blocks[1]; ++y)
      for (int64_t x = 0; x < blocks[0]; ++x)
        if (!executor.run({x, y, z}))
          return errorOf(executor);
  return llvm::Error::success();
}

llvm::Error ProgramRun::launchDevice(const Launch &launch) {
  Shape whole = shapeOf(launch);
  // Slabs cut the slower axes only: dimension x has room for any grid.
  unsigned contiguous = program.signature.rank() - 1;
  std::vector<Shape> slabs = {whole};
  for (unsigned axis = 0; axis < contiguous; ++axis) {
    std::vector<Shape> cut;
    for (const Shape &slab : slabs)
      for (int64_t start = 0; start < whole.blocks[axis]; start += options.maxGridYZ) {
        Shape part = slab;
        part.first[axis] = whole.first[axis] + start * launch.cover[axis];
        part.blocks[axis] = std::min(whole.blocks[axis] - start, options.maxGridYZ);
        cut.push_back(part);
      }
    slabs = std::move(cut);
  }
  for (const Shape &slab : slabs)
    if (llvm::Error error = launchSlab(launch, slab))
      return error;
  return llvm::Error::success();
}

llvm::Error ProgramRun::launchHost(const Launch &launch) {
  Shape box;
  for (unsigned axis = 0; axis < program.signature.rank(); ++axis) {
    if (launch.firstArgument[axis])
      box.first[axis] = evaluateExtents(launch.begin[axis]);
    if (launch.endArgument[axis])
      box.end[axis] = evaluateExtents(launch.end[axis]);
  }
  BlockExecutor executor(program.kernels[launch.kernel], argumentsOf(launch, box), observer);
  return executor.run({0, 0, 0}) ? llvm::Error::success() : errorOf(executor);
}

llvm::Error ProgramRun::step(bool isFirst) {
  for (const Launch &launch : program.launches) {
    if (launch.when == LaunchWhen::FirstStep && !isFirst)
      continue;
    if (observer)
      observer->beginLaunch(launch);
    if (llvm::Error error =
            program.target == Target::Device ? launchDevice(launch) : launchHost(launch))
      return error;
  }
  rotate();
  return llvm::Error::success();
}

void ProgramRun::rotate() {
  for (auto [number, array] : llvm::enumerate(program.signature.arrays)) {
    if (!array.isField)
      continue;
    if (array.hasNext)
      std::swap(state.current[number], targets[number]);
    // What was Source is now behind Target, or without one still Source itself.
    if (array.hasPrevious)
      std::swap(state.previous[number], array.hasNext ? targets[number] : state.current[number]);
  }
}
