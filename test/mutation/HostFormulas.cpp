#include "test/mutation/HostFormulas.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace stencilc;
using namespace stencilc::mutation;

namespace {

class Run {
public:
  Run(const Program &program, const Launch &launch, const RunNumbers &numbers)
      : program(program), launch(launch), kernel(program.kernels[launch.kernel]), numbers(numbers),
        cover(placeCover(launch.cover, program.target, numbers, [](auto) { return 0; })),
        locals(kernel.locals.size()), registers(kernel.registers.size()) {}

  std::optional<HostFormulas> all() {
    if (kernel.target != Target::Host)
      return std::nullopt;
    if (!cover.isEmpty())
      run(kernel.body);
    return isUnderstood ? std::optional(std::move(stored)) : std::nullopt;
  }

private:
  int64_t at(const Index &index) const {
    return evaluate(index, [&](const Coordinate &coordinate) -> int64_t {
      switch (coordinate.kind) {
      case CoordinateKind::Block:
      case CoordinateKind::Thread:
      case CoordinateKind::Warp:
      case CoordinateKind::Lane:
        return 0;
      case CoordinateKind::Extent:
        return numbers.extents[coordinate.number];
      case CoordinateKind::WholeParam:
        return int64_t(numbers.params[coordinate.number]);
      case CoordinateKind::Argument:
        return integerOf(launch.integers[coordinate.number], program.buffers, cover, numbers);
      case CoordinateKind::Local:
        return locals[coordinate.number];
      }
      llvm_unreachable("all coordinates are treated");
    });
  }

  Element elementAt(unsigned array, llvm::ArrayRef<Index> index) const {
    Element element{array, {}};
    for (const Index &part : index)
      element.second.push_back(at(part));
    return element;
  }

  bool holds(const Box &box) const {
    return llvm::all_of(box, [&](const Range &range) {
      const int64_t index = at(range.index);
      return (!range.lower || at(range.lower) <= index) &&
             (!range.upper || index < at(range.upper));
    });
  }

  uint64_t loaded(const LoadGlobal &load) const {
    const Element element = elementAt(load.array, load.index);
    const auto known = stored.find(element);
    if (known != stored.end())
      return known->second;
    const auto &[array, index] = element;
    return llvm::hash_combine(array, llvm::hash_combine_range(index.begin(), index.end()));
  }

  uint64_t formula(const Value &value) {
    const auto combined = [&](const auto &...parts) -> uint64_t {
      return llvm::hash_combine(value->node.index(), unsigned(value->type), parts...);
    };
    return std::visit(
        llvm::makeVisitor(
            [&](const LiteralValue &node) {
              return combined(llvm::bit_cast<uint64_t>(node.value));
            },
            [&](const UniformValue &node) { return combined(kernel.uniforms[node.argument]); },
            [&](const RegisterValue &node) { return registers[node.reg]; },
            [&](const LoadGlobal &node) { return loaded(node); },
            [&](const UnaryValue &node) {
              return combined(unsigned(node.op), formula(node.operand));
            },
            [&](const BinaryValue &node) {
              return combined(unsigned(node.op), formula(node.left), formula(node.right));
            },
            [&](const CompareValue &node) {
              return combined(unsigned(node.op), formula(node.left), formula(node.right));
            },
            [&](const SelectValue &node) {
              return combined(formula(node.condition), formula(node.then), formula(node.otherwise));
            },
            [&](const CallValue &node) {
              std::vector<uint64_t> operands;
              for (const Value &operand : node.operands)
                operands.push_back(formula(operand));
              return combined(unsigned(node.function),
                              llvm::hash_combine_range(operands.begin(), operands.end()));
            },
            [&](const CastValue &node) { return combined(formula(node.operand)); },
            [&](const GuardedValue &node) {
              return formula(holds(node.box) ? node.inside : node.outside);
            },
            [&](const IndexValue &node) { return combined(at(node.index)); },
            [&](const auto &) { return notUnderstood(); }),
        value->node);
  }

  void run(const Body &body) {
    for (const Statement &statement : body)
      std::visit(llvm::makeVisitor(
                     [&](const LetIndex &node) { locals[node.local] = at(node.value); },
                     [&](const Let &node) { registers[node.reg] = formula(node.value); },
                     [&](const LetMutable &node) { registers[node.reg] = formula(node.value); },
                     [&](const Assign &node) { registers[node.reg] = formula(node.value); },
                     [&](const StoreGlobal &node) {
                       const uint64_t value = formula(node.value);
                       stored[elementAt(node.array, node.index)] = value;
                     },
                     [&](const If &node) { run(holds(node.box) ? node.then : node.otherwise); },
                     [&](const For &node) {
                       const int64_t begin = at(node.begin), end = at(node.end);
                       for (int64_t turn = begin; turn < end; turn += node.step) {
                         locals[node.local] = turn;
                         run(node.body);
                       }
                     },
                     [](const LetPointer &) {}, [](const Phase &) {},
                     [&](const auto &) { notUnderstood(); }),
                 statement.node);
  }

  uint64_t notUnderstood() {
    isUnderstood = false;
    return 0;
  }

  const Program &program;
  const Launch &launch;
  const Kernel &kernel;
  const RunNumbers &numbers;
  const PlacedCover cover;
  std::vector<int64_t> locals;
  std::vector<uint64_t> registers;
  HostFormulas stored;
  bool isUnderstood = true;
};

} // namespace

std::optional<HostFormulas> mutation::formulasOf(const Program &program, const Launch &launch,
                                                 const RunNumbers &numbers) {
  return Run(program, launch, numbers).all();
}
