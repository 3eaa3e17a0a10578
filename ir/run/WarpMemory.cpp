// How the lanes of a warp access arrays, tiles and patches.
#include "ir/run/WarpExecutor.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

using namespace stencilc;

// ---- addresses --------------------------------------------------------------------------------

std::optional<size_t> WarpExecutor::elementOf(unsigned array, llvm::ArrayRef<Integers> at,
                                              unsigned lane, unsigned count) {
  const Grid &grid = *block->arguments.arrays[array];
  if (kernel->arrays[array].lengths.size() == 1) {
    const int64_t position = at.front()[lane];
    if (position >= 0 && position + count <= int64_t(grid.values.size()))
      return position;
    block->report("`{}` is accessed at {} of {}", kernel->arrays[array].name, position,
                  grid.values.size());
    return std::nullopt;
  }
  size_t element = 0;
  bool within = true;
  for (size_t axis = 0; axis < at.size(); ++axis) {
    const int64_t position = at[axis][lane] + grid.low[axis];
    const int64_t size = grid.low[axis] + grid.extents[axis] + grid.high[axis];
    const int64_t last = axis + 1 == at.size() ? position + count - 1 : position;
    within = within && position >= 0 && last < size;
    element = element * size + position;
  }
  if (within)
    return element;
  std::vector<int64_t> seen;
  for (const Integers &part : at)
    seen.push_back(part[lane]);
  block->report("`{}` is accessed at {}, outside its box", kernel->arrays[array].name, seen);
  return std::nullopt;
}

std::optional<size_t> WarpExecutor::elementOf(const SharedTile &tile, llvm::ArrayRef<Integers> at,
                                              unsigned lane, unsigned count) {
  size_t element = 0;
  for (auto [axis, size] : llvm::enumerate(tile.shape)) {
    const int64_t position = at[axis][lane];
    const int64_t last = axis + 1 == at.size() ? position + count - 1 : position;
    if (position < 0 || last >= size) {
      block->report("tile `{}` is accessed at {} of an axis of {}", tile.name, position, size);
      return std::nullopt;
    }
    element = element * size + position;
  }
  return element;
}

WarpExecutor::Row *WarpExecutor::rowsOf(unsigned patch, llvm::ArrayRef<Index> index, Lanes lanes,
                                        unsigned count) {
  const Patch &declared = kernel->patches[patch];
  const unsigned lane = *lanes.begin();
  size_t element = 0;
  for (auto [axis, size] : llvm::enumerate(declared.shape)) {
    const int64_t position = at(index[axis], lane);
    const int64_t last = axis + 1 == index.size() ? position + count - 1 : position;
    if (position < 0 || last >= size) {
      block->report("patch `{}` is accessed at {} of an axis of {}", declared.name, position, size);
      return nullptr;
    }
    element = element * size + position;
  }
  return &patches[patch][element];
}

// ---- elements ---------------------------------------------------------------------------------

void WarpExecutor::beginAccess() {
  if (block->observer)
    block->observer->beginAccess();
}

double WarpExecutor::loadGlobal(unsigned array, size_t element, unsigned lane) {
  if (block->observer)
    block->observer->loadGlobal(array, element, threadOf(lane));
  return block->arguments.arrays[array]->values[element];
}

void WarpExecutor::storeGlobal(unsigned array, size_t element, unsigned lane, double value) {
  block->arguments.arrays[array]->values[element] = value;
  if (block->observer)
    block->observer->storeGlobal(array, element, threadOf(lane));
}

double WarpExecutor::loadShared(unsigned tile, size_t element, unsigned lane) {
  const TileState &state = block->tiles[tile];
  if (state.contents[element] != TileState::Stored)
    block->report("element {} of tile `{}` is read before {}", element, kernel->tiles[tile].name,
                  state.contents[element] == TileState::Underway ? "its copy has arrived"
                                                                 : "it is stored");
  if (block->observer)
    block->observer->loadShared(tile, element, threadOf(lane));
  return state.values[element];
}

void WarpExecutor::storeShared(unsigned tile, size_t element, unsigned lane, double value) {
  TileState &state = block->tiles[tile];
  if (state.contents[element] == TileState::Underway)
    block->report("element {} of tile `{}` is stored while a copy to it is under way", element,
                  kernel->tiles[tile].name);
  state.values[element] = value;
  state.contents[element] = TileState::Stored;
  if (block->observer)
    block->observer->storeShared(tile, element, threadOf(lane));
}

// ---- accesses ---------------------------------------------------------------------------------

void WarpExecutor::load(const LoadGlobal &node, Lanes lanes, double *out) {
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(node.array, at, lane);
    if (!element)
      return;
    out[lane] = loadGlobal(node.array, *element, lane);
  }
}

void WarpExecutor::load(const LoadShared &node, Lanes lanes, double *out) {
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(kernel->tiles[node.tile], at, lane);
    if (!element)
      return;
    out[lane] = loadShared(node.tile, *element, lane);
  }
}

void WarpExecutor::execute(const StoreGlobal &node, Lanes lanes) {
  Scratch result(*this);
  evaluate(node.value, lanes, result);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(node.array, at, lane);
    if (!element)
      return;
    storeGlobal(node.array, *element, lane, result[lane]);
  }
}

void WarpExecutor::execute(const StoreShared &node, Lanes lanes) {
  Scratch result(*this);
  evaluate(node.value, lanes, result);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(kernel->tiles[node.tile], at, lane);
    if (!element)
      return;
    storeShared(node.tile, *element, lane, result[lane]);
  }
}

void WarpExecutor::execute(const LoadVector &node, Lanes lanes) {
  const unsigned count = node.row.lanes;
  Row *rows = rowsOf(node.row.patch, node.row.at, lanes, count);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(node.array, at, lane, count);
    if (!element || !rows)
      return;
    for (unsigned part = 0; part < count; ++part) {
      rows[part].values[lane] = loadGlobal(node.array, *element + part, lane);
      rows[part].defined.add(lane);
    }
  }
}

void WarpExecutor::execute(const LoadSharedVector &node, Lanes lanes) {
  const unsigned count = node.row.lanes;
  Row *rows = rowsOf(node.row.patch, node.row.at, lanes, count);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(kernel->tiles[node.tile], at, lane, count);
    if (!element || !rows)
      return;
    for (unsigned part = 0; part < count; ++part) {
      rows[part].values[lane] = loadShared(node.tile, *element + part, lane);
      rows[part].defined.add(lane);
    }
  }
}

void WarpExecutor::execute(const StoreVector &node, Lanes lanes) {
  const unsigned count = node.row.lanes;
  const Row *rows = readableRows(node.row, lanes);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(node.array, at, lane, count);
    if (!element || !rows)
      return;
    for (unsigned part = 0; part < count; ++part)
      storeGlobal(node.array, *element + part, lane, rows[part].values[lane]);
  }
}

void WarpExecutor::execute(const StoreSharedVector &node, Lanes lanes) {
  const unsigned count = node.row.lanes;
  const Row *rows = readableRows(node.row, lanes);
  beginAccess();
  const Positions at = positionsOf(node.index, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> element = elementOf(kernel->tiles[node.tile], at, lane, count);
    if (!element || !rows)
      return;
    for (unsigned part = 0; part < count; ++part)
      storeShared(node.tile, *element + part, lane, rows[part].values[lane]);
  }
}

const WarpExecutor::Row *WarpExecutor::readableRows(const PatchRow &row, Lanes lanes) {
  const Row *rows = rowsOf(row.patch, row.at, lanes, row.lanes);
  for (unsigned part = 0; rows && part < row.lanes; ++part)
    if (!(lanes - rows[part].defined).empty())
      block->report("`{}` is read before it has a value", kernel->patches[row.patch].name);
  return rows;
}

// ---- messages ---------------------------------------------------------------------------------

void WarpExecutor::execute(const SendVector &node, Lanes lanes) {
  const int64_t number = at(node.message, *lanes.begin());
  if (!block->partner || number != block->awaited)
    return block->report("message {} is sent before {} is awaited", number, block->awaited);
  Message &message = block->partner->messages[number];
  const SharedTile &tile = kernel->tiles[node.tile];
  const size_t before = message.elements.size();
  beginAccess();
  const Positions fromAt = positionsOf(node.from, lanes), toAt = positionsOf(node.to, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> from = elementOf(tile, fromAt, lane, node.lanes);
    const std::optional<size_t> to = elementOf(tile, toAt, lane, node.lanes);
    if (!from || !to)
      return;
    for (unsigned part = 0; part < node.lanes; ++part)
      message.elements.push_back(
          {node.tile, *to + part, loadShared(node.tile, *from + part, lane)});
  }
  message.bytes += (message.elements.size() - before) * sizeInBytes(tile.type);
  beginAccess();
  for (unsigned lane : lanes)
    for (unsigned part = 0; part < node.lanes && block->observer; ++part)
      block->observer->storeShared(node.tile, *elementOf(tile, toAt, lane, node.lanes) + part,
                                   threadOf(lane));
}

void WarpExecutor::execute(const AwaitMessage &node, Lanes lanes) {
  const int64_t number = at(node.message, *lanes.begin());
  if (number != block->awaited)
    block->report("message {} is awaited, where {} comes next", number, block->awaited);
  else if (lanes.count() != all.count())
    block->report("{} of {} threads of warp {} await a message", lanes.count(), all.count(), warp);
  awaits = &node;
}

bool WarpExecutor::takeMessage() {
  const auto come = block->messages.find(block->awaited);
  if (come == block->messages.end() || come->second.bytes < awaits->bytes)
    return false;
  if (come->second.bytes > awaits->bytes)
    block->report("{} bytes of a message have come, and {} are awaited", come->second.bytes,
                  awaits->bytes);
  for (const Message::Element &sent : come->second.elements) {
    TileState &tile = block->tiles[sent.tile];
    tile.values[sent.element] = sent.value;
    tile.contents[sent.element] = TileState::Stored;
  }
  block->messages.erase(come);
  ++block->awaited;
  awaits = nullptr;
  if (block->observer)
    block->observer->barrier(block->firstThread / kLanesPerWarp + warp, 1);
  return true;
}

// ---- asynchronous copies ----------------------------------------------------------------------

void WarpExecutor::execute(const CopyAsync &node, Lanes lanes) {
  TileState &tile = block->tiles[node.tile];
  beginAccess();
  const Positions fromAt = positionsOf(node.from, lanes), toAt = positionsOf(node.to, lanes);
  for (unsigned lane : lanes) {
    const std::optional<size_t> from = elementOf(node.array, fromAt, lane, node.lanes);
    const std::optional<size_t> to = elementOf(kernel->tiles[node.tile], toAt, lane, node.lanes);
    if (!from || !to)
      return;
    for (unsigned part = 0; part < node.lanes; ++part) {
      const size_t element = *to + part;
      if (tile.contents[element] == TileState::Underway)
        block->report("element {} of tile `{}` is copied to while a copy to it is under way",
                      element, kernel->tiles[node.tile].name);
      tile.contents[element] = TileState::Underway;
      copies[lane].open.push_back({node.tile, element, loadGlobal(node.array, *from + part, lane)});
      if (block->observer)
        block->observer->startCopy(node.tile, element, threadOf(lane));
    }
  }
}

void WarpExecutor::execute(const CommitCopies &, Lanes lanes) {
  for (unsigned lane : lanes)
    copies[lane].batches.push_back(std::exchange(copies[lane].open, {}));
}

void WarpExecutor::execute(const WaitCopies &node, Lanes lanes) {
  for (unsigned lane : lanes) {
    std::vector<std::vector<Copy>> &batches = copies[lane].batches;
    const size_t arriving = batches.size() - std::min<size_t>(batches.size(), node.pending);
    for (const std::vector<Copy> &batch : llvm::ArrayRef(batches).take_front(arriving))
      for (const Copy &copy : batch) {
        TileState &tile = block->tiles[copy.tile];
        tile.values[copy.element] = copy.value;
        tile.contents[copy.element] = TileState::Stored;
        if (block->observer)
          block->observer->endCopy(copy.tile, copy.element, threadOf(lane));
      }
    batches.erase(batches.begin(), batches.begin() + arriving);
  }
}
