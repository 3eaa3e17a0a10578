#include "codegen/print/GatheredReads.h"
#include "codegen/print/FileNames.h"
#include "codegen/print/LoadedBox.h"

#include "ir/kernel/KernelBuilder.h"
#include "ir/kernel/UnusedNames.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace stencilc;

/// So many neighbours of a kernel, and no more, are read by their names.
static constexpr size_t kMostNames = 48;
/// By queue, its place beside the march that they make together.
using Columns = std::map<unsigned, std::vector<unsigned>>;

/// The columns that a piece gives values to, with the edge along which its slots lie; nothing
/// unless every queue of them is a column of its own.
static std::optional<Columns> columnsOf(LoadedBox &piece) {
  const unsigned first = piece.reads.front().slot;
  for (const auto &[number, edge] : llvm::enumerate(piece.edges))
    if (piece.reads[edge.stride].slot == first + 1)
      piece.slotEdge = number;
  const std::vector<Edge> across = piece.across();
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
  NamedIndices named;
  std::vector<LoadedBox> pieces;
  std::map<const Statement *, const LoadedBox *> starts; ///< of those that a patch holds
  std::map<unsigned, PatchElement> registers, queues;    ///< what stands for them; of queues slot 0
  std::map<unsigned, unsigned> shifts; ///< patches, by the queue whose Rotate is to move them
  std::array<std::optional<unsigned>, kMaxRank> locals; ///< of loops, last axis first
  std::array<std::optional<unsigned>, kMaxRank> bentNames;

  void find(const Body &body);
  void gatherQueues();
  bool isOnePatch(const Columns &columns, llvm::ArrayRef<LoadedBox *> loads) const;
  void gatherRegisters();
  unsigned patch(const std::vector<std::string> &replaced, ScalarType type, std::vector<int> shape);
  Index local(unsigned axis, const PointRead &read);
  Index bentName(unsigned axis);
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
  appendNamed(kernel.body, named);
  find(kernel.body);
  gatherQueues();
  gatherRegisters();
  size_t reads = 0;
  for (const auto &[statement, piece] : starts)
    reads += piece->reads.size();
  if (reads <= kMostNames)
    return std::nullopt;
  rewrite(kernel.body);
  dropUnusedIndices(kernel.body);
  return std::move(kernel);
}

void Gathering::find(const Body &body) {
  for (size_t at = 0; at < body.size();) {
    std::optional<LoadedBox> piece =
        loadedBoxAt(kernel, named, llvm::ArrayRef(body).drop_front(at));
    at += piece ? piece->count : 1;
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
    for (const Edge &edge : loads.front()->across())
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
    const std::vector<Edge> across = first->across();
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

/// A name for what a boundary makes of an index of a loop: "y_near".
Index Gathering::bentName(unsigned axis) {
  if (!bentNames[axis]) {
    bentNames[axis] = kernel.locals.size();
    kernel.locals.push_back(names.fresh(kernel.axes[axis] + "_near"));
  }
  return coordinate(CoordinateKind::Local, *bentNames[axis]);
}

/// Loops that fill the part of the patch that the piece loads: from a pointer to its first point on
/// or, where it asks for ends, counted from the thread's own point. Indices that boundaries bend
/// have names.
void Gathering::append(Body &body, const LoadedBox &piece) {
  const PointRead &first = piece.reads.front();
  const bool asks = piece.asks();
  const auto begin = [&](const Edge &edge) { return asks ? first.offset[edge.axis] : 0; };
  const auto fromZero = [&](const Edge &edge) {
    return add(local(edge.axis, first), -begin(edge));
  };
  std::vector<Index> at, from = first.index;
  if (first.isSlot)
    at.push_back(constant(first.slot));
  if (piece.slotEdge)
    at[0] = add(fromZero(piece.edges[*piece.slotEdge]), at[0]);
  if (piece.layer)
    at.push_back(constant(*piece.layer));
  for (const Edge &edge : piece.across())
    at.push_back(fromZero(edge));
  bool isBent = false;
  std::vector<Index> straight;
  for (const BentIndex &index : first.straight)
    straight.push_back(index.straight);
  for (const Edge &edge : piece.edges) {
    isBent |= !edge.bend.isNone();
    straight[edge.axis] = add(add(straight[edge.axis], -begin(edge)), local(edge.axis, first));
    from[edge.axis] = edge.bend.isNone() ? straight[edge.axis] : bentName(edge.axis);
  }

  if (!first.isShared && !isBent && !asks) {
    body.push_back(LetPointer{unsigned(kernel.pointers.size()), first.index, false,
                              kernel.arrays[first.source].layout});
    const bool isNewest = first.isSlot && !piece.slotEdge;
    kernel.pointers.push_back(names.fresh(isNewest ? "newest" : "corner"));
  }
  const Value load = first.isShared ? makeValue(first.type, LoadShared{first.source, from})
                                    : makeValue(first.type, LoadGlobal{first.source, from});
  Statement loads = AssignElement{piece.patch, std::move(at), withEnds(load, piece.ends, straight)};
  for (const Edge &edge : piece.edges) {
    const Index number = local(edge.axis, first);
    Body turn;
    if (!edge.bend.isNone())
      turn.push_back({LetIndex{std::get<Coordinate>(from[edge.axis]->node).number,
                               edge.bend.of(straight[edge.axis])}});
    turn.push_back(std::move(loads));
    loads = For{LoopKind::Unroll,
                std::get<Coordinate>(number->node).number,
                constant(begin(edge)),
                constant(begin(edge) + edge.length),
                1,
                std::move(turn)};
  }
  body.push_back(std::move(loads));
}

void Gathering::rewrite(Body &body) {
  Body made;
  for (size_t at = 0; at < body.size();) {
    Statement &statement = body[at];
    if (const auto piece = starts.find(&statement); piece != starts.end()) {
      for (const Statement &own : llvm::ArrayRef(body).slice(at, piece->second->count))
        if (std::holds_alternative<LetIndex>(own.node))
          made.push_back(own);
      append(made, *piece->second);
      at += piece->second->count;
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
