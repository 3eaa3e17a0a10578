#include "ir/run/WarpExecutor.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

WarpExecutor::WarpExecutor(BlockState &block, unsigned number)
    : block(&block), kernel(&block.kernel), warp(number),
      all(Lanes::first(kernel->threads() - number * kLanesPerWarp)), locals(kernel->locals.size()),
      loopEnds(kernel->locals.size()), registers(kernel->registers.size()), copies(kLanesPerWarp) {
  for (unsigned lane = 0; lane < kLanesPerWarp; ++lane) {
    const auto [x, y, z] = kernel->block;
    const int thread = warp * kLanesPerWarp + lane;
    place[0][lane] = thread % x;
    place[1][lane] = thread / x % y;
    place[2][lane] = thread / (x * y);
  }
  for (const Queue &queue : kernel->queues)
    queues.emplace_back(queue.length());
  for (const Patch &patch : kernel->patches) {
    size_t elements = 1;
    for (int size : patch.shape)
      elements *= size;
    patches.emplace_back(elements);
  }
}

void WarpExecutor::start() {
  auto forget = [](std::vector<Row> &rows) {
    for (Row &row : rows)
      row.defined = {};
  };
  forget(registers);
  llvm::for_each(queues, forget);
  llvm::for_each(patches, forget);
  for (Copies &ofLane : copies)
    ofLane = {};
  ended = {};
  waitsAt.reset();
  awaits = nullptr;
  frames.clear();
  enter(kernel->body, all);
}

void WarpExecutor::enter(const Body &body, Lanes lanes, const For *loop) {
  if (!lanes.empty())
    frames.push_back({&body, lanes, loop});
}

void WarpExecutor::run() {
  while (!frames.empty() && !waitsAt && !awaits && block->fault.empty()) {
    Frame &frame = frames.back();
    frame.lanes = frame.lanes - ended;
    if (frame.lanes.empty()) {
      frames.pop_back();
    } else if (frame.next < frame.body->size()) {
      const Statement &statement = (*frame.body)[frame.next++];
      const Lanes lanes = frame.lanes;
      std::visit([&](const auto &node) { execute(node, lanes); }, statement.node);
    } else if (!frame.loop || !startTurn(frame)) {
      frames.pop_back();
    }
  }
}

// ---- indices ----------------------------------------------------------------------------------

int64_t WarpExecutor::valueOf(const Coordinate &coordinate, unsigned lane) const {
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    return block->number[coordinate.number];
  case CoordinateKind::Thread:
    return place[coordinate.number][lane];
  case CoordinateKind::Warp:
    return warp;
  case CoordinateKind::Lane:
    return lane;
  case CoordinateKind::Extent:
    return block->arguments.extents[coordinate.number];
  case CoordinateKind::WholeParam:
    llvm_unreachable("kernels take params as integer arguments");
  case CoordinateKind::Argument:
    return block->arguments.integers[coordinate.number];
  case CoordinateKind::Local:
    return locals[coordinate.number][lane];
  }
  llvm_unreachable("every kind of coordinate has a value");
}

int64_t WarpExecutor::at(const Index &index, unsigned lane) const {
  return stencilc::evaluate(
      index, [&](const Coordinate &coordinate) { return valueOf(coordinate, lane); });
}

void WarpExecutor::evaluate(const Index &index, Lanes lanes, Integers &out) const {
  const auto set = [&](const auto &value) {
    lanes.forEach([&](unsigned lane) { out[lane] = value(lane); });
  };
  const auto change = [&](const Index &operand, const auto &value) {
    evaluate(operand, lanes, out);
    set([&](unsigned lane) { return value(out[lane]); });
  };
  const auto combine = [&](const auto &node, const auto &value) {
    Integers right;
    evaluate(node.left, lanes, out);
    evaluate(node.right, lanes, right);
    set([&](unsigned lane) { return value(out[lane], right[lane]); });
  };
  std::visit(llvm::makeVisitor(
                 [&](const IndexConstant &node) { set([&](unsigned) { return node.value; }); },
                 [&](const Coordinate &node) {
                   if (node.kind == CoordinateKind::Local)
                     return set([&](unsigned lane) { return locals[node.number][lane]; });
                   if (node.kind == CoordinateKind::Thread)
                     return set([&](unsigned lane) { return place[node.number][lane]; });
                   if (node.kind == CoordinateKind::Lane)
                     return set([](unsigned lane) { return lane; });
                   set([value = valueOf(node, 0)](unsigned) { return value; });
                 },
                 [&](const IndexSum &node) {
                   if (const auto *more = std::get_if<IndexConstant>(&node.right->node))
                     change(node.left, [&](int64_t value) { return value + more->value; });
                   else
                     combine(node, std::plus<int64_t>());
                 },
                 [&](const IndexScale &node) {
                   change(node.index, [&](int64_t value) { return value * node.factor; });
                 },
                 [&](const IndexQuotient &node) {
                   change(node.index,
                          [&](int64_t value) { return euclideanQuotient(value, node.divisor); });
                 },
                 [&](const IndexRemainder &node) {
                   change(node.index,
                          [&](int64_t value) { return euclideanRemainder(value, node.divisor); });
                 },
                 [&](const IndexMin &node) {
                   combine(node, [](int64_t left, int64_t right) { return std::min(left, right); });
                 },
                 [&](const IndexMax &node) {
                   combine(node, [](int64_t left, int64_t right) { return std::max(left, right); });
                 },
                 [&](const IndexMap &node) {
                   const int64_t extent = block->arguments.extents[node.axis];
                   change(node.index,
                          [&](int64_t value) { return mapped(node.boundary, value, extent); });
                 }),
             index->node);
}

WarpExecutor::Positions WarpExecutor::positionsOf(llvm::ArrayRef<Index> indices,
                                                  Lanes lanes) const {
  Positions positions;
  positions.resize_for_overwrite(indices.size());
  for (auto [index, position] : llvm::zip_equal(indices, positions))
    evaluate(index, lanes, position);
  return positions;
}

Lanes WarpExecutor::inside(const Box &box, Lanes lanes) const {
  Integers index, bound;
  for (const Range &range : box) {
    evaluate(range.index, lanes, index);
    if (range.lower) {
      evaluate(range.lower, lanes, bound);
      lanes = lanes.where([&](unsigned lane) { return bound[lane] <= index[lane]; });
    }
    if (range.upper) {
      evaluate(range.upper, lanes, bound);
      lanes = lanes.where([&](unsigned lane) { return index[lane] < bound[lane]; });
    }
  }
  return lanes;
}

// ---- control ----------------------------------------------------------------------------------

void WarpExecutor::execute(const Barrier &node, Lanes lanes) {
  // A group is counted in whole warps.
  const unsigned expected = node.group ? kLanesPerWarp : all.count();
  if (lanes.count() == expected)
    waitsAt = node.group ? *node.group + 1 : 0;
  else
    block->report("{} of {} threads of warp {} reach a barrier", lanes.count(), expected, warp);
}

void WarpExecutor::execute(const If &node, Lanes lanes) {
  const Lanes then = inside(node.box, lanes);
  enter(node.otherwise, lanes - then);
  enter(node.then, then);
}

void WarpExecutor::execute(const ReturnUnless &node, Lanes lanes) {
  ended = ended | (lanes - inside(node.box, lanes));
}

void WarpExecutor::execute(const For &node, Lanes lanes) {
  Integers &begin = locals[node.local], &end = loopEnds[node.local];
  Integers first;
  evaluate(node.begin, lanes, first);
  evaluate(node.end, lanes, end);
  lanes.forEach([&](unsigned lane) { begin[lane] = first[lane]; });
  enter(node.body, lanes.where([&](unsigned lane) { return begin[lane] < end[lane]; }), &node);
}

bool WarpExecutor::startTurn(Frame &frame) {
  const unsigned local = frame.loop->local;
  Lanes turning;
  for (unsigned lane : frame.lanes) {
    locals[local][lane] += frame.loop->step;
    if (locals[local][lane] < loopEnds[local][lane])
      turning.add(lane);
  }
  frame.lanes = turning;
  frame.next = 0;
  return !turning.empty();
}

void WarpExecutor::execute(const Roles &node, Lanes lanes) {
  for (const Role &role : node.roles)
    if (warp >= role.firstWarp && warp < role.firstWarp + role.warps)
      enter(role.body, lanes);
}

// ---- registers --------------------------------------------------------------------------------

void WarpExecutor::write(Row &row, const Value &value, Lanes lanes) {
  Scratch result(*this);
  evaluate(value, lanes, result);
  for (unsigned lane : lanes)
    row.values[lane] = result[lane];
  row.defined = row.defined | lanes;
}

void WarpExecutor::execute(const LetIndex &node, Lanes lanes) {
  Integers values;
  evaluate(node.value, lanes, values);
  lanes.forEach([&](unsigned lane) { locals[node.local][lane] = values[lane]; });
}

void WarpExecutor::execute(const Let &node, Lanes lanes) {
  write(registers[node.reg], node.value, lanes);
}

void WarpExecutor::execute(const LetMutable &node, Lanes lanes) {
  write(registers[node.reg], node.value, lanes);
}

void WarpExecutor::execute(const Assign &node, Lanes lanes) {
  write(registers[node.reg], node.value, lanes);
}

void WarpExecutor::execute(const AssignSlot &node, Lanes lanes) {
  write(queues[node.queue][node.slot], node.value, lanes);
}

void WarpExecutor::execute(const AssignElement &node, Lanes lanes) {
  if (Row *row = rowsOf(node.patch, node.at, lanes))
    write(*row, node.value, lanes);
}

void WarpExecutor::shift(std::vector<Row> &rows, size_t distance, Lanes lanes) {
  for (size_t row = 0; row + distance < rows.size(); ++row) {
    const Row &from = rows[row + distance];
    rows[row].defined = rows[row].defined - lanes;
    for (unsigned lane : lanes) {
      rows[row].values[lane] = from.values[lane];
      if (from.defined.contains(lane))
        rows[row].defined.add(lane);
    }
  }
}

void WarpExecutor::execute(const Rotate &node, Lanes lanes) { shift(queues[node.queue], 1, lanes); }

void WarpExecutor::execute(const ShiftPatch &node, Lanes lanes) {
  std::vector<Row> &rows = patches[node.patch];
  shift(rows, rows.size() / kernel->patches[node.patch].shape.front(), lanes);
}
