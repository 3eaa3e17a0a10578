#include "frontend/lift/CheckedFunction.h"
#include "frontend/lift/RunText.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

llvm::StringRef elementTypeText(ScalarType type) {
  return type == ScalarType::F32 ? "float" : "double";
}

CheckedFunction::CheckedFunction(const Understood &source)
    : source(source), found(withPlainNames(source)), tree(found.tree), grid(found.grid),
      name(found.lifted.stencil.name) {
  for (auto [number, symbol] : llvm::enumerate(tree.symbols))
    if (symbol.kind == SymbolInfo::Kind::Param && !symbol.isMade)
      addNumber(symbol.type == ScalarType::Int ? whole : numbers, number);
}

void CheckedFunction::addNumber(std::vector<Symbol> &list, Symbol number) const {
  llvm::erase_if(
      list, [&](Symbol other) { return tree.symbols[other].name == tree.symbols[number].name; });
  list.push_back(number);
}

Understood CheckedFunction::withPlainNames(Understood found) {
  std::vector<std::string> taken;
  const auto rename = [&](std::string &name) {
    std::string plain;
    for (char letter : name)
      plain += isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    if (plain == name)
      return;
    while (llvm::is_contained(taken, plain))
      plain += "_";
    taken.push_back(plain);
    for (std::string &param : found.lifted.binding.params)
      if (param == name)
        param = plain;
    name = plain;
  };
  for (SymbolInfo &symbol : found.tree.symbols)
    if (symbol.kind == SymbolInfo::Kind::Param && !symbol.isMade)
      rename(symbol.name);
  for (SymbolInfo &symbol : found.tree.symbols)
    if (symbol.isMade) {
      const std::string old = std::exchange(symbol.name, found.tree.textOfMade(symbol));
      std::replace(found.lifted.binding.params.begin(), found.lifted.binding.params.end(), old,
                   symbol.name);
    }
  return found;
}

const Gathered &CheckedFunction::gatheredAs(unsigned reduction) const {
  return tree.reductions[found.lifted.binding.reductions[reduction]];
}

bool CheckedFunction::isSize(unsigned reduction) const {
  const auto &numbers = found.lifted.binding.reductions;
  return llvm::is_contained(llvm::ArrayRef(numbers).take_front(reduction), numbers[reduction]);
}

const Prototype::Argument *CheckedFunction::argumentOf(const Gathered &gathered) const {
  for (const auto &argument : found.prototype.arguments)
    if (argument.kind == Prototype::Argument::Kind::Pointer &&
        (gathered.result == "*" + argument.name || gathered.result == argument.name + "[0]"))
      return &argument;
  return nullptr;
}

bool CheckedFunction::isOutside(unsigned number) const {
  const Buffer &buffer = tree.buffers[number];
  return !buffer.isLocal && !found.prototype.find(buffer.name) &&
         !found.prototype.ownerOf(buffer.name) && !found.prototype.isField(buffer.name);
}

bool CheckedFunction::isGlobal(unsigned buffer) const {
  return isOutside(buffer) && !isGlobalPointer(buffer) && !isGlobalContainer(buffer);
}

bool CheckedFunction::isGlobalContainer(unsigned buffer) const {
  return isOutside(buffer) && tree.buffers[buffer].isObject && !tree.buffers[buffer].isFixed &&
         found.prototype.isCPlusPlus && !found.prototype.isMain;
}

bool CheckedFunction::isGlobalPointer(unsigned number) const {
  return isOutside(number) && tree.buffers[number].isPointer;
}

std::vector<std::string> CheckedFunction::rowsOfTable(unsigned buffer) const {
  std::vector<std::string> result;
  for (const GridArray &array : grid.arrays) {
    const bool isMeant = llvm::any_of(ringOf(array), [&](const Storage &storage) {
      return storage.buffer == buffer && storage.part.empty() && !storage.slot;
    });
    if (!isMeant || array.axes.size() != tree.buffers[buffer].extents.size())
      continue;
    for (unsigned axis : array.axes) {
      bool isKnown = true;
      const std::string extent =
          lift::text(extentInC(grid, array, axis), [&](Symbol symbol) -> std::string {
            const auto place = llvm::find(whole, symbol);
            isKnown &= place != whole.end();
            return fmt::format("whole[{}]", place - whole.begin());
          });
      if (!isKnown)
        return {};
      result.push_back("(" + extent + ")");
    }
    return result;
  }
  return result;
}

std::string whyNoTables(const Understood &source) {
  struct Tables : CheckedFunction {
    explicit Tables(const Understood &source) : CheckedFunction(source) {}
    std::string why() const {
      for (auto [number, buffer] : llvm::enumerate(tree.buffers))
        if (isGlobalContainer(number) &&
            !llvm::all_of(llvm::ArrayRef(buffer.extents).drop_front(),
                          [](const auto &extent) { return extent && extent->number(); }))
          return fmt::format("`{}` is a global container of others", buffer.name);
        else if ((buffer.isPointerTable || found.prototype.isVectorOfVectors(buffer.name)) &&
                 !buffer.isLocal && rowsOfTable(number).empty())
          return fmt::format("how long the rows of `{}` are is not known", buffer.name);
      return "";
    }
  };
  return Tables(source).why();
}

} // namespace stencilc::lift
