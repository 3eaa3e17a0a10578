#include "codegen/variants/TileLayers.h"

#include "codegen/lower/MadeInParts.h"
#include "codegen/lower/TileCells.h"

#include "ir/walk/WalkRequest.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static TileStyle styleOf(const Schedule &schedule) {
  static constexpr std::pair<llvm::StringLiteral, TileStyle> styles[] = {
      {"rim", TileStyle::Rim},
      {"diagonal", TileStyle::Diagonal},
      {"halo-warps", TileStyle::HaloWarps},
      {"own-rows", TileStyle::OwnRows}};
  for (const auto &[flag, style] : styles)
    if (schedule.hasFlag(flag))
      return style;
  return TileStyle::Turns;
}

TileShape::TileShape(const Stencil &stencil, const Schedule &schedule)
    : rank(stencil.rank()), style(styleOf(schedule)), marches(schedule.chunk > 1),
      keepsColumns(marches && !schedule.hasFlag("reload")), isPadded(schedule.hasFlag(kPaddedFlag)),
      points({1, 1, 1}) {
  for (unsigned axis = marches ? 1 : 0; axis < rank; ++axis)
    points[axis] = schedule.block[dimensionOf(axis, rank)];
}

std::vector<int> TileLayer::sizes(const TileShape &shape, int slots) const {
  std::vector<int> sizes;
  if (slots > 1)
    sizes.push_back(slots);
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    if (shape.isTiled(axis))
      sizes.push_back(width(shape, axis));
  sizes.back() += padding;
  return sizes;
}

bool TileLayer::reachesBeyond(llvm::ArrayRef<std::optional<Side>> ends) const {
  return llvm::any_of(reads, [&](const Offset &offset) {
    return llvm::all_of(llvm::enumerate(ends), [&](const auto &end) {
      return !end.value() || distance(offset[end.index()], *end.value()) > 0;
    });
  });
}

Read Column::read(int plane) const {
  Read read = base;
  read.offset[0] = plane;
  return read;
}

bool TileLayers::mayBeHeld(const Stencil &stencil, const Read &read) const {
  if (stencil.arrays[read.array].axes.size() != shape.rank ||
      !TileCells::canHold(stencil, read.array) || isMadeInParts(stencil, read))
    return false;
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    if (read.offset[axis] != 0 && !shape.isTiled(axis) && !(axis == 0 && shape.keepsColumns))
      return false;
  return true;
}

/// True of reads at the point's own place in some plane.
bool TileLayers::isOwn(const Read &read) const {
  for (unsigned axis = shape.marches ? 1 : 0; axis < shape.rank; ++axis)
    if (read.offset[axis] != 0)
      return false;
  return true;
}

/// The layer of a read; a new one if it has none yet.
template <class Layer> static Layer &layerOf(std::vector<Layer> &layers, const Read &read) {
  for (Layer &layer : layers)
    if (layer.base.array == read.array && layer.base.level == read.level)
      return layer;
  Read base = read;
  base.offset = {};
  layers.push_back({});
  layers.back().base = base;
  layers.back().lowest = layers.back().highest = read.offset[0];
  return layers.back();
}

/// Of a block's warps, in which each thread reads its own cell.
static unsigned wavefronts(const TileLayer &layer, const TileShape &shape, int bytesOfElement) {
  const std::vector<int> sizes = layer.sizes(shape, 1);
  int threads = 1;
  for (int points : shape.points)
    threads *= points;
  const auto cellOf = [&](int thread) {
    int64_t cell = 0, apart = 1;
    const int *size = &sizes.back();
    for (unsigned axis = shape.rank; axis-- > 0;) {
      if (!shape.isTiled(axis))
        continue;
      cell += thread % shape.points[axis] * apart;
      thread /= shape.points[axis];
      apart *= *size--;
    }
    return cell;
  };
  unsigned wavefronts = 0;
  for (int first = 0; first < threads; first += kLanesPerWarp) {
    llvm::SmallVector<LaneRun, kLanesPerWarp> lanes;
    for (int thread = first; thread < std::min<int>(first + kLanesPerWarp, threads); ++thread)
      lanes.push_back({unsigned(thread - first), 1, cellOf(thread), 1});
    wavefronts += wavefrontsOf({0, false, 0, lanes}, bytesOfElement);
  }
  return wavefronts;
}

/// The fewest elements by which a row is to be longer so that the fewest wavefronts serve a read.
static int paddingOf(TileLayer layer, const TileShape &shape, int bytesOfElement) {
  int best = 0;
  unsigned fewest = UINT_MAX;
  for (int padding = 0; padding < int(kLineBytes) / bytesOfElement; ++padding) {
    layer.padding = padding;
    if (const unsigned these = wavefronts(layer, shape, bytesOfElement); these < fewest) {
      fewest = these;
      best = padding;
    }
  }
  return best;
}

TileLayers::TileLayers(const Stencil &stencil, llvm::ArrayRef<Read> reads, const TileShape &shape)
    : shape(shape) {
  for (const Read &read : reads) {
    if (!mayBeHeld(stencil, read))
      continue;
    const int plane = shape.marches ? read.offset[0] : 0;
    if (isOwn(read)) {
      Column &column = layerOf(columns, read);
      column.lowest = std::min(column.lowest, plane);
      column.highest = std::max(column.highest, plane);
      continue;
    }
    TileLayer &layer = layerOf(tiles, read);
    layer.reads.push_back(read.offset);
    if (layer.reads.size() == 1)
      layer.lowest = layer.highest = plane;
    layer.lowest = std::min(layer.lowest, plane);
    layer.highest = std::max(layer.highest, plane);
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      for (const Side side : {Low, High})
        if (shape.hasMargin(axis))
          layer.margin[axis][side] =
              std::max(layer.margin[axis][side], distance(read.offset[axis], side));
  }
  if (shape.isPadded)
    for (TileLayer &layer : tiles)
      layer.padding = paddingOf(layer, shape, sizeInBytes(stencil.arrays[layer.base.array].type));
  llvm::erase_if(columns, [&](const Column &column) {
    const bool isInTile = llvm::any_of(tiles, [&](const TileLayer &layer) {
      return layer.isOf(column.base) && layer.lowest <= column.lowest &&
             column.highest <= layer.highest;
    });
    return isInTile || column.lowest == column.highest || !shape.keepsColumns;
  });
}

const TileLayer *TileLayers::holding(const Read &read) const {
  const int plane = shape.marches ? read.offset[0] : 0;
  const auto found = llvm::find_if(tiles, [&](const TileLayer &layer) {
    return layer.isOf(read) && (llvm::is_contained(layer.reads, read.offset) ||
                                (isOwn(read) && layer.lowest <= plane && plane <= layer.highest &&
                                 (shape.marches || read.offset[0] == 0)));
  });
  return found == tiles.end() ? nullptr : &*found;
}

const Column *TileLayers::columnOf(const Read &read) const {
  const auto found = llvm::find_if(columns, [&](const Column &column) {
    return column.holds(read) && column.lowest <= read.offset[0] &&
           read.offset[0] <= column.highest;
  });
  return found == columns.end() ? nullptr : &*found;
}

PeeledPlanes TileLayers::peeledBy(const Schedule &schedule, const Stencil &stencil,
                                  const Area &area, llvm::ArrayRef<Read> reads) const {
  if (!schedule.hasFlag(kPeelFlag.name))
    return {};
  // A turn loads the newest plane of what is kept, and all else where it is read.
  std::vector<Read> inTurns;
  for (const Read &read : reads) {
    const Column *column = columnOf(read);
    const TileLayer *layer = column ? nullptr : holding(read);
    if (column || layer) {
      Read newest = read;
      newest.offset[0] = column ? column->highest : layer->highest;
      inTurns.push_back(newest);
    }
    // Where a tile has no rows around the block, threads at its rim read them from memory.
    if (!column && (!layer || shape.style == TileStyle::OwnRows))
      inTurns.push_back(read);
  }
  return peeledPlanes(stencil, area, inTurns);
}
