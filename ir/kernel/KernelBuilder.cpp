#include "ir/kernel/KernelBuilder.h"

#include "ir/kernel/UnusedNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace stencilc;

std::string UniqueNames::fresh(llvm::StringRef wanted) {
  std::string name = wanted.str();
  unsigned &number = numbers.try_emplace(wanted, 1).first->second;
  while (!taken.insert(name).second)
    name = fmt::format("{}_{}", wanted.str(), ++number);
  return name;
}

std::string stencilc::capitalised(llvm::StringRef name) {
  std::string result = name.str();
  result[0] = llvm::toUpper(result[0]);
  return result;
}

/// What the printed text needs for itself, beside the argument names.
static constexpr llvm::StringLiteral kReserved[] = {
    "blockIdx", "threadIdx", "blockDim", "gridDim", "min",  "max",          "fmin",     "fmax",
    "fminf",    "fmaxf",     "fabs",     "fabsf",   "sqrt", "sqrtf",        "exp",      "expf",
    "log",      "logf",      "sin",      "sinf",    "cos",  "cosf",         "tanh",     "tanhf",
    "pow",      "powf",      "floor",    "floorf",  "wrap", "int64_t",      "uint64_t", "dim3",
    "args",     "steps",     "stream",   "warp",    "lane", "shared_memory"};

KernelBuilder::KernelBuilder(const Program &program, std::string name, Target target)
    : program(program) {
  kernel.name = std::move(name);
  kernel.target = target;
  kernel.axes = program.signature.axes;
  kernel.minimumExtent = program.signature.minimumExtent;
  for (llvm::StringRef word : kReserved)
    names.reserve(word);
  for (const std::string &axis : kernel.axes) {
    names.reserve("n" + axis);
    names.reserve("stride_" + axis);
    names.reserve("row_" + axis);
  }
  for (const Uniform &uniform : program.uniforms)
    names.reserve(uniform.name);
}

unsigned KernelBuilder::array(ArrayArgument argument) {
  argument.name = names.fresh(argument.name);
  kernel.arrays.push_back(std::move(argument));
  return kernel.arrays.size() - 1;
}

unsigned KernelBuilder::array(const Buffer &buffer, Access access, bool readOnlyPath) {
  return array({.name = buffer.name,
                .type = buffer.type,
                .axes = buffer.axes,
                .ghost = buffer.ghost,
                .access = access,
                .readOnlyPath = readOnlyPath,
                .layout = buffer.layout,
                .isOverTime = buffer.isOverTime,
                .lengths = buffer.lengths});
}

unsigned KernelBuilder::bind(unsigned buffer, Access access, bool readOnlyPath) {
  buffers.push_back(buffer);
  return array(program.buffers[buffer], access, readOnlyPath);
}

unsigned KernelBuilder::integer(llvm::StringRef name, Index atLeast, Index atMost,
                                IntegerBinding binding) {
  bindings.push_back(binding);
  kernel.integers.push_back({names.fresh(name), std::move(atLeast), std::move(atMost)});
  return kernel.integers.size() - 1;
}

Index KernelBuilder::wholeParam(unsigned param, std::optional<unsigned> axis) {
  const auto [known, isNew] = wholeParams.try_emplace({param, axis ? int(*axis) : -1});
  if (isNew) {
    const std::string &name = program.signature.params[param].name;
    if (axis) {
      const ParamRange &range = program.signature.paramRanges.at({*axis, param});
      known->second =
          integer(name, constant(-range.least), add(extent(*axis), -range.most), WholeParam{param});
    } else {
      known->second = integer(name, nullptr, nullptr, WholeParam{param});
      kernel.integers.back().isWide = true;
    }
  }
  return coordinate(CoordinateKind::Argument, known->second);
}

Index KernelBuilder::stepNumber(const Index &offset) {
  if (!step) {
    step = integer("step", nullptr, nullptr, StepNumber{});
    kernel.integers.back().isWide = true;
  }
  return add(coordinate(CoordinateKind::Argument, *step), offset);
}

Value KernelBuilder::overTime(unsigned array, const Index &offset) {
  const auto [known, isNew] = arraysOverTime.try_emplace(array);
  if (isNew)
    known->second = bind(bufferOf(program.signature, array), Access::Read);
  return load(known->second, {stepNumber(offset)});
}

PointBox KernelBuilder::boxOf(const Area &area) {
  return stencilc::boxOf(area, kernel.rank(), program.signature.paramRanges,
                         [&](unsigned axis, unsigned param) { return wholeParam(param, axis); });
}

unsigned KernelBuilder::local(llvm::StringRef name) {
  kernel.locals.push_back(names.fresh(name));
  return kernel.locals.size() - 1;
}

unsigned KernelBuilder::shared(llvm::StringMap<std::string> &known, llvm::StringRef name) {
  std::string &own = known[name];
  if (own.empty())
    own = names.fresh(name);
  kernel.locals.push_back(own);
  return kernel.locals.size() - 1;
}

unsigned KernelBuilder::localOfBody(llvm::StringRef name) { return shared(ofBodies, name); }

unsigned KernelBuilder::localOfLoop(llvm::StringRef name) { return shared(ofLoops, name); }

unsigned KernelBuilder::reg(llvm::StringRef name, ScalarType type) {
  kernel.registers.push_back({names.fresh(name), type});
  return kernel.registers.size() - 1;
}

unsigned KernelBuilder::patch(llvm::StringRef name, ScalarType type, std::vector<int> shape) {
  kernel.patches.push_back({names.fresh(name), type, std::move(shape)});
  return kernel.patches.size() - 1;
}

unsigned KernelBuilder::tile(llvm::StringRef name, ScalarType type, std::vector<int> shape) {
  kernel.tiles.push_back({names.fresh(name), type, std::move(shape)});
  return kernel.tiles.size() - 1;
}

unsigned KernelBuilder::group(llvm::StringRef name, unsigned firstWarp, unsigned warps) {
  kernel.groups.push_back({name.str(), firstWarp, warps});
  return kernel.groups.size() - 1;
}

Value KernelBuilder::let(Body &body, llvm::StringRef name, Value value) {
  ScalarType type = value->type;
  unsigned number = reg(name, type);
  body.push_back({Let{number, std::move(value)}});
  return makeValue(type, RegisterValue{number});
}

Index KernelBuilder::letIndex(Body &body, llvm::StringRef name, Index value) {
  unsigned number = local(name);
  body.push_back({LetIndex{number, std::move(value)}});
  return coordinate(CoordinateKind::Local, number);
}

Index KernelBuilder::letIndexOnce(Body &body, llvm::StringRef name, Index value) {
  for (const Statement &statement : body)
    if (const auto *known = std::get_if<LetIndex>(&statement.node);
        known && equal(known->value, value))
      return coordinate(CoordinateKind::Local, known->local);
  return letIndex(body, name, std::move(value));
}

unsigned KernelBuilder::letPointer(Body &body, llvm::StringRef name, std::vector<Index> point,
                                   bool isCarried, Layout layout) {
  kernel.pointers.push_back(names.fresh(name));
  const unsigned number = kernel.pointers.size() - 1;
  body.push_back({LetPointer{number, std::move(point), isCarried, layout}});
  return number;
}

Value KernelBuilder::uniform(unsigned number) {
  auto found = llvm::find(kernel.uniforms, number);
  unsigned argument = found - kernel.uniforms.begin();
  if (found == kernel.uniforms.end())
    kernel.uniforms.push_back(number);
  return makeValue(program.uniforms[number].type, UniformValue{argument});
}

Value KernelBuilder::load(unsigned array, Point point) {
  return makeValue(kernel.arrays[array].type, LoadGlobal{array, std::move(point)});
}

void KernelBuilder::store(Body &body, unsigned array, Point point, Value value) {
  body.push_back({StoreGlobal{array, std::move(point), std::move(value)}});
}

void KernelBuilder::unroll(Body &body, llvm::StringRef name, int begin, int end,
                           llvm::function_ref<void(Body &, const Index &)> append) {
  if (begin >= end)
    return;
  if (end - begin == 1)
    return append(body, constant(begin));
  const unsigned number = localOfLoop(name);
  For loop{LoopKind::Unroll, number, constant(begin), constant(end), 1, {}};
  append(loop.body, coordinate(CoordinateKind::Local, number));
  if (!loop.body.empty())
    body.push_back({std::move(loop)});
}

unsigned KernelBuilder::queue(llvm::StringRef name, ScalarType type,
                              std::vector<std::string> slots) {
  for (std::string &slot : slots)
    slot = names.fresh(slot);
  kernel.queues.push_back({name.str(), type, std::move(slots)});
  return kernel.queues.size() - 1;
}

Point KernelBuilder::threads(Body &body, std::array<int, 3> block, llvm::ArrayRef<Index> atLeast,
                             int chunk, llvm::StringRef prefix, std::array<int, 2> pointsEach) {
  unsigned rank = kernel.rank();
  Point point(rank);
  std::vector<Index> firsts;
  kernel.block = block;
  // Integer arguments follow the order of the axes, as the extents do.
  for (unsigned axis = 0; axis < rank; ++axis)
    firsts.push_back(
        coordinate(CoordinateKind::Argument,
                   integer("first_" + kernel.axes[axis], atLeast[axis], nullptr, FirstOf{axis})));
  for (unsigned dimension = 0; dimension < rank; ++dimension) {
    unsigned axis = rank - 1 - dimension;
    const std::string &name = kernel.axes[axis];
    const Index &first = firsts[axis];
    Index blockNumber = coordinate(CoordinateKind::Block, dimension);
    const int points = dimension < pointsEach.size() ? pointsEach[dimension] : 1;
    const bool marches = axis == 0 && chunk > 1;
    if (!marches && block[dimension] == 1 && points == 1) { // nothing to name
      point[axis] = letIndex(body, name, add(first, blockNumber));
      continue;
    }
    kernel.sides[dimension] = kernel.constants.size();
    if (marches) {
      assert(block[dimension] == 1 && "one thread marches through a chunk");
      kernel.constants.push_back({"kChunk" + capitalised(name), chunk,
                                  fmt::format("{} along {} that a thread marches through",
                                              rank == 2 ? "rows" : "planes", name)});
      point[axis] = letIndex(body, name + "_begin", add(first, scale(blockNumber, chunk)));
      continue;
    }
    kernel.constants.push_back(
        {prefix.str() + capitalised(name), block[dimension],
         points == 1 ? fmt::format("threads along {}, one point each", name)
                     : fmt::format("threads along {}, {} points each", name, points)});
    Index number = scale(blockNumber, block[dimension]);
    if (block[dimension] > 1)
      number = points == 1 ? number : add(number, coordinate(CoordinateKind::Thread, dimension));
    Index value = add(first, scale(number, points));
    if (block[dimension] > 1 && points == 1)
      value = add(value, coordinate(CoordinateKind::Thread, dimension));
    point[axis] = letIndex(body, name, value);
  }
  return point;
}

Index KernelBuilder::chunk() const {
  const std::optional<unsigned> side = kernel.sides[kernel.rank() - 1];
  return side ? namedConstant(kernel.constants[*side].value, *side) : constant(1);
}

Body stencilc::parallelLoop(unsigned rank, unsigned axis, unsigned local, Index begin, Index end,
                            Body body) {
  LoopKind kind = axis + 1 < rank ? LoopKind::Parallel
                  : rank == 1     ? LoopKind::ParallelVector
                                  : LoopKind::Vector;
  Body result;
  result.push_back({For{kind, local, std::move(begin), std::move(end), 1, std::move(body)}});
  return result;
}

If &stencilc::branchOn(Body &body, const Box &box) {
  const auto isSame = [&](const If &branch) {
    return llvm::equal(branch.box, box, [](const Range &one, const Range &other) {
      const auto same = [](const Index &left, const Index &right) {
        return left && right ? equal(left, right) : !left && !right;
      };
      return same(one.index, other.index) && same(one.lower, other.lower) &&
             same(one.upper, other.upper);
    });
  };
  If *last = body.empty() ? nullptr : std::get_if<If>(&body.back().node);
  if (!last || !isSame(*last))
    body.push_back({If{box, {}, {}}});
  return std::get<If>(body.back().node);
}

Kernel KernelBuilder::finish(Body body) {
  dropUnusedIndices(body);
  kernel.body = std::move(body);
  return std::move(kernel);
}
