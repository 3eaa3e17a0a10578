// How the original is called, in its own language.
#include "frontend/lift/CheckSupport.h"
#include "frontend/lift/CheckText.h"
#include "frontend/lift/CheckedFunction.h"
#include "frontend/lift/Edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

namespace stencilc::lift {

namespace {
class OriginalCall : CheckedFunction {
public:
  explicit OriginalCall(const Understood &source) : CheckedFunction(source) {}

  std::string text() const {
    const bool isCPlusPlus = found.prototype.isCPlusPlus;
    std::string text, arguments, after;
    for (unsigned number = 0; number < tree.buffers.size(); ++number)
      if (isGlobal(number))
        text += fmt::format("    case {}: return (void *){}{};\n", number,
                            tree.buffers[number].isObject ? "&" : "", nameInFile(number));
    std::string result = fmt::format("{0}void *original_{1}_array(int number) {{\n  switch "
                                     "(number) {{\n{2}    default: return 0;\n  }}\n}}\n",
                                     linkage(), name, text);
    text.clear();
    for (unsigned number = 0; number < tree.buffers.size(); ++number)
      text += tableText(number);
    for (const auto &argument : found.prototype.arguments)
      text += ownText(argument);
    if (found.prototype.isMember)
      text += objectText(found.prototype.owner, "lift_this", false);
    for (auto [place, symbol] : llvm::enumerate(whole))
      text += givenText(source.tree.symbols[symbol].name, fmt::format("whole[{}]", place));
    for (auto [place, symbol] : llvm::enumerate(numbers))
      text += givenText(source.tree.symbols[symbol].name, fmt::format("numbers[{}]", place));
    for (auto [number, buffer] : llvm::enumerate(source.tree.buffers))
      if (const std::string member = memberText(buffer.name); !member.empty()) {
        const std::string where = fmt::format("({}, {}, counts[{}], sizeof({}));\n", member,
                                              memoryText(number), number, buffer.elementText());
        text += "  lift_hand" + where;
        after += "  lift_fetch" + where;
      } else if (found.prototype.ownerOf(buffer.name))
        text += fmt::format("  {} = {};\n", buffer.name, memoryText(number));
    for (auto [number, buffer] : llvm::enumerate(tree.buffers))
      if (isGlobalPointer(number))
        text +=
            fmt::format("  {0} = (__typeof__({0})){1};\n", nameInFile(number), memoryText(number));
      else if (isGlobalContainer(number)) {
        const std::string where =
            fmt::format("({}, {}, counts[{}], sizeof({}));\n", nameInFile(number),
                        memoryText(number), number, buffer.elementText());
        text += "  lift_hand" + where;
        after += "  lift_fetch" + where;
      }
    for (const auto &argument : found.prototype.arguments)
      arguments += (arguments.empty() ? "" : ", ") + argumentText(argument, text, after);
    if (isCPlusPlus)
      after += "  lift_settle();\n";
    const std::string &full = found.prototype.name;
    const std::string callee = found.prototype.isMain     ? "lift_loops"
                               : found.prototype.isMember ? "lift_this." + lastName(full)
                               : isCPlusPlus              ? "::" + full
                                                          : full;
    return found.prototype.loops + result +
           fmt::format("{}void original_{}(void **arrays, const long long *whole, const double "
                       "*numbers, const long long *counts, double *results) {{\n  (void)arrays; "
                       "(void)whole; (void)numbers; (void)counts; (void)results;\n"
                       "{}  {}{}({});\n{}}}\n",
                       linkage(), name, text, returnedText(), callee, arguments,
                       after + pointedText());
  }

private:
  std::string memoryText(unsigned number) const {
    return tableText(number).empty() ? fmt::format("arrays[{}]", number)
                                     : fmt::format("(void *)lift_table_{}", number);
  }

  /// Pointers to the rows of an array, and to those of its planes.
  std::string tableText(unsigned number) const {
    const Buffer &buffer = tree.buffers[number];
    const auto extents =
        buffer.isPointerTable && !buffer.isLocal ? rowsOfTable(number) : std::vector<std::string>();
    if (extents.empty())
      return "";
    std::string type = buffer.elementText() + " ", text;
    std::string from = fmt::format("arrays[{}]", number), count = extents[0];
    for (unsigned place = 1; place + 1 < extents.size(); ++place)
      count += " * " + extents[place];
    for (unsigned place = extents.size(); --place > 0;) {
      const std::string name = fmt::format("lift_{}_{}", place == 1 ? "table" : "rows", number);
      text += fmt::format("  {0}**{1} = ({0}**)__builtin_malloc(({2}) * sizeof(void *));\n"
                          "  for (long long lift_row = 0; lift_row < {2}; ++lift_row)\n"
                          "    {1}[lift_row] = ({0}*){3} + lift_row * {4};\n",
                          type, name, count, from, extents[place]);
      count = extents[0];
      from = name;
      type += "*";
    }
    return text;
  }

  /// "results[0] = " where the function returns such a number.
  std::string returnedText() const {
    for (unsigned number = 0; number < found.lifted.binding.reductions.size(); ++number)
      if (gatheredAs(number).result == "return" && !isSize(number))
        return fmt::format("results[{}] = ", number);
    return "";
  }

  /// Looks at what the function has set for its caller.
  std::string pointedText() const {
    std::string text;
    for (unsigned number = 0; number < found.lifted.binding.reductions.size(); ++number)
      if (const auto *argument = argumentOf(gatheredAs(number)); argument && !isSize(number))
        text += fmt::format("  results[{}] = *({})lift_spare_{};\n", number, argument->type,
                            argument->name);
    return text;
  }

  /// What an argument points to where that is no array of the grid.
  std::string ownText(const Prototype::Argument &argument) const {
    using Kind = Prototype::Argument::Kind;
    if (argument.kind == Kind::WholePointer) {
      llvm::StringRef element = llvm::StringRef(argument.type).drop_back();
      element.consume_front("const ");
      return fmt::format("  static {}lift_given_{}[64];\n", element.str(), argument.name);
    }
    if (argument.kind == Kind::Object && !found.prototype.isCPlusPlus)
      return fmt::format("  static {} {};\n", argument.type, argument.name);
    if (argument.kind == Kind::Object)
      return objectText(argument.type, argument.name, argument.isPointer);
    if (argument.kind == Kind::ObjectPointer)
      return fmt::format("  static {0} lift_given_{1}; {0} *{1} = &lift_given_{1};\n",
                         argument.type, argument.name);
    return "";
  }

  /// Memory for an object whose constructor is not known.
  static std::string objectText(const std::string &type, const std::string &name, bool isPointer) {
    return fmt::format("  alignas({0}) static unsigned char lift_raw_{1}[sizeof({0})];\n"
                       "  std::memset(lift_raw_{1}, 0, sizeof lift_raw_{1});\n"
                       "  {0} {2}{1} = {3}reinterpret_cast<{0} *>(lift_raw_{1});\n",
                       type, name, isPointer ? "*" : "&", isPointer ? "" : "*");
  }

  static std::string lastName(llvm::StringRef name) {
    return name.take_front(name.find('<')).rsplit(':').second.str() +
           name.drop_front(std::min(name.find('<'), name.size())).str();
  }

  /// `grid.data`, `lift_this.data`: a member that C++ has to be handed; empty for others.
  std::string memberText(const std::string &name) const {
    if (!found.prototype.isCPlusPlus)
      return "";
    const auto *owner = found.prototype.ownerOf(name);
    const auto *argument = owner ? owner : found.prototype.find(name);
    if (argument && argument->kind == Prototype::Argument::Kind::Object)
      return name;
    return !argument && found.prototype.isField(name) ? "lift_this." + name : "";
  }

  /// Sets what no argument takes.
  std::string givenText(llvm::StringRef name, const std::string &value) const {
    const auto *owner = found.prototype.ownerOf(name);
    if (name.ends_with(".size()")) // it has its size
      return "";
    if (const std::string member = memberText(name.str()); !member.empty())
      return fmt::format("  lift_set({}, {});\n", member, value);
    if (!owner)
      return found.prototype.find(name) ? "" : fmt::format("  {} = {};\n", name.str(), value);
    if (owner->kind == Prototype::Argument::Kind::ObjectPointer && name.contains('[')) {
      const std::string numbers = name.split('[').first.str();
      return fmt::format(
          "  if (!{0}) *(void **)&{0} = __builtin_calloc(64, sizeof *{0});\n  {1} = {2};\n",
          numbers, name.str(), value);
    }
    if (owner->kind != Prototype::Argument::Kind::WholePointer)
      return fmt::format("  {} = {};\n", name.str(), value);
    const std::string place =
        name.starts_with("*") ? "0" : name.split('[').second.drop_back().str();
    return fmt::format("  lift_given_{}[{}] = {};\n", owner->name, place, value);
  }

  std::string linkage() const { return found.prototype.isCPlusPlus ? "extern \"C\" " : ""; }

  std::string argumentText(const Prototype::Argument &argument, std::string &before,
                           std::string &after) const {
    using Kind = Prototype::Argument::Kind;
    const auto numberOf = [&](llvm::ArrayRef<Symbol> symbols, llvm::StringRef table) {
      for (auto [place, symbol] : llvm::enumerate(symbols))
        if (tree.symbols[symbol].name == argument.name)
          return fmt::format("{}[{}]", table.str(), place);
      return std::string("0");
    };
    if (argument.kind == Kind::Whole)
      return numberOf(whole, "whole");
    if (argument.kind == Kind::Number)
      return numberOf(numbers, "numbers");
    const bool isArray = llvm::any_of(tree.buffers, [&](const Buffer &buffer) {
      return buffer.name == argument.name && !buffer.isLocal;
    });
    if (argument.kind == Kind::WholePointer && !isArray)
      return "lift_given_" + argument.name;
    if (argument.kind == Kind::ObjectPointer)
      return "&lift_given_" + argument.name;
    if (argument.kind == Kind::Object)
      return argument.name;
    for (auto [number, buffer] : llvm::enumerate(tree.buffers)) {
      if (buffer.name != argument.name || buffer.isLocal)
        continue;
      if (argument.kind == Kind::Vector) {
        const std::string type = buffer.elementText();
        const bool isOfBits = buffer.whole && buffer.whole->bits == 1;
        before += fmt::format("  std::vector<{0}> v{1}(({2} *)arrays[{1}], ({2} *)arrays[{1}] + "
                              "counts[{1}]);\n",
                              isOfBits ? "bool" : type, number, type);
        after += fmt::format("  std::copy(v{0}.begin(), v{0}.end(), ({1} *)arrays[{0}]);\n", number,
                             type);
        return fmt::format("v{}", number);
      }
      if (argument.kind == Kind::VectorOfVectors) {
        const std::string from = fmt::format("({} *)arrays[{}]", buffer.elementText(), number);
        before += fmt::format("  {} v{};\n  lift_take_rows(v{}, {}, {{{}}});\n", argument.type,
                              number, number, from, fmt::join(rowsOfTable(number), ", "));
        after += fmt::format("  lift_give_rows(v{}, {});\n", number, from);
        return fmt::format("v{}", number);
      }
      const std::string pointer = memoryText(number);
      if (argument.type.find("(&") != std::string::npos)
        return fmt::format("reinterpret_cast<{}>(*(char *){})", argument.type, pointer);
      if (argument.kind == Kind::Memory)
        return fmt::format("{}, counts[{}] * sizeof({})", pointer, number, buffer.elementText());
      return found.prototype.isCPlusPlus ? "AnyPointer{" + pointer + "}" : pointer;
    }
    if (argument.kind != Kind::Pointer)
      return argument.kind == Kind::Vector || argument.kind == Kind::VectorOfVectors ? "{}" : "0";
    // A place for a result that is not the stencil's.
    before += fmt::format("  static double lift_spare_{}[4096];\n", argument.name);
    const std::string spare = "(void *)lift_spare_" + argument.name;
    return found.prototype.isCPlusPlus ? "AnyPointer{" + spare + "}" : spare;
  }
};
} // namespace

/// The file with the functions, whose loops over time make as many turns as they are told.
static std::string fileText(llvm::ArrayRef<Understood> functions, llvm::StringRef source) {
  std::vector<Edit> edits;
  for (const Understood &found : functions)
    if (!found.prototype.isMain) // of which there is a copy
      edits.insert(edits.end(), found.prototype.edits.begin(), found.prototype.edits.end());
  if (edits.empty())
    return fmt::format("#include \"{}\"\n", source.str());
  const auto file = llvm::MemoryBuffer::getFile(source);
  return fmt::format("#line 1 \"{}\"\n{}\n", source.str(),
                     file ? edited((*file)->getBuffer(), 0, edits) : "");
}

std::string originalText(llvm::ArrayRef<Understood> functions, llvm::StringRef source) {
  std::string text = fmt::format("static long long {};\n", kTurnsLeft);
  if (functions[0].prototype.isCPlusPlus) // before the macros of the source
    text += membersText();
  const std::string &fragment = functions[0].prototype.fragment;
  text += fragment.empty()
              ? "#define main original_main\n" + fileText(functions, source) + "#undef main\n"
              : fragment;
  for (const Understood &found : functions)
    text += OriginalCall(found).text();
  return text;
}

} // namespace stencilc::lift
