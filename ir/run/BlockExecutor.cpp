#include "ir/run/BlockExecutor.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace stencilc;

BlockExecutor::BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer)
    : kernel(kernel), arguments(std::move(arguments)), observer(observer) {
  size_t threads = kernel.threads();
  locals.assign(kernel.locals.size(), std::vector<int64_t>(threads));
  Cells row{std::vector<double>(threads), std::vector<char>(threads)};
  registers.assign(kernel.registers.size(), row);
  for (const Queue &queue : kernel.queues)
    queues.emplace_back(queue.length(), row);
  for (const SharedTile &tile : kernel.tiles) {
    size_t elements = 1;
    for (int size : tile.shape)
      elements *= size;
    tiles.push_back({std::vector<double>(elements), std::vector<char>(elements)});
  }
  ended.resize(threads);
}

bool BlockExecutor::run(std::array<int64_t, 3> number) {
  block = number;
  auto forget = [](Cells &row) { std::ranges::fill(row.defined, false); };
  llvm::for_each(registers, forget);
  for (std::vector<Cells> &queue : queues)
    llvm::for_each(queue, forget);
  llvm::for_each(tiles, forget);
  std::ranges::fill(ended, false);
  if (observer)
    observer->beginBlock();
  Threads active(ended.size());
  for (auto [number, thread] : llvm::enumerate(active))
    thread = number;
  run(kernel.body, active);
  if (fault.empty() && observer)
    fault = observer->fault;
  return fault.empty();
}

template <class... Parts>
void BlockExecutor::report(fmt::format_string<Parts...> seen, Parts &&...parts) {
  if (fault.empty())
    fault = kernel.name + ": " + fmt::format(seen, std::forward<Parts>(parts)...);
}

// ---- indices ----------------------------------------------------------------------------------

int64_t BlockExecutor::valueOf(const Coordinate &coordinate, unsigned thread) const {
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    return block[coordinate.number];
  case CoordinateKind::Thread: {
    auto [x, y, z] = kernel.block;
    unsigned position[] = {thread % x, thread / x % y, thread / (x * y)};
    return position[coordinate.number];
  }
  case CoordinateKind::Warp:
    return thread / 32;
  case CoordinateKind::Lane:
    return thread % 32;
  case CoordinateKind::Extent:
    return arguments.extents[coordinate.number];
  case CoordinateKind::Argument:
    return arguments.integers[coordinate.number];
  case CoordinateKind::Local:
    return locals[coordinate.number][thread];
  }
  llvm_unreachable("a coordinate is of one of seven kinds");
}

int64_t BlockExecutor::at(const Index &index, unsigned thread) const {
  return stencilc::evaluate(
      index, [&](const Coordinate &coordinate) { return valueOf(coordinate, thread); });
}

bool BlockExecutor::holds(const Box &box, unsigned thread) const {
  return llvm::all_of(box, [&](const Range &range) {
    int64_t index = at(range.index, thread);
    return (!range.lower || at(range.lower, thread) <= index) &&
           (!range.upper || index < at(range.upper, thread));
  });
}

BlockExecutor::Threads BlockExecutor::inside(const Box &box, const Threads &active) const {
  Threads result;
  llvm::copy_if(active, std::back_inserter(result),
                [&](unsigned thread) { return holds(box, thread); });
  return result;
}

static std::vector<unsigned> without(const std::vector<unsigned> &threads,
                                     const std::vector<unsigned> &taken) {
  std::vector<unsigned> rest;
  std::set_difference(threads.begin(), threads.end(), taken.begin(), taken.end(),
                      std::back_inserter(rest));
  return rest;
}

// ---- statements -------------------------------------------------------------------------------

void BlockExecutor::run(const Body &body, Threads &active) {
  for (const Statement &statement : body) {
    if (active.empty() || !fault.empty())
      return;
    std::visit([&](const auto &node) { execute(node, active); }, statement.node);
  }
}

void BlockExecutor::execute(const LetIndex &node, Threads &active) {
  for (unsigned thread : active)
    locals[node.local][thread] = at(node.value, thread);
}

void BlockExecutor::write(Cells &row, const Value &value, const Threads &active) {
  Scratch result(*this);
  evaluate(value, active, result);
  for (unsigned thread : active) {
    row.values[thread] = result[thread];
    row.defined[thread] = true;
  }
}

void BlockExecutor::execute(const Let &node, Threads &active) {
  write(registers[node.reg], node.value, active);
}

void BlockExecutor::execute(const LetMutable &node, Threads &active) {
  write(registers[node.reg], node.value, active);
}

void BlockExecutor::execute(const Assign &node, Threads &active) {
  write(registers[node.reg], node.value, active);
}

void BlockExecutor::execute(const AssignSlot &node, Threads &active) {
  write(queues[node.queue][node.slot], node.value, active);
}

void BlockExecutor::execute(const Rotate &node, Threads &active) {
  std::vector<Cells> &slots = queues[node.queue];
  for (size_t slot = 0; slot + 1 < slots.size(); ++slot)
    for (unsigned thread : active) {
      slots[slot].values[thread] = slots[slot + 1].values[thread];
      slots[slot].defined[thread] = slots[slot + 1].defined[thread];
    }
}

void BlockExecutor::execute(const StoreGlobal &node, Threads &active) {
  Scratch result(*this);
  evaluate(node.value, active, result);
  if (observer)
    observer->beginAccess();
  for (unsigned thread : active) {
    std::optional<size_t> element = elementOf(node.array, node.index, thread);
    if (!element)
      return;
    arguments.arrays[node.array]->values[*element] = result[thread];
    if (observer)
      observer->storeGlobal(node.array, *element, thread);
  }
}

void BlockExecutor::execute(const StoreShared &node, Threads &active) {
  Scratch result(*this);
  evaluate(node.value, active, result);
  Cells &tile = tiles[node.tile];
  for (unsigned thread : active) {
    std::optional<size_t> element = elementOf(kernel.tiles[node.tile], node.index, thread);
    if (!element)
      return;
    tile.values[*element] = result[thread];
    tile.defined[*element] = true;
    if (observer)
      observer->storeShared(node.tile, *element, thread);
  }
}

void BlockExecutor::execute(const Barrier &, Threads &active) {
  if (active.size() != ended.size())
    report("{} of {} threads reach a barrier", active.size(), ended.size());
  else if (observer)
    observer->barrier();
}

void BlockExecutor::dropEnded(Threads &active) const {
  llvm::erase_if(active, [&](unsigned thread) { return ended[thread]; });
}

void BlockExecutor::execute(const If &node, Threads &active) {
  Threads then = inside(node.box, active);
  Threads otherwise = without(active, then);
  run(node.then, then);
  run(node.otherwise, otherwise);
  dropEnded(active);
}

void BlockExecutor::execute(const ReturnUnless &node, Threads &active) {
  Threads staying = inside(node.box, active);
  for (unsigned thread : without(active, staying))
    ended[thread] = true;
  active = std::move(staying);
}

void BlockExecutor::execute(const For &node, Threads &active) {
  std::vector<int64_t> &counter = locals[node.local];
  std::vector<int64_t> end(ended.size());
  for (unsigned thread : active) {
    end[thread] = at(node.end, thread);
    counter[thread] = at(node.begin, thread);
  }
  Threads turning = active;
  auto stop = [&](unsigned thread) { return counter[thread] >= end[thread]; };
  for (llvm::erase_if(turning, stop); !turning.empty() && fault.empty();
       llvm::erase_if(turning, stop)) {
    run(node.body, turning);
    for (unsigned thread : turning)
      counter[thread] += node.step;
  }
  dropEnded(active);
}

// ---- values -----------------------------------------------------------------------------------

BlockExecutor::Scratch::Scratch(BlockExecutor &owner) : owner(owner) {
  if (owner.scratchUsed == owner.scratch.size())
    owner.scratch.push_back(std::make_unique<double[]>(owner.ended.size()));
  values = owner.scratch[owner.scratchUsed++].get();
}

void BlockExecutor::evaluate(const Value &value, const Threads &active, double *out) {
  auto spread = [&](double number) {
    for (unsigned thread : active)
      out[thread] = number;
  };
  std::visit(llvm::makeVisitor(
                 [&](const LiteralValue &node) { spread(node.value); },
                 [](const ParamLeaf &) { llvm_unreachable("params stand only in uniforms"); },
                 [&](const UniformValue &node) { spread(arguments.uniforms[node.argument]); },
                 [&](const RegisterValue &node) {
                   read(registers[node.reg], kernel.registers[node.reg].name, active, out);
                 },
                 [&](const QueueSlotValue &node) {
                   read(queues[node.queue][node.slot], kernel.queues[node.queue].name, active, out);
                 },
                 [&](const LoadGlobal &node) { load(node, active, out); },
                 [&](const LoadShared &node) { load(node, active, out); },
                 [&](const UnaryValue &node) {
                   evaluate(node.operand, active, out);
                   for (unsigned thread : active)
                     out[thread] = apply(value->type, node.op, out[thread]);
                 },
                 [&](const BinaryValue &node) {
                   Scratch right(*this);
                   evaluate(node.left, active, out);
                   evaluate(node.right, active, right);
                   for (unsigned thread : active)
                     out[thread] = apply(value->type, node.op, out[thread], right[thread]);
                 },
                 [&](const CompareValue &node) {
                   Scratch right(*this);
                   evaluate(node.left, active, out);
                   evaluate(node.right, active, right);
                   for (unsigned thread : active)
                     out[thread] = apply(node.op, out[thread], right[thread]);
                 },
                 [&](const SelectValue &node) {
                   Scratch then(*this), otherwise(*this);
                   evaluate(node.condition, active, out);
                   evaluate(node.then, active, then);
                   evaluate(node.otherwise, active, otherwise);
                   for (unsigned thread : active)
                     out[thread] = out[thread] != 0 ? then[thread] : otherwise[thread];
                 },
                 [&](const CallValue &node) {
                   Scratch second(*this);
                   evaluate(node.operands[0], active, out);
                   if (node.operands.size() > 1)
                     evaluate(node.operands[1], active, second);
                   for (unsigned thread : active) {
                     double operands[] = {out[thread], second[thread]};
                     out[thread] = apply(value->type, node.function,
                                         llvm::ArrayRef(operands, node.operands.size()));
                   }
                 },
                 [&](const CastValue &node) {
                   evaluate(node.operand, active, out);
                   for (unsigned thread : active)
                     out[thread] = roundTo(value->type, out[thread]);
                 },
                 [&](const GuardedValue &node) { choose(node, active, out); },
                 [](const PatchElement &) { llvm_unreachable("the verifier refuses it"); },
                 [](const ShuffleValue &) { llvm_unreachable("the verifier refuses it"); },
                 [](const IndexValue &) { llvm_unreachable("the verifier refuses it"); }),
             value->node);
}

void BlockExecutor::choose(const GuardedValue &node, const Threads &active, double *out) {
  Threads chosen = inside(node.box, active);
  Threads rest = without(active, chosen);
  if (!chosen.empty())
    evaluate(node.inside, chosen, out);
  if (!rest.empty())
    evaluate(node.outside, rest, out);
}

void BlockExecutor::read(const Cells &row, llvm::StringRef name, const Threads &active,
                         double *out) {
  for (unsigned thread : active) {
    if (!row.defined[thread])
      report("`{}` is read before it has a value", name.str());
    out[thread] = row.values[thread];
  }
}

void BlockExecutor::load(const LoadGlobal &node, const Threads &active, double *out) {
  if (observer)
    observer->beginAccess();
  for (unsigned thread : active) {
    std::optional<size_t> element = elementOf(node.array, node.index, thread);
    if (!element)
      return;
    if (observer)
      observer->loadGlobal(node.array, *element, thread);
    out[thread] = arguments.arrays[node.array]->values[*element];
  }
}

void BlockExecutor::load(const LoadShared &node, const Threads &active, double *out) {
  const Cells &tile = tiles[node.tile];
  for (unsigned thread : active) {
    std::optional<size_t> element = elementOf(kernel.tiles[node.tile], node.index, thread);
    if (!element)
      return;
    if (!tile.defined[*element])
      report("element {} of tile `{}` is read before it is stored", *element,
             kernel.tiles[node.tile].name);
    if (observer)
      observer->loadShared(node.tile, *element, thread);
    out[thread] = tile.values[*element];
  }
}

// ---- addresses --------------------------------------------------------------------------------

std::optional<size_t> BlockExecutor::elementOf(unsigned array, llvm::ArrayRef<Index> index,
                                               unsigned thread) {
  const Grid &grid = *arguments.arrays[array];
  size_t element = 0;
  bool within = true;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    int64_t position = at(index[axis], thread) + grid.low[axis];
    int64_t size = grid.low[axis] + grid.extents[axis] + grid.high[axis];
    within = within && position >= 0 && position < size;
    element = element * size + position;
  }
  if (within)
    return element;
  std::vector<int64_t> seen;
  for (const Index &part : index)
    seen.push_back(at(part, thread));
  report("`{}` is accessed at {}, outside its box", kernel.arrays[array].name, seen);
  return std::nullopt;
}

std::optional<size_t> BlockExecutor::elementOf(const SharedTile &tile, llvm::ArrayRef<Index> index,
                                               unsigned thread) {
  size_t element = 0;
  for (auto [size, part] : llvm::zip_equal(tile.shape, index)) {
    int64_t position = at(part, thread);
    if (position < 0 || position >= size) {
      report("tile `{}` is accessed at {} of an axis of {}", tile.name, position, size);
      return std::nullopt;
    }
    element = element * size + position;
  }
  return element;
}
