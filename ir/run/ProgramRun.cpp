#include "ir/run/ProgramRun.h"

#include "ir/run/LaneValue.h"
#include "ir/run/Uniforms.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

ProgramRun::ProgramRun(const Program &program, State &state, const InterpretOptions &options,
                       AccessObserver *observer)
    : PlanRun(program), state(state), options(options), observer(observer),
      numbers{state.extents, state.params, state.step} {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    layouts.push_back(layoutOf(number));
    memories.push_back(takeGrid(buffer));
  }
  uniforms = evaluateUniforms(program, state.params);
}

// ---- memory -----------------------------------------------------------------------------------

/// Where the state keeps the array's level; null where nothing is kept.
static Grid *keptIn(State &state, const CallerMemory &owner) {
  switch (owner.level) {
  case TimeLevel::Current:
    return &state.current[owner.array];
  case TimeLevel::Previous:
    return &state.previous[owner.array];
  case TimeLevel::Next:
    return nullptr;
  }
  llvm_unreachable("every level is kept or not");
}

ArrayLayout ProgramRun::layoutOf(unsigned number) const {
  if (!options.layouts.empty())
    return options.layouts[number];
  const Buffer &buffer = program.buffers[number];
  ArrayLayout layout = denseLayout(buffer, state.extents);
  return std::visit(llvm::makeVisitor(
                        [&](const CallerMemory &) {
                          layout.origin = options.phase;
                          return layout;
                        },
                        [&](const CallerResult &) { return layout; },
                        [&](const WorkspaceMemory &) {
                          return workspaceLayout(program, buffer, state.extents, layout.stride);
                        }),
                    buffer.owner);
}

static Grid poisoned(const Buffer &buffer, llvm::ArrayRef<int64_t> extents, double poison) {
  std::vector<int64_t> own, low, high;
  for (const Index &length : buffer.lengths) {
    own.push_back(valueOf(length, {extents}));
    low.push_back(0);
    high.push_back(0);
  }
  for (unsigned axis : buffer.axes) {
    own.push_back(extents[axis]);
    low.push_back(buffer.ghost[axis][Low]);
    high.push_back(buffer.ghost[axis][High]);
  }
  return Grid(buffer.type, own, low, high, poison);
}

Grid ProgramRun::takeGrid(const Buffer &buffer) {
  return std::visit(
      llvm::makeVisitor(
          [&](const CallerMemory &owner) {
            Grid *kept = keptIn(state, owner);
            return kept ? std::move(*kept) : poisoned(buffer, state.extents, options.poison);
          },
          [&](const CallerResult &) { return poisoned(buffer, state.extents, options.poison); },
          [&](const WorkspaceMemory &) { return poisoned(buffer, state.extents, options.poison); }),
      buffer.owner);
}

void ProgramRun::giveBack() {
  state.results.resize(program.signature.results.size());
  for (auto [number, buffer] : llvm::enumerate(program.buffers))
    if (const auto *result = std::get_if<CallerResult>(&buffer.owner))
      state.results[result->result] = memories[memoryOf(number)].values.front();
    else if (const auto *owner = std::get_if<CallerMemory>(&buffer.owner))
      if (Grid *kept = keptIn(state, *owner))
        *kept = std::move(memories[memoryOf(number)]);
}

// ---- the plan ---------------------------------------------------------------------------------

llvm::Error ProgramRun::complaint() const {
  if (observer && !observer->fault.empty())
    return llvm::createStringError(observer->fault);
  return llvm::Error::success();
}

llvm::Error ProgramRun::beginPass(const Pass &pass) {
  if (observer)
    observer->beginPass(pass);
  return complaint();
}

llvm::Error ProgramRun::endPass(const Pass &pass) {
  numbers.step = state.step += pass.steps;
  if (observer)
    observer->endPass(pass);
  return complaint();
}

llvm::Error ProgramRun::endRun() {
  giveBack();
  return llvm::Error::success();
}

bool ProgramRun::isAligned(unsigned number, const Aligned &aligned) const {
  const Buffer &buffer = program.buffers[number];
  const ArrayLayout &layout = layouts[memoryOf(number)];
  const int64_t elements = aligned.bytes / sizeInBytes(buffer.type);
  bool holds = euclideanRemainder(layout.origin + aligned.at, elements) == 0;
  for (size_t position = 0; position + 1 < buffer.axes.size(); ++position)
    holds &= layout.stride[position] % elements == 0;
  return holds;
}

int64_t ProgramRun::pastLine(const Launch &launch, llvm::ArrayRef<int64_t> point) const {
  const unsigned argument = *launch.cover.alignTo;
  const ArrayArgument &array = program.kernels[launch.kernel].arrays[argument];
  std::vector<int64_t> own;
  for (unsigned axis : array.axes)
    own.push_back(point[axis]);
  return euclideanRemainder(layouts[memoryOf(launch.buffers[argument])].element(own),
                            elementsOfLine(array.type));
}

llvm::Error ProgramRun::perform(const Launch &launch) {
  if (observer)
    observer->beginLaunch(launch);
  const PlacedCover whole =
      placeCover(launch.cover, program.target, numbers,
                 [&](llvm::ArrayRef<int64_t> point) { return pastLine(launch, point); });
  for (const PlacedCover &slab :
       slabsOf(whole, launch.cover, program.signature.rank(), options.maxGridYZ))
    if (llvm::Error error = launchSlab(launch, slab))
      return error;
  return llvm::Error::success();
}

llvm::Error ProgramRun::launchSlab(const Launch &launch, const PlacedCover &slab) {
  const Kernel &kernel = program.kernels[launch.kernel];
  BlockExecutor::Arguments arguments;
  arguments.extents = state.extents;
  for (unsigned buffer : launch.buffers)
    arguments.arrays.push_back(&memories[memoryOf(buffer)]);
  for (unsigned uniform : kernel.uniforms)
    arguments.uniforms.push_back(toLane(program.uniforms[uniform].type, uniforms[uniform]));
  for (const IntegerBinding &binding : launch.integers)
    arguments.integers.push_back(integerOf(binding, program.buffers, slab, numbers));

  BlockExecutor executor(kernel, std::move(arguments), observer, options.order);
  const unsigned rank = program.signature.rank();
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (unsigned axis = 0; axis < rank; ++axis)
    blocks[dimensionOf(axis, rank)] = slab.blocks[axis];
  for (int64_t z = 0; z < blocks[2]; ++z)
    for (int64_t y = 0; y < blocks[1]; y += kernel.cluster)
      for (int64_t x = 0; x < blocks[0]; ++x)
        if (!executor.run({x, y, z}))
          return llvm::createStringError(executor.fault());
  return llvm::Error::success();
}
