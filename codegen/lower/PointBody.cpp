#include "codegen/lower/PointBody.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <fmt/format.h>

using namespace stencilc;

// ---- names ------------------------------------------------------------------------------------

/// "_below2_east" for {-2, 0, 1}: compass words along x and y, below and above along z.
static std::string direction(const Offset &offset, unsigned rank) {
  static constexpr const char *words[3][2] = {
      {"west", "east"}, {"south", "north"}, {"below", "above"}};
  std::string name;
  for (unsigned axis = 0; axis < rank; ++axis) {
    int distance = offset[axis];
    if (distance == 0)
      continue;
    name += fmt::format("_{}", words[dimensionOf(axis, rank)][distance > 0]);
    if (std::abs(distance) > 1)
      name += std::to_string(std::abs(distance));
  }
  return name;
}

std::string stencilc::readName(const Stencil &stencil, const Read &read) {
  std::string where = direction(read.offset, stencil.rank());
  return stencil.arrays[read.array].name + (where.empty() ? "_here" : where);
}

// ---- arguments and boxes ----------------------------------------------------------------------

StageArguments stencilc::addArguments(KernelBuilder &kernel, const Program &program,
                                      const Stencil &stencil, const Stage &stage,
                                      bool readOnlyPath) {
  const unsigned count = stencil.arrays.size();
  std::vector<bool> isRead(count), isMade(count);
  for (const Update &update : stage.updates) {
    isMade[update.array] = true;
    for (const Expr &expr : update.formula.exprs)
      if (auto *read = std::get_if<Read>(&expr.node))
        isRead[read->array] = true;
  }

  StageArguments result;
  result.source.resize(count);
  result.target.resize(count);
  auto argument = [&](unsigned array, TimeLevel level, Access access) {
    const unsigned number = bufferOf(program.signature, array, level);
    const Buffer &buffer = program.buffers[number];
    result.buffers.push_back(number);
    return kernel.array({buffer.name, buffer.type, buffer.axes, buffer.ghost, access,
                         readOnlyPath && access == Access::Read});
  };
  for (unsigned array = 0; array < count; ++array) {
    bool inPlace = isMade[array] && !needsNextBuffer(stencil, array);
    if (inPlace)
      result.source[array] = result.target[array] =
          argument(array, TimeLevel::Current, isRead[array] ? Access::ReadWrite : Access::Write);
    else if (isRead[array])
      result.source[array] = argument(array, TimeLevel::Current, Access::Read);
  }
  for (unsigned array = 0; array < count; ++array)
    if (isMade[array] && !result.target[array])
      result.target[array] = argument(array, TimeLevel::Next, Access::Write);
  return result;
}

Box stencilc::updateBox(const Stencil &stencil, const Update &update, const Point &point) {
  Widths widths = frame(stencil, update);
  Box box;
  for (unsigned axis = stencil.rank(); axis-- > 0;)
    box.push_back(
        {point[axis], constant(widths[axis][Low]), add(extent(axis), -widths[axis][High])});
  return box;
}

/// The widths that all updates of the stage leave out.
static Widths stageFrame(const Stencil &stencil, const Stage &stage) {
  Widths common = frame(stencil, stage.updates.front());
  for (const Update &update : llvm::drop_begin(stage.updates)) {
    Widths widths = frame(stencil, update);
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (Side side : {Low, High})
        common[axis][side] = std::min(common[axis][side], widths[axis][side]);
  }
  return common;
}

StageBox stencilc::stageBox(const Stencil &stencil, const Stage &stage) {
  const Widths widths = stageFrame(stencil, stage);
  StageBox box;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    box.begin[axis] = constant(widths[axis][Low]);
    box.end[axis] = add(extent(axis), -widths[axis][High]);
  }
  return box;
}

std::vector<std::string> stencilc::describeStep(const Stage &stage) {
  constexpr size_t width = 94;
  std::vector<std::string> lines = {"One step of"};
  for (const Update &update : stage.updates) {
    // Broken at blanks, continued further in.
    llvm::StringRef rest = update.text;
    std::string indent = "  ";
    while (indent.size() + rest.size() > width) {
      size_t end = rest.rfind(' ', width - indent.size());
      if (end == llvm::StringRef::npos || end == 0)
        break;
      lines.push_back(indent + rest.take_front(end).str());
      rest = rest.drop_front(end).ltrim();
      indent = "      ";
    }
    lines.push_back(indent + rest.str());
  }
  return lines;
}

// ---- statements -------------------------------------------------------------------------------

PointBody::PointBody(KernelBuilder &kernel, const Stencil &stencil, const Stage &stage,
                     const StepFormula &formula, const StageArguments &arguments, Point point)
    : kernel(kernel), stencil(stencil), stage(stage), formula(formula), arguments(arguments),
      point(std::move(point)) {}

unsigned PointBody::letPointer(Body &body, bool isCarried) {
  return kernel.letPointer(body, "here", point, isCarried);
}

PointBody PointBody::movedAlong(unsigned axis, Index index, Body &body) {
  for (ExprId id = 0; id < formula.size(); ++id)
    if (auto *read = std::get_if<Read>(&formula[id].node))
      for (unsigned other : stencil.arrays[read->array].axes)
        if (other != axis)
          neighbour(body, read->array, other, read->offset[other]);
  Point place = point;
  place[axis] = std::move(index);
  PointBody moved(kernel, stencil, stage, formula, arguments, std::move(place));
  for (const auto &[key, named] : neighbours)
    if (std::get<unsigned>(key) != axis)
      moved.neighbours[key] = named;
  return moved;
}

void PointBody::append(Body &body, const Known &given) {
  // Updates that are made at the same points share their loads.
  std::vector<std::pair<Widths, std::vector<unsigned>>> groups;
  for (unsigned update = 0; update < stage.updates.size(); ++update) {
    Widths widths = frame(stencil, stage.updates[update]);
    auto same = llvm::find_if(groups, [&](auto &group) { return group.first == widths; });
    if (same == groups.end())
      groups.push_back({widths, {update}});
    else
      same->second.push_back(update);
  }
  if (groups.size() == 1)
    return appendUpdates(body, groups[0].second, given);

  // A field updated in place is read by every group before the first one stores it.
  Known known = given;
  for (ExprId id = 0; id < formula.size(); ++id)
    if (auto *read = std::get_if<Read>(&formula[id].node))
      if (arguments.target[read->array] &&
          arguments.source[read->array] == arguments.target[read->array])
        known[id] = kernel.let(body, registerName(id), load(body, *read));
  // Coordinates named inside one guard do not reach the next.
  const auto outer = neighbours;
  for (auto &[widths, updates] : groups) {
    If guarded{updateBox(stencil, stage.updates[updates[0]], point), {}, {}};
    appendUpdates(guarded.then, updates, known);
    body.push_back({std::move(guarded)});
    neighbours = outer;
  }
}

void PointBody::appendUpdates(Body &body, llvm::ArrayRef<unsigned> updates, Known known) {
  std::vector<bool> needed(formula.size(), false);
  for (unsigned update : updates)
    needed[formula.result(update)] = true;
  for (ExprId id = formula.size(); id-- > 0;)
    if (needed[id] && !formula.uniform(id))
      for (ExprId operand : operands(formula[id].node))
        needed[operand] = true;

  // Operands come before their users, so each register is made before it is read.
  for (ExprId id = 0; id < formula.size(); ++id) {
    if (!needed[id] || known.count(id) || !getsRegister(id))
      continue;
    auto *read = std::get_if<Read>(&formula[id].node);
    Value value = read ? load(body, *read) : tree(id, known);
    known[id] = kernel.let(body, registerName(id), value);
  }
  for (unsigned update : updates)
    kernel.store(body, *arguments.target[stage.updates[update].array], point,
                 tree(formula.result(update), known));
}

bool PointBody::getsRegister(ExprId id) const {
  const Expr &expr = formula[id];
  if (std::holds_alternative<Read>(expr.node))
    return true;
  if (formula.uniform(id) || std::holds_alternative<Literal>(expr.node))
    return false;
  return !expr.name.empty() || formula.useCount(id) > 1 || formula.endsPart(id);
}

std::string PointBody::registerName(ExprId id) const {
  const Expr &expr = formula[id];
  if (auto *read = std::get_if<Read>(&expr.node))
    return readName(stencil, *read);
  if (expr.name.empty())
    return expr.type == ScalarType::Bool ? "condition" : "part";
  return expr.name + direction(expr.shift, stencil.rank());
}

Value PointBody::tree(ExprId id, const Known &known) {
  if (auto found = known.find(id); found != known.end())
    return found->second;
  if (std::optional<unsigned> number = formula.uniform(id))
    return kernel.uniform(*number);
  const Expr &expr = formula[id];
  ScalarType type = expr.type;
  auto operand = [&](ExprId below) { return tree(below, known); };
  return std::visit(
      llvm::makeVisitor(
          [&](const Literal &node) { return makeValue(type, LiteralValue{node.value}); },
          [&](const ParamValue &) -> Value { llvm_unreachable("every param is a uniform"); },
          [&](const AxisValue &) -> Value { llvm_unreachable("axis values stand in `init` only"); },
          [](const StepValue &) -> Value { llvm_unreachable("no step number is lowered yet"); },
          [](const TimeRead &) -> Value { llvm_unreachable("no array over time is lowered yet"); },
          [&](const Read &) -> Value { llvm_unreachable("every load has a register"); },
          [&](const UnaryExpr &node) {
            return makeValue(type, UnaryValue{node.op, operand(node.operand)});
          },
          [&](const BinaryExpr &node) {
            return makeValue(type, BinaryValue{node.op, operand(node.left), operand(node.right)});
          },
          [&](const CompareExpr &node) {
            return makeValue(type, CompareValue{node.op, operand(node.left), operand(node.right)});
          },
          [&](const SelectExpr &node) {
            return makeValue(type, SelectValue{operand(node.condition), operand(node.then),
                                               operand(node.otherwise)});
          },
          [&](const CallExpr &node) {
            std::vector<Value> values;
            for (ExprId below : node.operands)
              values.push_back(operand(below));
            return makeValue(type, CallValue{node.function, std::move(values)});
          },
          [&](const CastExpr &node) { return makeValue(type, CastValue{operand(node.operand)}); }),
      expr.node);
}

Value PointBody::load(Body &body, const Read &read) {
  const Array &array = stencil.arrays[read.array];
  Point where;
  for (unsigned axis : array.axes)
    where.push_back(neighbour(body, read.array, axis, read.offset[axis]));
  Value value = kernel.load(*arguments.source[read.array], where);
  // The axis named first decides what stands outside, so its guard is the outermost.
  for (unsigned axis : llvm::reverse(array.axes)) {
    int offset = read.offset[axis];
    Side side = offset < 0 ? Low : High;
    if (offset == 0 || array.boundary[axis][side].kind != BoundaryKind::Value)
      continue;
    Index index = add(point[axis], offset);
    Range inside =
        side == Low ? Range{index, constant(0), nullptr} : Range{index, nullptr, extent(axis)};
    Value outside = tree(formula.outside(read.array, axis, side), {});
    value = makeValue(array.type, GuardedValue{{inside}, value, outside});
  }
  return value;
}

Value PointBody::loadAnywhere(Body &body, const Read &read) {
  const Array &array = stencil.arrays[read.array];
  const Widths kept = stageFrame(stencil, stage);
  Box inside;
  for (unsigned axis : llvm::reverse(array.axes)) {
    int offset = read.offset[axis];
    Side side = offset < 0 ? Low : High;
    if (array.boundary[axis][side].kind == BoundaryKind::Fixed &&
        std::abs(offset) > kept[axis][side]) {
      Index index = add(point[axis], offset);
      inside.push_back(side == Low ? Range{index, constant(0), nullptr}
                                   : Range{index, nullptr, extent(axis)});
    }
  }
  Value value = load(body, read);
  if (inside.empty())
    return value;
  return makeValue(array.type, GuardedValue{inside, value, makeValue(array.type, LiteralValue{0})});
}

Index PointBody::neighbour(Body &body, unsigned array, unsigned axis, int offset) {
  Index index = add(point[axis], offset);
  if (offset == 0)
    return index;
  BoundaryKind kind = stencil.arrays[array].boundary[axis][offset < 0 ? Low : High].kind;
  if (kind != BoundaryKind::Clamp && kind != BoundaryKind::Periodic)
    return index;
  Index &named = neighbours[{kind, axis, offset}];
  if (named)
    return named;
  Index mapped = kind == BoundaryKind::Periodic ? map(kind, axis, index)
                 : offset < 0                   ? maximum(index, constant(0))
                                                : minimum(index, add(extent(axis), -1));
  Offset only = {};
  only[axis] = offset;
  return named =
             kernel.letIndex(body, stencil.axes[axis] + direction(only, stencil.rank()), mapped);
}
