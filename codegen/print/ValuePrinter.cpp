// The half of ExpressionPrinter that prints numbers and truth values.
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

llvm::StringRef addressType(const Kernel &kernel) {
  return kernel.hasShortAddresses ? "int" : "int64_t";
}

llvm::StringRef typeName(ScalarType type) {
  switch (type) {
  case ScalarType::Bool:
    return "bool";
  case ScalarType::Int:
    return "int64_t";
  case ScalarType::F32:
    return "float";
  case ScalarType::F64:
    return "double";
  }
  llvm_unreachable("every type has a name");
}

/// `printed` as an operand where `least` is the lowest precedence that needs no parentheses.
static std::string operand(const Printed &printed, Precedence least) {
  const std::string text = deeper(printed.text);
  return printed.precedence < least ? "(" + text + ")" : text;
}

// ---- leaves -----------------------------------------------------------------------------------

std::string literalText(ScalarType type, double value) {
  if (type == ScalarType::Bool)
    return value != 0 ? "true" : "false";
  if (type == ScalarType::Int)
    return std::to_string(int64_t(value));
  const char *suffix = type == ScalarType::F32 ? "f" : "";
  // Every compiler folds these, and none needs a header for them.
  if (std::isnan(value))
    return fmt::format("0.0{0} / 0.0{0}", suffix);
  if (std::isinf(value))
    return fmt::format("{1}1.0{0} / 0.0{0}", suffix, value < 0 ? "-" : "");
  std::string text = type == ScalarType::F32 ? fmt::format("{}", static_cast<float>(value))
                                             : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + suffix;
}

static Precedence literalPrecedence(double value) {
  if (!std::isfinite(value))
    return Precedence::Multiplicative;
  return std::signbit(value) ? Precedence::Unary : Precedence::Primary;
}

std::string ExpressionPrinter::literal(ScalarType type, double value) const {
  const auto named = names.numbers.find({type, std::abs(value)});
  if (named == names.numbers.end())
    return literalText(type, value);
  return (std::signbit(value) ? "-" : "") + named->second;
}

std::string ExpressionPrinter::slot(unsigned queue, unsigned slot) const {
  return names.queues[queue][slot];
}

std::string ExpressionPrinter::load(const LoadGlobal &load) {
  const ArrayArgument &array = kernel->arrays[load.array];
  const std::string element = names.arrays[load.array] + "[" + subscript(array, load.index) + "]";
  return array.asksForPath ? "__ldg(&" + element + ")" : element;
}

/// Of a guard that chooses between the truth values, which one it gives inside its box.
static std::optional<bool> truthOf(const GuardedValue &node) {
  const auto *inside = std::get_if<LiteralValue>(&node.inside->node);
  const auto *outside = std::get_if<LiteralValue>(&node.outside->node);
  if (!inside || !outside || node.inside->type != ScalarType::Bool ||
      inside->value == outside->value)
    return std::nullopt;
  return inside->value != 0;
}

bool ExpressionPrinter::isOf64Bits(const Index &index) const {
  return code == Target::Host || anyCoordinate(index, [&](const Coordinate &own) {
           return own.kind == CoordinateKind::Argument && kernel->integers[own.number].isWide;
         });
}

// ---- operators --------------------------------------------------------------------------------

Printed ExpressionPrinter::value(const Value &value) {
  const ScalarType type = value->type;
  return std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) -> Printed {
            return {literal(type, node.value), literalPrecedence(node.value)};
          },
          [&](const ParamLeaf &node) -> Printed { return {names.params[node.param]}; },
          [&](const UniformValue &node) -> Printed { return {names.uniforms[node.argument]}; },
          [&](const RegisterValue &node) -> Printed {
            return {names.registers[same.reg(node.reg)]};
          },
          [&](const QueueSlotValue &node) -> Printed { return {slot(node.queue, node.slot)}; },
          [&](const LoadGlobal &node) -> Printed { return {load(node)}; },
          [&](const LoadShared &node) -> Printed { return {tile(node.tile, node.index)}; },
          [&](const UnaryValue &node) -> Printed {
            std::string text = operand(this->value(node.operand), Precedence::Unary);
            // Two signs in a row would read as a decrement.
            if (node.op == UnaryOp::Negate && llvm::StringRef(text).starts_with("-"))
              text = "(" + text + ")";
            return {spelling(node.op).str() + text, Precedence::Unary};
          },
          [&](const BinaryValue &node) { return binary(node, type); },
          [&](const CompareValue &node) -> Printed {
            return {operand(this->value(node.left), Precedence::Additive) + " " +
                        spelling(node.op).str() + kBreak +
                        operand(this->value(node.right), Precedence::Additive),
                    precedenceOf(node.op)};
          },
          [&](const SelectValue &node) {
            return conditional(this->value(node.condition), node.then, node.otherwise);
          },
          [&](const CallValue &node) { return call(node, type); },
          [&](const CastValue &node) -> Printed {
            const bool isStrict = mode == FloatMode::Strict && code == Target::Device &&
                                  node.operand->type == ScalarType::F64;
            const llvm::StringRef cast = isStrict && type == ScalarType::F32
                                             ? llvm::StringRef("__double2float_rn")
                                             : typeName(type);
            return {cast.str() + "(" + deeper(this->value(node.operand).text) + ")"};
          },
          [&](const GuardedValue &node) {
            if (std::optional<bool> inside = truthOf(node))
              return *inside ? holds(node.box) : fails(node.box);
            // Ends that have one number behind them are asked at once.
            Box box = node.box;
            Value inside = node.inside;
            while (const auto *inner = std::get_if<GuardedValue>(&inside->node)) {
              if (this->value(inner->outside).text != this->value(node.outside).text)
                break;
              llvm::append_range(box, inner->box);
              inside = Value(inner->inside);
            }
            return conditional(holds(box), inside, node.outside);
          },
          [&](const PatchElement &node) -> Printed { return {element(node.patch, node.at)}; },
          [&](const ShuffleValue &node) -> Printed {
            return {fmt::format("__shfl_{}_sync(0xffffffff, {}, {})",
                                node.from == ShuffleFrom::LowerLane ? "up" : "down",
                                deeper(this->value(node.operand).text), node.distance)};
          },
          [&](const IndexValue &node) -> Printed {
            if (type == ScalarType::Int && isOf64Bits(node.index))
              return integer(node.index);
            return {fmt::format("{}({})", typeName(type).str(), index(node.index))};
          }),
      value->node);
}

Printed ExpressionPrinter::conditional(Printed condition, const Value &then,
                                       const Value &otherwise) {
  // But for a condition and what it chooses first, its parts are not broken over lines: what is too
  // long gets names for its parts.
  const auto once = [&](const Printed &part) {
    std::string text;
    for (char character : operand(part, Precedence::Or))
      text += character == deeper({kBreak}).front() ? kCondition : flat({character}).front();
    return text;
  };
  return {once(condition) + kChoice + "? " + once(value(then)) + kChoice + ": " +
              flat(operand(value(otherwise), Precedence::Or)),
          Precedence::Conditional};
}

/// The operation that rounds once whatever the compiler's flags: "__dadd_rn".
static std::string roundedName(BinaryOp op, ScalarType type) {
  static constexpr const char *names[] = {"add", "sub", "mul", "div"};
  return fmt::format("__{}{}_rn", type == ScalarType::F32 ? 'f' : 'd',
                     names[static_cast<unsigned>(op)]);
}

/// True for a number below zero, or a product or quotient whose text starts with one.
static bool startsNegative(const Value &value) {
  if (const auto *literal = std::get_if<LiteralValue>(&value->node))
    return std::signbit(literal->value);
  const auto *node = std::get_if<BinaryValue>(&value->node);
  return node && precedenceOf(node->op) == Precedence::Multiplicative && startsNegative(node->left);
}

/// Whether a numerator of 0 may come up where a compiler does not multiply instead.
static bool mayDivideZero(const BinaryValue &node) {
  return node.op == BinaryOp::Divide && !std::holds_alternative<LiteralValue>(node.left->node) &&
         !isPowerOfTwo(node.right);
}

Printed ExpressionPrinter::binary(const BinaryValue &node, ScalarType type) {
  const Printed left = value(node.left);
  Printed right = value(node.right);
  const bool isStrict = mode == FloatMode::Strict;
  if (code == Target::Device && isFloat(type) && (isStrict || mayDivideZero(node))) {
    const std::string function =
        isStrict ? roundedName(node.op, type) : helpers.use(Helper::Quotient).str();
    return {function + "(" + deeper(left.text) + "," + kBreak + deeper(right.text) + ")"};
  }
  const Precedence own = precedenceOf(node.op);
  const Precedence above = tighterThan(own);
  // A chain of equal precedence is one level; what binds tighter, or stands in parentheses, is
  // below it.
  const std::string first = left.precedence == own
                                ? left.text
                                : operand(left, own == Precedence::Or ? Precedence::Equality : own);
  llvm::StringRef op = spelling(node.op);
  // The text of a quotient by a function starts with the function's name.
  if (node.op == BinaryOp::Add && startsNegative(node.right) && right.text.front() == '-') {
    op = spelling(BinaryOp::Subtract);
    right.text.erase(0, 1);
  }
  return {first + " " + op.str() + kBreak +
              operand(right, own == Precedence::Or ? Precedence::Equality : above),
          own};
}

static llvm::StringRef functionName(Builtin function) {
  switch (function) {
  case Builtin::Min:
    return "fmin";
  case Builtin::Max:
    return "fmax";
  case Builtin::Abs:
    return "fabs";
  default:
    return spelling(function);
  }
}

Printed ExpressionPrinter::call(const CallValue &node, ScalarType type) {
  std::string name = functionName(node.function).str() + (type == ScalarType::F32 ? "f" : "");
  const bool isExtreme = node.function == Builtin::Min || node.function == Builtin::Max;
  if (isExtreme && code == Target::Host) {
    // The C library leaves open which of two zeros is the smaller.
    const bool isMin = node.function == Builtin::Min;
    name = helpers.use(isMin ? Helper::LesserNumber : Helper::GreaterNumber).str();
  } else if (node.function == Builtin::Sqrt && mode == FloatMode::Strict &&
             code == Target::Device) {
    name = type == ScalarType::F32 ? "__fsqrt_rn" : "__dsqrt_rn";
  } else {
    callsFunctions = true;
    if (node.function == Builtin::Sqrt && code == Target::Device)
      name = helpers.use(Helper::Root).str();
  }
  std::vector<std::string> operands;
  for (const Value &operand : node.operands)
    operands.push_back(deeper(value(operand).text));
  return {name + "(" + llvm::join(operands, std::string(",") + kBreak) + ")"};
}

} // namespace stencilc
