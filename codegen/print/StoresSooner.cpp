#include "codegen/print/StoresSooner.h"
#include "codegen/print/ChangedIndices.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace stencilc;

/// Fewer results a reader finds one below the other.
static constexpr int kLeastResults = 10;

static bool isStore(const Statement &statement) {
  return std::holds_alternative<StoreGlobal>(statement.node);
}

/// True of what makes a value of a point, or stores it.
static bool isOfPoint(const Statement &statement) {
  return isStore(statement) || std::holds_alternative<Let>(statement.node) ||
         std::holds_alternative<LetIndex>(statement.node);
}

namespace {

/// Statements one after the other, with what each asks for.
class Results {
public:
  explicit Results(llvm::ArrayRef<Statement> statements);
  Body ordered();

private:
  const llvm::ArrayRef<Statement> statements;
  std::map<unsigned, size_t> registers, locals; ///< by number, the statement that makes them
  std::vector<bool> isMade;
  Body made;

  void make(size_t number);
};

} // namespace

Results::Results(llvm::ArrayRef<Statement> statements)
    : statements(statements), isMade(statements.size()) {
  for (const auto &[number, statement] : llvm::enumerate(statements)) {
    if (const auto *let = std::get_if<Let>(&statement.node))
      registers[let->reg] = number;
    else if (const auto *let = std::get_if<LetIndex>(&statement.node))
      locals[let->local] = number;
  }
}

/// The statement, behind those that make what it is made of.
void Results::make(size_t number) {
  if (isMade[number])
    return;
  isMade[number] = true;
  const auto makeFrom = [&](const std::map<unsigned, size_t> &makers, unsigned name) {
    if (const auto maker = makers.find(name); maker != makers.end())
      make(maker->second);
    return false;
  };
  for (const Index &index : indicesOf({statements[number]}))
    if (index)
      anyCoordinate(index, [&](const Coordinate &own) {
        return own.kind == CoordinateKind::Local && makeFrom(locals, own.number);
      });
  if (const Value *value = valueOf(statements[number]))
    forEachValue(*value, [&](const ValueNode &node) {
      if (const auto *own = std::get_if<RegisterValue>(&node.node))
        makeFrom(registers, own->reg);
    });
  made.push_back(statements[number]);
}

static bool loadsFrom(const Statement &statement, unsigned array) {
  bool loads = false;
  if (const Value *value = valueOf(statement))
    forEachValue(*value, [&](const ValueNode &node) {
      const auto *load = std::get_if<LoadGlobal>(&node.node);
      loads |= load && load->array == array;
    });
  return loads;
}

/// Stores stay in their order, and behind what loads from their array.
Body Results::ordered() {
  for (const auto &[number, statement] : llvm::enumerate(statements)) {
    const auto *store = std::get_if<StoreGlobal>(&statement.node);
    if (!store)
      continue;
    for (size_t before = 0; before < number; ++before)
      if (!isStore(statements[before]) && loadsFrom(statements[before], store->array))
        make(before);
    make(number);
  }
  for (size_t number = 0; number < statements.size(); ++number)
    make(number);
  return std::move(made);
}

Body stencilc::storesSooner(Body body) {
  Body result;
  for (llvm::ArrayRef<Statement> left = body; !left.empty();) {
    const llvm::ArrayRef<Statement> run = left.take_while(isOfPoint);
    if (llvm::count_if(run, isStore) >= kLeastResults) {
      llvm::append_range(result, Results(run).ordered());
      left = left.drop_front(run.size());
      continue;
    }
    llvm::append_range(result, run);
    left = left.drop_front(run.size());
    if (left.empty())
      break;
    result.push_back(left.front());
    forEachBody(result.back(), [](Body &inner) { inner = storesSooner(std::move(inner)); });
    left = left.drop_front();
  }
  return result;
}
