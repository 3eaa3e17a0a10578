#include "test/programs/PointKernel.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

PointKernel::PointKernel(const Program &program, llvm::StringRef name, const PointBox &box,
                         std::array<int, 3> block)
    : buffers(program.buffers), box(box), type(program.signature.arrays[0].type),
      builder(program, name.str(), program.target) {
  if (program.target == Target::Device)
    standInThreads(block);
  else
    for (const std::string &axis : program.signature.axes)
      point.push_back(coordinate(CoordinateKind::Local, builder.local(axis)));
}

void PointKernel::standInThreads(std::array<int, 3> block) {
  const unsigned rank = builder.kernel.rank();
  // Rows may start before the box, at a memory line.
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + rank);
  atLeast.back() = nullptr;
  point = builder.threads(body, block, atLeast);
  Box guard;
  for (unsigned axis = rank; axis-- > 0;)
    guard.push_back({point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{guard}});
}

unsigned PointKernel::argument(unsigned buffer, Access access) {
  const auto known = llvm::find(bound, buffer);
  if (known != bound.end())
    return known - bound.begin();
  bound.push_back(buffer);
  return builder.array(buffers[buffer], access);
}

Point PointKernel::at(std::array<int, kMaxRank> offset) const {
  Point moved = point;
  for (auto [index, distance] : llvm::zip_first(moved, offset))
    index = add(index, distance);
  return moved;
}

Value PointKernel::read(unsigned buffer, std::array<int, kMaxRank> offset) {
  return builder.load(argument(buffer, Access::Read), at(offset));
}

Value PointKernel::variable(Body &body, llvm::StringRef name, Value start) {
  const unsigned reg = builder.reg(name, start->type);
  const Value value = makeValue(start->type, RegisterValue{reg});
  body.push_back({LetMutable{reg, std::move(start)}});
  return value;
}

void PointKernel::assign(Body &body, const Value &variable, Value value) const {
  body.push_back({Assign{std::get<RegisterValue>(variable->node).reg, std::move(value)}});
}

Launch PointKernel::store(Program &program, unsigned buffer, Value value, llvm::StringRef comment) {
  builder.kernel.comment = {comment.str()};
  const bool isRead = llvm::is_contained(bound, buffer);
  const unsigned target = argument(buffer, Access::Write);
  if (isRead)
    builder.kernel.arrays[target].access = Access::ReadWrite;
  for (auto [layout, name] : {std::pair(Layout::Strided, "here"), std::pair(Layout::Rows, "row")})
    if (llvm::any_of(builder.kernel.arrays,
                     [&, layout = layout](const auto &array) { return array.layout == layout; }))
      builder.letPointer(body, name, point, /*isCarried=*/false, layout);
  llvm::move(values, std::back_inserter(body));
  builder.store(body, target, point, std::move(value));
  const unsigned rank = point.size();
  const bool isHost = program.target == Target::Host;
  for (unsigned axis = isHost ? rank : 0; axis-- > 0;)
    body = parallelLoop(rank, axis, axis, box.begin[axis], box.end[axis], std::move(body));

  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = "",
                .buffers = bound,
                .cover = {.begin = box.begin, .end = box.end},
                .integers = builder.bindings};
  if (!isHost)
    launch.cover.alignTo = target;
  for (unsigned axis = 0; axis < rank; ++axis)
    launch.cover.points[axis] = builder.kernel.block[dimensionOf(axis, rank)];
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}

Program stencilc::pointProgram(const Stencil &stencil, Target target) {
  Program program;
  program.target = target;
  program.signature = signatureOf(stencil);
  program.buffers = callerBuffers(program.signature);
  program.schedule.rank = target == Target::Device ? stencil.rank() : 0;
  for (auto [number, param] : llvm::enumerate(stencil.params))
    program.uniforms.push_back(
        {param.name, param.type, makeValue(param.type, ParamLeaf{unsigned(number)})});
  return program;
}

PointBox stencilc::madeOf(const Stencil &stencil, const Program &program, unsigned buffer) {
  for (const Owed &owed : owedBy(stencil, program.buffers))
    if (owed.buffer == buffer)
      return owed.boxes.front();
  llvm_unreachable("the stencil makes it");
}
