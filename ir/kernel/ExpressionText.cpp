#include "ir/kernel/ExpressionText.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stencilc {

using enum Precedence;

std::string join(const std::vector<std::string> &parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string IndexNames::operator()(const Coordinate &coordinate) const {
  static constexpr llvm::StringLiteral dimensions[] = {"x", "y", "z"};
  auto number = coordinate.number;
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    return number < 3 ? "block." + dimensions[number].str() : fmt::format("block.{}", number);
  case CoordinateKind::Thread:
    return number < 3 ? "thread." + dimensions[number].str() : fmt::format("thread.{}", number);
  case CoordinateKind::Warp:
    return "warp";
  case CoordinateKind::Lane:
    return "lane";
  case CoordinateKind::Extent:
    return number < axes.size() ? "n" + axes[number] : fmt::format("n#{}", number);
  case CoordinateKind::WholeParam:
    return number < params.size() ? params[number].name : fmt::format("param#{}", number);
  case CoordinateKind::Argument:
    if (kernel && number < kernel->integers.size())
      return kernel->integers[number].name;
    return fmt::format("argument#{}", number);
  case CoordinateKind::Local:
    if (kernel && number < kernel->locals.size())
      return kernel->locals[number];
    return fmt::format("local#{}", number);
  }
  llvm_unreachable("every kind of coordinate has a name");
}

static Text sumText(const IndexSum &sum, const IndexNames &names) {
  std::string left = indexText(sum.left, names).within(Additive);
  if (const auto *literal = std::get_if<IndexConstant>(&sum.right->node);
      literal && literal->value < 0)
    return {fmt::format("{} - {}", left, -literal->value), Additive};
  if (const auto *scaled = std::get_if<IndexScale>(&sum.right->node); scaled && scaled->factor < 0)
    return {left + " - " +
                indexText(scale(scaled->index, -scaled->factor), names).within(Multiplicative),
            Additive};
  return {left + " + " + indexText(sum.right, names).within(Multiplicative), Additive};
}

Text indexText(const Index &index, const IndexNames &names) {
  auto plain = [&](const Index &operand) { return indexText(operand, names).text; };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &node) { return Text{std::to_string(node.value)}; },
          [&](const Coordinate &node) { return Text{names(node)}; },
          [&](const IndexSum &node) { return sumText(node, names); },
          [&](const IndexScale &node) {
            return Text{indexText(node.index, names).within(Multiplicative) + " * " +
                            std::to_string(node.factor),
                        Multiplicative};
          },
          [&](const IndexQuotient &node) {
            return Text{fmt::format("quotient({}, {})", plain(node.index), node.divisor)};
          },
          [&](const IndexRemainder &node) {
            return Text{fmt::format("remainder({}, {})", plain(node.index), node.divisor)};
          },
          [&](const IndexMin &node) {
            return Text{fmt::format("min({}, {})", plain(node.left), plain(node.right))};
          },
          [&](const IndexMax &node) {
            return Text{fmt::format("max({}, {})", plain(node.left), plain(node.right))};
          },
          [&](const IndexMap &node) {
            const bool isPeriodic = node.boundary == BoundaryKind::Periodic;
            const llvm::StringRef word = isPeriodic ? "wrap" : spelling(node.boundary);
            return Text{fmt::format("{}({}, {})", word.str(), plain(node.index),
                                    names({CoordinateKind::Extent, node.axis}))};
          }),
      index->node);
}

std::string indicesText(llvm::ArrayRef<Index> indices, const IndexNames &names) {
  std::vector<std::string> parts;
  for (const Index &index : indices)
    parts.push_back(indexText(index, names).text);
  return "[" + join(parts) + "]";
}

std::string boxText(const Box &box, const IndexNames &names) {
  std::vector<std::string> parts;
  for (const Range &range : box) {
    std::string text;
    if (range.lower)
      text += indexText(range.lower, names).text + " <= ";
    text += indexText(range.index, names).text;
    if (range.upper)
      text += " < " + indexText(range.upper, names).text;
    parts.push_back(std::move(text));
  }
  return join(parts);
}

Text ValueText::text(const Value &value) const {
  return std::visit([&](const auto &node) { return text(node); }, value->node);
}

Text ValueText::text(const LiteralValue &node) const {
  return {fmt::format("{}", node.value), node.value < 0 ? Unary : Primary};
}

Text ValueText::text(const ParamLeaf &node) const {
  return {params ? (*params)[node.param].name : fmt::format("param#{}", node.param)};
}

Text ValueText::text(const UniformValue &node) const {
  return {(*uniforms)[kernel ? kernel->uniforms[node.argument] : node.argument].name};
}

Text ValueText::text(const RegisterValue &node) const { return {kernel->registers[node.reg].name}; }

Text ValueText::text(const QueueSlotValue &node) const {
  return {fmt::format("{}.{}", kernel->queues[node.queue].name, node.slot)};
}

Text ValueText::text(const LoadGlobal &node) const {
  return {kernel->arrays[node.array].name + indicesText(node.index, names)};
}

Text ValueText::text(const LoadShared &node) const {
  return {kernel->tiles[node.tile].name + indicesText(node.index, names)};
}

Text ValueText::text(const UnaryValue &node) const {
  return {spelling(node.op).str() + text(node.operand).within(Primary), Unary};
}

Text ValueText::binary(Precedence precedence, llvm::StringRef op, const Value &left,
                       const Value &right) const {
  return {fmt::format("{} {} {}", text(left).within(precedence), op.str(),
                      text(right).within(tighterThan(precedence))),
          precedence};
}

Text ValueText::text(const BinaryValue &node) const {
  return binary(precedenceOf(node.op), spelling(node.op), node.left, node.right);
}

Text ValueText::text(const CompareValue &node) const {
  return binary(precedenceOf(node.op), spelling(node.op), node.left, node.right);
}

Text ValueText::text(const SelectValue &node) const {
  return {fmt::format("where({}, {}, {})", text(node.condition).text, text(node.then).text,
                      text(node.otherwise).text)};
}

Text ValueText::text(const CallValue &node) const {
  std::vector<std::string> operands;
  for (const Value &operand : node.operands)
    operands.push_back(text(operand).text);
  return {fmt::format("{}({})", spelling(node.function).str(), join(operands))};
}

Text ValueText::text(const CastValue &node) const {
  return {fmt::format("cast({})", text(node.operand).text)};
}

Text ValueText::text(const GuardedValue &node) const {
  return {fmt::format("{} ? {} : {}", boxText(node.box, names), text(node.inside).within(Or),
                      text(node.outside).within(Conditional)),
          Conditional};
}

Text ValueText::text(const PatchElement &node) const {
  return {kernel->patches[node.patch].name + indicesText(node.at, names)};
}

Text ValueText::text(const ShuffleValue &node) const {
  return {fmt::format("{}({}, {})",
                      node.from == ShuffleFrom::LowerLane ? "from_lane_below" : "from_lane_above",
                      text(node.operand).text, node.distance)};
}

Text ValueText::text(const IndexValue &node) const {
  return {fmt::format("number({})", indexText(node.index, names).text)};
}

} // namespace stencilc
