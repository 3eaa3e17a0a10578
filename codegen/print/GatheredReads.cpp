#include "codegen/print/GatheredReads.h"
#include "codegen/print/FileNames.h"

#include "ir/kernel/KernelBuilder.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <set>

using namespace stencilc;

/// So many neighbours of a kernel, and no more, are read by their names.
static constexpr size_t kMostNames = 48;
/// Boxes of fewer stand as they are.
static constexpr size_t kLeastOfBox = 8;

namespace {

/// What a statement loads, from memory or from a tile, into a register or the slot of a queue.
struct PointRead {
  bool isSlot = false, isShared = false;
  unsigned target = 0, slot = 0; ///< the register; the queue and its slot
  unsigned source = 0;           ///< the array; the tile
  ScalarType type = {};
  std::vector<Index> index = {};
  std::vector<IndexKey> place = {};          ///< without the constants of the indices
  llvm::SmallVector<int64_t, 3> offset = {}; ///< those constants
};

/// An axis along which a box has several points.
struct Edge {
  unsigned axis, length;
  size_t stride; ///< statements from one point to the next

  unsigned along(size_t read) const { return read / stride % length; }
};

/// Statements, one after the other, that load a box of points.
struct LoadedBox {
  const Statement *first;
  std::vector<PointRead> reads;
  std::vector<Edge> edges;               ///< innermost first
  std::optional<unsigned> slotEdge = {}; ///< along which the slots of queues lie
  unsigned patch = 0;
  std::optional<unsigned> layer = {}; ///< of a patch that several pieces fill

  bool isBehind(const LoadedBox &other) const;
};

/// By queue, its place beside the march that they make together.
using Columns = std::map<unsigned, std::vector<unsigned>>;

} // namespace

static bool isAround(const PointRead &first, const PointRead &read) {
  return read.isSlot == first.isSlot && read.isShared == first.isShared &&
         read.source == first.source && read.place == first.place;
}

/// True if this piece stands right behind the other one and fills as large a layer from the same
/// source.
bool LoadedBox::isBehind(const LoadedBox &other) const {
  const auto isSame = [](const Edge &a, const Edge &b) {
    return a.axis == b.axis && a.length == b.length;
  };
  const PointRead &own = reads.front(), &others = other.reads.front();
  return first == other.first + other.reads.size() && own.isSlot == others.isSlot &&
         own.isShared == others.isShared && own.source == others.source &&
         std::equal(edges.begin(), edges.end(), other.edges.begin(), other.edges.end(), isSame);
}

static std::optional<PointRead> readOf(const Kernel &kernel, const Statement &statement) {
  const auto *let = std::get_if<Let>(&statement.node);
  const auto *slot = std::get_if<AssignSlot>(&statement.node);
  if (!let && !slot)
    return std::nullopt;
  const Value &value = let ? let->value : slot->value;
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
  for (const Index &index : read.index)
    read.offset.push_back(appendKey(read.place.emplace_back(), index));
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

/// The largest box that begins here.
static std::optional<LoadedBox> pieceAt(const Kernel &kernel,
                                        llvm::ArrayRef<Statement> statements) {
  LoadedBox piece{&statements.front(), {}, {}};
  for (const Statement &statement : statements) {
    std::optional<PointRead> read = readOf(kernel, statement);
    if (!read || (!piece.reads.empty() && !isAround(piece.reads.front(), *read)))
      break;
    piece.reads.push_back(std::move(*read));
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
  return count < kLeastOfBox ? std::nullopt : std::optional(std::move(piece));
}

/// The edges of a piece in the order of their axes, but for that of slots.
static std::vector<Edge> acrossOf(const LoadedBox &piece) {
  std::vector<Edge> across;
  for (const auto &[number, edge] : llvm::enumerate(piece.edges))
    if (number != piece.slotEdge)
      across.push_back(edge);
  llvm::sort(across, [](const Edge &a, const Edge &b) { return a.axis < b.axis; });
  return across;
}

/// The columns that a piece gives values to, with the edge along which its slots lie; nothing
/// unless every queue of them is a column of its own.
static std::optional<Columns> columnsOf(LoadedBox &piece) {
  const unsigned first = piece.reads.front().slot;
  for (const auto &[number, edge] : llvm::enumerate(piece.edges))
    if (piece.reads[edge.stride].slot == first + 1)
      piece.slotEdge = number;
  const std::vector<Edge> across = acrossOf(piece);
  Columns columns;
  for (const auto &[number, read] : llvm::enumerate(piece.reads)) {
    const unsigned along = piece.slotEdge ? piece.edges[*piece.slotEdge].along(number) : 0;
    std::vector<unsigned> place;
    for (const Edge &edge : across)
      place.push_back(edge.along(number));
    if (read.slot != first + along ||
        columns.try_emplace(read.target, place).first->second != place)
      return std::nullopt;
  }
  const size_t slots = piece.slotEdge ? piece.edges[*piece.slotEdge].length : 1;
  return columns.size() * slots == piece.reads.size() ? std::optional(columns) : std::nullopt;
}

namespace {

class Gathering {
public:
  Gathering(const Kernel &kernel, llvm::ArrayRef<Uniform> uniforms);
  /// The kernel with patches, if neighbours are gathered.
  std::optional<Kernel> run();

private:
  Kernel kernel;
  UniqueNames names;
  std::vector<LoadedBox> pieces;
  std::map<const Statement *, const LoadedBox *> starts; ///< of those that a patch holds
  std::map<unsigned, PatchElement> registers, queues;    ///< what stands for them; of queues slot 0
  std::map<unsigned, unsigned> shifts; ///< patches, by the queue whose Rotate is to move them
  std::array<std::optional<unsigned>, kMaxRank> locals; ///< last axis first

  void find(const Body &body);
  void gatherQueues();
  bool isOnePatch(const Columns &columns, llvm::ArrayRef<LoadedBox *> loads) const;
  void gatherRegisters();
  unsigned patch(const std::vector<std::string> &replaced, ScalarType type, std::vector<int> shape);
  Index local(unsigned axis, const PointRead &read);
  void append(Body &body, const LoadedBox &piece);
  void rewrite(Body &body);
  Value rewritten(const Value &value) const;
};

} // namespace

Gathering::Gathering(const Kernel &kernel, llvm::ArrayRef<Uniform> uniforms) : kernel(kernel) {
  for (const std::string &axis : kernel.axes)
    for (const char *prefix : {"n", "stride_", "row_"})
      names.reserve(prefix + axis);
  for (unsigned uniform : kernel.uniforms)
    names.reserve(uniforms[uniform].name);
  reserveNames(names, kernel);
  for (const std::string &local : kernel.locals)
    names.reserve(local);
}

std::optional<Kernel> Gathering::run() {
  find(kernel.body);
  gatherQueues();
  gatherRegisters();
  size_t reads = 0;
  for (const auto &[statement, piece] : starts)
    reads += piece->reads.size();
  if (reads <= kMostNames)
    return std::nullopt;
  rewrite(kernel.body);
  return std::move(kernel);
}

void Gathering::find(const Body &body) {
  for (size_t at = 0; at < body.size();) {
    std::optional<LoadedBox> piece = pieceAt(kernel, llvm::ArrayRef(body).drop_front(at));
    at += piece ? piece->reads.size() : 1;
    if (piece)
      pieces.push_back(std::move(*piece));
  }
  for (const Statement &statement : body)
    forEachBody(statement, [&](const Body &inner) { find(inner); });
}

// ---- patches ------------------------------------------------------------------------------------

/// A patch that stands for what has these names: "u_near" for "u_west" and "u_here".
unsigned Gathering::patch(const std::vector<std::string> &replaced, ScalarType type,
                          std::vector<int> shape) {
  llvm::StringRef common = replaced.front();
  for (llvm::StringRef name : replaced)
    while (!name.starts_with(common))
      common = common.drop_back();
  kernel.patches.push_back(
      {names.fresh((common.rtrim('_') + "_near").str()), type, std::move(shape)});
  return kernel.patches.size() - 1;
}

/// True if each Rotate of one of the queues stands among those of all of them.
static bool moveTogether(const Body &body, const Columns &columns) {
  const auto isOurs = [&](const Statement &statement) {
    const auto *rotate = std::get_if<Rotate>(&statement.node);
    return rotate && columns.contains(rotate->queue);
  };
  for (auto at = body.begin(); (at = std::find_if(at, body.end(), isOurs)) != body.end();) {
    const auto end = std::find_if_not(at, body.end(), isOurs);
    std::set<unsigned> moved;
    for (const Statement &statement : llvm::make_range(at, end))
      moved.insert(std::get<Rotate>(statement.node).queue);
    if (moved.size() != columns.size() || size_t(end - at) != columns.size())
      return false;
    at = end;
  }
  bool doInside = true;
  for (const Statement &statement : body)
    forEachBody(statement, [&](const Body &inner) { doInside &= moveTogether(inner, columns); });
  return doInside;
}

static size_t assignmentsTo(const Columns &columns, const Body &body) {
  size_t count = 0;
  for (const Statement &statement : body) {
    const auto *assigned = std::get_if<AssignSlot>(&statement.node);
    count += assigned && columns.contains(assigned->queue);
    forEachBody(statement, [&](const Body &inner) { count += assignmentsTo(columns, inner); });
  }
  return count;
}

/// True if the queues are as long as each other, get their values from these pieces alone, and move
/// on together.
bool Gathering::isOnePatch(const Columns &columns, llvm::ArrayRef<LoadedBox *> loads) const {
  const unsigned length = kernel.queues[columns.begin()->first].length();
  size_t reads = 0;
  for (const LoadedBox *piece : loads)
    reads += piece->reads.size();
  return llvm::all_of(
             columns,
             [&](const auto &each) { return kernel.queues[each.first].length() == length; }) &&
         assignmentsTo(columns, kernel.body) == reads && moveTogether(kernel.body, columns);
}

void Gathering::gatherQueues() {
  std::map<Columns, std::vector<LoadedBox *>> marches;
  for (LoadedBox &piece : pieces)
    if (piece.reads.front().isSlot)
      if (const std::optional<Columns> columns = columnsOf(piece))
        marches[*columns].push_back(&piece);
  for (const auto &[columns, loads] : marches) {
    if (!isOnePatch(columns, loads))
      continue;
    const Queue &first = kernel.queues[columns.begin()->first];
    std::vector<std::string> replaced;
    for (const auto &[queue, place] : columns)
      llvm::append_range(replaced, kernel.queues[queue].slots);
    std::vector<int> shape = {int(first.length())};
    for (const Edge &edge : acrossOf(*loads.front()))
      shape.push_back(edge.length);
    const unsigned number = patch(replaced, first.type, std::move(shape));
    for (LoadedBox *piece : loads) {
      piece->patch = number;
      starts[piece->first] = piece;
    }
    for (const auto &[queue, place] : columns) {
      PatchElement &element = queues[queue] = {number, {constant(0)}};
      for (unsigned index : place)
        element.at.push_back(constant(index));
    }
    shifts[columns.begin()->first] = number;
  }
}

void Gathering::gatherRegisters() {
  for (auto first = pieces.begin(), end = first; first != pieces.end(); first = end) {
    for (++end; end != pieces.end() && end->isBehind(end[-1]);)
      ++end;
    if (first->reads.front().isSlot)
      continue;
    const llvm::MutableArrayRef<LoadedBox> layers(&*first, end - first);
    std::vector<std::string> replaced;
    for (const LoadedBox &piece : layers)
      for (const PointRead &read : piece.reads)
        replaced.push_back(kernel.registers[read.target].name);
    std::vector<int> shape;
    if (layers.size() > 1)
      shape.push_back(layers.size());
    const std::vector<Edge> across = acrossOf(*first);
    for (const Edge &edge : across)
      shape.push_back(edge.length);
    const unsigned number = patch(replaced, first->reads.front().type, std::move(shape));
    for (auto [layer, piece] : llvm::enumerate(layers)) {
      piece.patch = number;
      if (layers.size() > 1)
        piece.layer = layer;
      starts[piece.first] = &piece;
      for (const auto &[place, read] : llvm::enumerate(piece.reads)) {
        PatchElement &element = registers[read.target] = {number, {}};
        if (piece.layer)
          element.at.push_back(constant(*piece.layer));
        for (const Edge &edge : across)
          element.at.push_back(constant(edge.along(place)));
      }
    }
  }
}

// ---- statements ---------------------------------------------------------------------------------

/// What a loop along the axis of such a read counts by.
Index Gathering::local(unsigned axis, const PointRead &read) {
  static constexpr const char *kLoops[] = {"column", "row", "plane"};
  const unsigned behind = read.index.size() - 1 - axis;
  if (!locals[behind]) {
    locals[behind] = kernel.locals.size();
    kernel.locals.push_back(names.fresh(kLoops[behind]));
  }
  return coordinate(CoordinateKind::Local, *locals[behind]);
}

/// Loops that fill the part of the patch that the piece loads, from a pointer to its first point
/// on.
void Gathering::append(Body &body, const LoadedBox &piece) {
  const PointRead &first = piece.reads.front();
  std::vector<Index> at, from = first.index;
  if (first.isSlot)
    at.push_back(constant(first.slot));
  if (piece.slotEdge)
    at[0] = add(local(piece.edges[*piece.slotEdge].axis, first), at[0]);
  if (piece.layer)
    at.push_back(constant(*piece.layer));
  for (const Edge &edge : acrossOf(piece))
    at.push_back(local(edge.axis, first));
  for (const Edge &edge : piece.edges)
    from[edge.axis] = add(from[edge.axis], local(edge.axis, first));

  if (!first.isShared) {
    body.push_back(LetPointer{unsigned(kernel.pointers.size()), first.index, false,
                              kernel.arrays[first.source].layout});
    const bool isNewest = first.isSlot && !piece.slotEdge;
    kernel.pointers.push_back(names.fresh(isNewest ? "newest" : "corner"));
  }
  Statement loads = AssignElement{
      piece.patch, std::move(at),
      first.isShared ? makeValue(first.type, LoadShared{first.source, std::move(from)})
                     : makeValue(first.type, LoadGlobal{first.source, std::move(from)})};
  for (const Edge &edge : piece.edges)
    loads = For{LoopKind::Unroll,
                std::get<Coordinate>(local(edge.axis, first)->node).number,
                constant(0),
                constant(edge.length),
                1,
                {std::move(loads)}};
  body.push_back(std::move(loads));
}

void Gathering::rewrite(Body &body) {
  Body made;
  for (size_t at = 0; at < body.size();) {
    Statement &statement = body[at];
    if (const auto piece = starts.find(&statement); piece != starts.end()) {
      append(made, *piece->second);
      at += piece->second->reads.size();
      continue;
    }
    ++at;
    if (const auto *rotate = std::get_if<Rotate>(&statement.node);
        rotate && queues.contains(rotate->queue)) {
      if (const auto shift = shifts.find(rotate->queue); shift != shifts.end())
        made.push_back(ShiftPatch{shift->second});
      continue;
    }
    forEachBody(statement, [&](Body &inner) { rewrite(inner); });
    std::visit(
        [&](auto &node) {
          if constexpr (requires { Value(node.value); })
            node.value = rewritten(node.value);
        },
        statement.node);
    made.push_back(std::move(statement));
  }
  body = std::move(made);
}

Value Gathering::rewritten(const Value &value) const {
  if (const auto *node = std::get_if<RegisterValue>(&value->node)) {
    const auto element = registers.find(node->reg);
    return element == registers.end() ? value : makeValue(value->type, element->second);
  }
  if (const auto *node = std::get_if<QueueSlotValue>(&value->node)) {
    const auto column = queues.find(node->queue);
    if (column == queues.end())
      return value;
    PatchElement element = column->second;
    element.at[0] = constant(node->slot);
    return makeValue(value->type, std::move(element));
  }
  ValueNode copy = *value;
  bool changed = false;
  forEachOperand(copy, [&](Value &operand) {
    const Value made = rewritten(operand);
    changed |= made != operand;
    operand = made;
  });
  return changed ? std::make_shared<const ValueNode>(std::move(copy)) : value;
}

std::optional<Program> stencilc::gatheredReads(const Program &program) {
  std::optional<Program> result;
  if (program.target != Target::Device)
    return result;
  for (const auto &[number, kernel] : llvm::enumerate(program.kernels))
    if (std::optional<Kernel> gathered = Gathering(kernel, program.uniforms).run()) {
      if (!result)
        result = program;
      result->kernels[number] = std::move(*gathered);
    }
  return result;
}
