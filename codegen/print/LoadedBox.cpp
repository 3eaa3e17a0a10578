#include "codegen/print/LoadedBox.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencilc;

/// Boxes of fewer stand as they are.
static constexpr size_t kLeastOfBox = 8;

static bool isAround(const PointRead &first, const PointRead &read) {
  return read.isSlot == first.isSlot && read.isShared == first.isShared &&
         read.source == first.source && read.place == first.place;
}

bool LoadedBox::isBehind(const LoadedBox &other) const {
  const auto isSame = [](const Edge &a, const Edge &b) {
    return a.axis == b.axis && a.length == b.length;
  };
  const PointRead &own = reads.front(), &others = other.reads.front();
  return first == other.first + other.count && own.isSlot == others.isSlot &&
         own.isShared == others.isShared && own.source == others.source &&
         std::equal(edges.begin(), edges.end(), other.edges.begin(), other.edges.end(), isSame);
}

static std::optional<PointRead> readOf(const Kernel &kernel, const NamedIndices &named,
                                       const Statement &statement) {
  const auto *let = std::get_if<Let>(&statement.node);
  const auto *slot = std::get_if<AssignSlot>(&statement.node);
  if (!let && !slot)
    return std::nullopt;
  const AskedLoad asked = askedLoad(let ? let->value : slot->value);
  const Value &value = asked.load;
  PointRead read{.isSlot = slot != nullptr,
                 .target = let ? let->reg : slot->queue,
                 .slot = slot ? slot->slot : 0,
                 .type = value->type};
  if (const auto *load = std::get_if<LoadGlobal>(&value->node)) {
    const ArrayArgument &array = kernel.arrays[load->array];
    if (!hasStrides(array.layout) || array.axes.size() != kernel.rank())
      return std::nullopt;
    read.source = load->array;
    read.index = load->index;
  } else if (const auto *load = std::get_if<LoadShared>(&value->node)) {
    read.isShared = true;
    read.source = load->tile;
    read.index = load->index;
  } else {
    return std::nullopt;
  }
  std::vector<Index> straight;
  for (const Index &index : read.index) {
    const BentIndex &own = read.straight.emplace_back(straightened(index, named));
    read.offset.push_back(appendKey(read.place.emplace_back(), own.straight));
    straight.push_back(own.straight);
  }
  const std::optional<AskedEnds> ends = endsOf(asked, straight);
  if (!ends)
    return std::nullopt;
  read.ends = *ends;
  return read;
}

/// True if `count` reads from number `turn` * `count` on are the first ones, so far along the axis.
static bool areFurther(llvm::ArrayRef<PointRead> reads, size_t count, unsigned turn,
                       unsigned axis) {
  if ((turn + 1) * count > reads.size())
    return false;
  for (size_t read = 0; read < count; ++read) {
    llvm::SmallVector<int64_t, 3> offset = reads[read].offset;
    offset[axis] += turn;
    if (reads[turn * count + read].offset != offset)
      return false;
  }
  return true;
}

/// Finds what bends the indices of the box and stands beyond others, if that is one rule along each
/// edge, and the same along other axes.
static bool findEnds(LoadedBox &piece) {
  const PointRead &first = piece.reads.front();
  for (unsigned axis = 0; axis < first.index.size(); ++axis) {
    const auto edge =
        llvm::find_if(piece.edges, [&](const Edge &each) { return each.axis == axis; });
    std::vector<BentIndex> along;
    for (const auto &[number, read] : llvm::enumerate(piece.reads)) {
      const unsigned place = edge == piece.edges.end() ? 0 : edge->along(number);
      if (place == along.size())
        along.push_back(read.straight[axis]);
      const PointRead &same =
          piece.reads[edge == piece.edges.end() ? 0 : size_t(place) * edge->stride];
      if (!equal(read.index[axis], same.index[axis]) || !sameEnds(read.ends, same.ends, axis) ||
          !joinEnds(piece.ends, read.ends, axis))
        return false;
    }
    if (edge == piece.edges.end())
      continue;
    std::optional<Bend> bend = commonBend(along);
    if (!bend)
      return false;
    edge->bend = std::move(*bend);
  }
  return haveOneNumber(piece.ends);
}

std::optional<LoadedBox> stencilc::loadedBoxAt(const Kernel &kernel, const NamedIndices &named,
                                               llvm::ArrayRef<Statement> statements) {
  LoadedBox piece{&statements.front()};
  std::vector<size_t> ends; // of each read, behind it
  for (const auto &[number, statement] : llvm::enumerate(statements)) {
    if (number > 0 && std::holds_alternative<LetIndex>(statement.node))
      continue;
    std::optional<PointRead> read = readOf(kernel, named, statement);
    if (!read || (!piece.reads.empty() && !isAround(piece.reads.front(), *read)))
      break;
    piece.reads.push_back(std::move(*read));
    ends.push_back(number + 1);
  }
  if (piece.reads.size() < kLeastOfBox || piece.reads.front().index.size() > kMaxRank)
    return std::nullopt;
  size_t count = 1;
  const auto lengthen = [&](unsigned axis) {
    unsigned length = 1;
    while (areFurther(piece.reads, count, length, axis))
      ++length;
    if (length == 1 || llvm::any_of(piece.edges, [&](auto &edge) { return edge.axis == axis; }))
      return false;
    piece.edges.push_back({axis, length, count});
    count *= length;
    return true;
  };
  while (llvm::any_of(llvm::seq<unsigned>(0, piece.reads.front().index.size()), lengthen))
    ;
  piece.reads.erase(piece.reads.begin() + count, piece.reads.end());
  piece.count = ends[count - 1];
  return count < kLeastOfBox || !findEnds(piece) ? std::nullopt : std::optional(std::move(piece));
}

bool LoadedBox::asks() const {
  return llvm::any_of(ends, [](const auto &sides) { return sides[Low] || sides[High]; });
}

std::vector<Edge> LoadedBox::across() const {
  std::vector<Edge> result;
  for (const auto &[number, edge] : llvm::enumerate(edges))
    if (number != slotEdge)
      result.push_back(edge);
  llvm::sort(result, [](const Edge &a, const Edge &b) { return a.axis < b.axis; });
  return result;
}
