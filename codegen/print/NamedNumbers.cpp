#include "codegen/print/NamedNumbers.h"
#include "codegen/print/Expressions.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace stencilc {

namespace {

constexpr unsigned kGlance = 3; ///< digits that need no name
constexpr size_t kMostNames = 16;

using Number = std::pair<ScalarType, double>;

/// The weights of one sum.
struct Sum {
  std::vector<Number> weights;
  bool hasCentre = false; ///< one multiplies no sum
};

std::optional<Number> numberIn(const Value &value) {
  const auto *literal = std::get_if<LiteralValue>(&value->node);
  if (!literal || !isFloat(value->type) || !std::isfinite(literal->value))
    return std::nullopt;
  return Number(value->type, std::abs(literal->value));
}

/// The digits of its text but for zeros around them.
unsigned digitsOf(const Number &number) {
  const std::string text = literalText(number.first, number.second);
  std::string digits;
  for (char character : llvm::StringRef(text).take_until([](char c) { return c == 'e'; }))
    if (llvm::isDigit(character))
      digits += character;
  return llvm::StringRef(digits).trim('0').size();
}

bool isPlain(const Number &number) {
  return llvm::is_contained({0.0, 0.5, 1.0, 2.0}, number.second);
}

/// Finds the numbers in values.
class Numbers {
public:
  std::vector<Sum> sums;
  std::vector<Number> others;

  void look(const Value &value) {
    if (const std::optional<Number> number = numberIn(value)) {
      others.push_back(*number);
    } else if (operation(value, isTerm) || operation(value, isProduct)) {
      Sum sum;
      terms(value, sum);
      if (!sum.weights.empty())
        sums.push_back(std::move(sum));
    } else {
      forEachOperand(*value, [&](const Value &operand) { look(operand); });
    }
  }

private:
  static bool isTerm(BinaryOp op) { return op == BinaryOp::Add || op == BinaryOp::Subtract; }
  static bool isProduct(BinaryOp op) { return op == BinaryOp::Multiply; }
  static const BinaryValue *operation(const Value &value, bool (*is)(BinaryOp)) {
    const auto *node = std::get_if<BinaryValue>(&value->node);
    return node && is(node->op) ? node : nullptr;
  }

  void terms(const Value &value, Sum &sum) {
    if (const BinaryValue *node = operation(value, isTerm)) {
      terms(node->left, sum);
      terms(node->right, sum);
    } else if (operation(value, isProduct)) {
      std::vector<Value> factors;
      factorsOf(value, factors);
      llvm::erase_if(factors, [&](const Value &factor) {
        const std::optional<Number> number = numberIn(factor);
        if (number)
          sum.weights.push_back(*number);
        return number.has_value();
      });
      sum.hasCentre |= llvm::none_of(
          factors, [&](const Value &factor) { return operation(factor, isTerm) != nullptr; });
      for (const Value &factor : factors)
        look(factor);
    } else {
      look(value);
    }
  }

  static void factorsOf(const Value &value, std::vector<Value> &factors) {
    if (const BinaryValue *node = operation(value, isProduct)) {
      factorsOf(node->left, factors);
      factorsOf(node->right, factors);
    } else {
      factors.push_back(value);
    }
  }
};

bool needsName(const Number &number) { return digitsOf(number) > kGlance; }

/// The weights that get a name, in order; true if the first is a centre's.
bool weightsOf(std::vector<Sum> sums, std::vector<Number> &named) {
  llvm::erase_if(sums, [](const Sum &sum) { return llvm::none_of(sum.weights, needsName); });
  llvm::stable_sort(sums, [](const Sum &a, const Sum &b) {
    return std::set(a.weights.begin(), a.weights.end()).size() >
           std::set(b.weights.begin(), b.weights.end()).size();
  });
  const auto append = [&](std::vector<Number> weights) {
    llvm::stable_sort(weights,
                      [](const Number &a, const Number &b) { return a.second > b.second; });
    for (const Number &number : weights)
      if (!isPlain(number) && !llvm::is_contained(named, number))
        named.push_back(number);
  };
  std::vector<Number> alone;
  for (const Sum &sum : sums)
    if (std::set(sum.weights.begin(), sum.weights.end()).size() > 1)
      append(sum.weights);
    else
      llvm::append_range(alone, sum.weights);
  append(std::move(alone));
  return llvm::any_of(sums, [&](const Sum &sum) {
    return sum.hasCentre && llvm::is_contained(sum.weights, named.front());
  });
}

} // namespace

std::vector<NamedNumber> namedNumbers(const Program &program, UniqueNames &taken) {
  Numbers found;
  for (const Kernel &kernel : program.kernels)
    forEachValue(kernel.body, [&](const Value &value) { found.look(value); });
  std::vector<Number> weights, others;
  const bool hasCentre = weightsOf(found.sums, weights);
  for (const Number &number : found.others)
    if (needsName(number) && !llvm::is_contained(weights, number) &&
        !llvm::is_contained(others, number))
      others.push_back(number);
  if (weights.size() + others.size() > kMostNames)
    return {};
  std::vector<NamedNumber> named;
  const auto name = [&](llvm::ArrayRef<Number> numbers, const char *word, unsigned first) {
    for (const auto &[index, number] : llvm::enumerate(numbers))
      // A short one that is no weight elsewhere is not one by name.
      if (needsName(number) || !llvm::is_contained(found.others, number))
        named.push_back(
            {number.first, number.second,
             taken.fresh(numbers.size() == 1 ? word : fmt::format("{}{}", word, first + index))});
  };
  name(weights, "kWeight", hasCentre ? 0 : 1);
  name(others, "kNumber", 1);
  return named;
}

std::string fractionOf(ScalarType type, double value) {
  // Of larger ones some rounds to whatever number.
  const double most = type == ScalarType::F32 ? 1 << 14 : 1 << 30;
  const auto rounds = [&](double above, double below) {
    return type == ScalarType::F32 ? float(above) / float(below) == float(value)
                                   : above / below == value;
  };
  // The convergents of its continued fraction.
  double above = 1, below = 0, lastAbove = 0, lastBelow = 1;
  for (double rest = value; std::isfinite(rest); rest = 1 / (rest - std::floor(rest))) {
    const double whole = std::floor(rest);
    lastAbove = std::exchange(above, whole * above + lastAbove);
    lastBelow = std::exchange(below, whole * below + lastBelow);
    if (above * below > most)
      return "";
    if (rounds(above, below))
      break;
  }
  std::string text = fmt::format("{}/{}", above, below);
  return below == 1 || text.size() > literalText(type, value).size() + 1 ? "" : text;
}

} // namespace stencilc
