#include "frontend/lift/ProgramLoops.h"

#include "frontend/lift/Edits.h"
#include "frontend/lift/ReaderState.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <fmt/format.h>

using namespace clang;

namespace stencilc::lift {

namespace {
class Extractor {
public:
  Extractor(Prototype &prototype, const FunctionDecl &main, const LoopTree &tree, const Grid &grid,
            const ASTContext &context)
      : prototype(prototype), main(main), tree(tree), grid(grid), context(context),
        sources(context.getSourceManager()) {}

  void extract(const std::optional<Marked> &marked) {
    findGiven();
    const bool isFound = marked ? findMarked(*main.getBody(), *marked) : findLoops();
    const std::string text = isFound ? textOfLoops() : "";
    if (!why.empty())
      return void(prototype.whyNoLoops = why);
    prototype.loops = text;
    prototype.arguments = std::move(arguments);
  }

private:
  using Kind = Prototype::Argument::Kind;

  bool refuse(const std::string &reason) {
    if (why.empty())
      why = reason;
    return false;
  }

  // ---- what the stencil is given, by name

  void findGiven() {
    for (const SymbolInfo &symbol : tree.symbols)
      if (symbol.kind == SymbolInfo::Kind::Param && !symbol.isMade)
        givenNumbers.push_back(symbol.name);
    const auto add = [&](unsigned buffer) {
      if (!llvm::is_contained(givenArrays, tree.buffers[buffer].name))
        givenArrays.push_back(tree.buffers[buffer].name);
    };
    for (const GridArray &array : grid.arrays) {
      add(array.current.buffer);
      add(array.next.buffer);
      if (array.previous)
        add(array.previous->buffer);
    }
    for (const auto &[access, _] : grid.elements)
      add(tree.accesses[access].buffer);
  }

  bool isGiven(const VarDecl &variable) const {
    const std::string name = variable.getNameAsString();
    return llvm::is_contained(givenNumbers, name) || llvm::is_contained(givenArrays, name);
  }
  /// A number or a pointer: declared with what is given. Other arrays are filled with it.
  static bool isHandedOver(const VarDecl &variable) {
    return variable.getType()->isArithmeticType() || variable.getType()->isPointerType();
  }

  // ---- the statements

  bool isBefore(SourceLocation left, SourceLocation right) const {
    return sources.isBeforeInTranslationUnit(sources.getExpansionLoc(left),
                                             sources.getExpansionLoc(right));
  }
  bool holds(const Stmt &statement, SourceLocation where) const {
    return !isBefore(where, statement.getBeginLoc()) && !isBefore(statement.getEndLoc(), where);
  }

  bool findMarked(const Stmt &block, const Marked &marked) {
    const Stmt *around = nullptr;
    for (const Stmt *statement : cast<CompoundStmt>(block).body()) {
      if (isBefore(marked.end, statement->getBeginLoc()))
        continue;
      if (!isBefore(statement->getBeginLoc(), marked.begin))
        lifted.push_back(statement);
      else if (isBefore(marked.end, statement->getEndLoc()))
        around = statement;
      else
        before.push_back(statement);
    }
    if (!lifted.empty())
      return true;
    return around && isa<CompoundStmt>(around) ? findMarked(*around, marked)
                                               : refuse("the region stands in another statement");
  }

  /// The loop over time, or all that makes points.
  bool findLoops() {
    std::vector<SourceLocation> places;
    if (grid.timeLoop)
      places.push_back(tree.loops[*grid.timeLoop].where);
    else
      for (const Assignment &assignment : tree.assignments)
        places.push_back(assignment.where);
    const Stmt *block = main.getBody();
    for (;;) {
      const auto isAround = [&](const Stmt *statement) {
        return llvm::all_of(places, [&](SourceLocation where) { return holds(*statement, where); });
      };
      const auto body = cast<CompoundStmt>(block)->body();
      const auto around = llvm::find_if(body, isAround);
      before.insert(before.end(), body.begin(), around);
      if (around == body.end()) {
        before.resize(before.size() - llvm::size(body));
        break;
      }
      if (!isa<CompoundStmt>(*around)) {
        lifted.push_back(*around);
        return isa<ForStmt, WhileStmt, DoStmt>(*around) ||
               refuse("its loops stand in another statement");
      }
      block = *around;
    }
    // Several nests.
    std::vector<const Stmt *> later;
    for (const Stmt *statement : cast<CompoundStmt>(block)->body()) {
      const bool isMade =
          llvm::any_of(places, [&](SourceLocation where) { return holds(*statement, where); });
      (isMade || !lifted.empty() ? later : before).push_back(statement);
      if (isMade) {
        lifted.insert(lifted.end(), later.begin(), later.end());
        later.clear();
      }
    }
    const bool isAll = llvm::all_of(places, [&](SourceLocation where) {
      return llvm::any_of(lifted, [&](const Stmt *statement) { return holds(*statement, where); });
    });
    return (isAll && !lifted.empty()) || refuse("its loops stand in functions that it calls");
  }

  // ---- the text

  std::string sourceText(const Stmt &statement) {
    const CharSourceRange range = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(statement.getSourceRange()), sources, context.getLangOpts());
    if (range.isInvalid())
      refuse("a part of its loops is made by a macro");
    return range.isInvalid() ? "" : edited(range, prototype.edits, context);
  }

  /// Notes which variables of the program a statement needs.
  void need(const Stmt &statement) {
    forEachPart(statement, [&](const Stmt &part) {
      const auto *reference = dyn_cast<DeclRefExpr>(&part);
      const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      if (!variable || variable->getParentFunctionOrMethod() != &main)
        return;
      if (isa<ParmVarDecl>(variable))
        refuse(fmt::format("its loops need `{}`", variable->getNameAsString()));
      if (needed.insert(variable).second)
        needTypeOf(variable->getType());
    });
  }
  void needTypeOf(QualType type) {
    for (;;)
      if (const auto *array = context.getAsVariableArrayType(type)) {
        if (array->getSizeExpr())
          need(*array->getSizeExpr());
        type = array->getElementType();
      } else if (type->isPointerType())
        type = type->getPointeeType();
      else if (const auto *array = context.getAsArrayType(type))
        type = array->getElementType();
      else
        return;
  }

  /// What stays of a statement before the loops.
  std::string kept(const Stmt &statement) {
    if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
      return keptDeclaration(*declaration);
    // A number that the loops need.
    const auto *expression = dyn_cast<clang::Expr>(&statement);
    const clang::Expr *target = expression ? writtenBy(bare(*expression)) : nullptr;
    const auto named = target ? plainVariable(*target) : std::nullopt;
    const auto *set = named && !named->second ? dyn_cast<VarDecl>(named->first) : nullptr;
    if (set && needed.contains(set) && !isGiven(*set)) {
      need(statement);
      return "  " + sourceText(statement) + ";\n";
    }
    if (setsNeighbours(statement)) {
      need(statement);
      return "  " + sourceText(statement) + ";\n";
    }
    for (const Variable &variable : assignedIn(&statement))
      if (const auto *other = dyn_cast<VarDecl>(variable.first);
          other && !set && needed.contains(other) && !isGiven(*other) && !isReset(*other))
        refuse(fmt::format("how `{}` is set before its loops is not followed",
                           other->getNameAsString()));
    return "";
  }

  /// It says of points that the loops look up which others are their neighbours.
  bool setsNeighbours(const Stmt &statement) const {
    bool result = false;
    forEachPart(statement, [&](const Stmt &part) {
      const clang::Expr *target = writtenBy(part);
      const clang::Expr *base = target ? elementParts(bare(*target)).first : nullptr;
      const auto named = base ? plainVariable(*base) : std::nullopt;
      const auto *set = named && !named->second ? dyn_cast<VarDecl>(named->first) : nullptr;
      result |= set && needed.contains(set) && llvm::any_of(tree.buffers, [&](const Buffer &array) {
                  return array.saysNeighbours && array.name == set->getName();
                });
    });
    return result;
  }

  /// The loops set it themselves before they use it: they count with it.
  bool isReset(const VarDecl &variable) const {
    return llvm::any_of(lifted, [&](const Stmt *statement) {
      bool isCounter = false;
      forEachPart(*statement, [&](const Stmt &part) {
        const auto *loop = dyn_cast<ForStmt>(&part);
        const clang::Expr *start =
            loop && loop->getInit() ? dyn_cast<clang::Expr>(loop->getInit()) : nullptr;
        const clang::Expr *target = start ? writtenBy(bare(*start)) : nullptr;
        isCounter |= target && plainVariable(*target) == Variable{&variable, nullptr};
      });
      return isCounter;
    });
  }

  std::string keptDeclaration(const DeclStmt &declaration) {
    std::vector<const VarDecl *> variables;
    bool isWhole = true, isNeeded = false;
    for (const Decl *declared : declaration.decls()) {
      const auto *variable = dyn_cast<VarDecl>(declared);
      isNeeded |= !variable || needed.contains(variable);
      if (!variable || !needed.contains(variable))
        continue;
      variables.push_back(variable);
      isWhole &= !isGiven(*variable) || !isHandedOver(*variable);
    }
    if (!isNeeded)
      return "";
    const bool isAlone = llvm::all_of(declaration.decls(), [&](const Decl *declared) {
      const auto *variable = dyn_cast<VarDecl>(declared);
      return !variable || needed.contains(variable);
    });
    for (const VarDecl *variable : variables)
      if (isGiven(*variable))
        give(*variable);
    if (isWhole && isAlone) {
      for (const VarDecl *variable : variables)
        if (variable->getInit())
          need(*variable->getInit());
      return "  " + sourceText(declaration) + "\n";
    }
    std::string text;
    for (const VarDecl *variable : variables) {
      const std::string name = variable->getNameAsString();
      QualType type = variable->getType();
      std::string declared = name;
      type.getAsStringInternal(declared, context.getPrintingPolicy());
      text += std::string("  ") + (variable->isStaticLocal() ? "static " : "") + declared;
      if (isGiven(*variable) && isHandedOver(*variable))
        text += fmt::format(
            " = {}lift_given_{}",
            type->isPointerType()
                ? "(" + type.getUnqualifiedType().getAsString(context.getPrintingPolicy()) + ")"
                : "",
            name);
      else if (variable->getInit()) {
        if (variable->getInitStyle() != VarDecl::CInit)
          refuse(fmt::format("`{}` is an object", name));
        need(*variable->getInit());
        text += " = " + sourceText(*variable->getInit());
      }
      text += ";\n";
    }
    return text;
  }

  /// Makes the variable an argument.
  void give(const VarDecl &variable) {
    const std::string name = variable.getNameAsString();
    if (llvm::any_of(arguments, [&](const auto &argument) { return argument.name == name; }))
      return void(refuse(fmt::format("there are several variables `{}`", name)));
    const QualType type = variable.getType();
    Prototype::Argument argument{name, type.getAsString(context.getPrintingPolicy()), Kind::Memory};
    if (type->isIntegralOrEnumerationType())
      argument.kind = Kind::Whole;
    else if (type->isRealFloatingType())
      argument.kind = Kind::Number;
    else if (type->isPointerType())
      argument.kind = Kind::Pointer;
    if (argument.kind == Kind::Pointer)
      argument.type = "void *";
    arguments.push_back(std::move(argument));
  }

  /// Numbers that the stencil is given and the loops do without.
  void giveUnused() {
    const auto add = [&](const VarDecl &variable) {
      if (isGiven(variable) && variable.getType()->isArithmeticType() &&
          !needed.contains(&variable))
        give(variable);
    };
    for (const ParmVarDecl *parameter : main.parameters())
      add(*parameter);
    forEachPart(*main.getBody(), [&](const Stmt &part) {
      if (const auto *declaration = dyn_cast<DeclStmt>(&part))
        for (const Decl *declared : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(declared))
            add(*variable);
    });
  }

  std::string textOfLoops() {
    std::string text, head, fill, fetch;
    for (const Stmt *statement : lifted)
      need(*statement);
    // The last one first: what a statement needs is set before it.
    std::vector<std::string> kepts;
    for (const Stmt *statement : llvm::reverse(before))
      kepts.push_back(kept(*statement));
    for (const std::string &part : llvm::reverse(kepts))
      text += part;
    giveUnused();
    for (const auto &argument : arguments) {
      const std::string &name = argument.name;
      const std::string type = argument.kind == Kind::Memory || argument.kind == Kind::Pointer
                                   ? "void *"
                                   : argument.type + " ";
      head += fmt::format("{}{}lift_given_{}", head.empty() ? "" : ", ", type, name);
      if (argument.kind != Kind::Memory)
        continue;
      head += fmt::format(", long long lift_bytes_{}", name);
      const auto buffer = llvm::find_if(
          tree.buffers, [&](const Buffer &candidate) { return candidate.name == name; });
      const std::string place = buffer->isObject ? "&" + name + "[0]" : name;
      const std::string bytes =
          buffer->isObject
              ? "lift_bytes_" + name
              : fmt::format("(lift_bytes_{0} < (long long)sizeof {0} ? lift_bytes_{0} : (long "
                            "long)sizeof {0})",
                            name);
      fill +=
          fmt::format("  __builtin_memcpy((void *){}, lift_given_{}, {});\n", place, name, bytes);
      fetch +=
          fmt::format("  __builtin_memcpy(lift_given_{}, (void *){}, {});\n", name, place, bytes);
    }
    text += fill;
    for (const Stmt *statement : lifted)
      text += "  " + sourceText(*statement) + (isa<DeclStmt>(statement) ? "\n" : ";\n");
    return fmt::format("int lift_loops({}) {{\n{}{}  return 0;\n}}\n", head.empty() ? "void" : head,
                       text, fetch);
  }

  Prototype &prototype;
  const FunctionDecl &main;
  const LoopTree &tree;
  const Grid &grid;
  const ASTContext &context;
  const SourceManager &sources;
  std::vector<std::string> givenNumbers, givenArrays;
  std::vector<const Stmt *> before, lifted;
  llvm::SmallPtrSet<const VarDecl *, 16> needed;
  std::vector<Prototype::Argument> arguments;
  std::string why;
};
} // namespace

void takeLoopsOut(Prototype &prototype, const FunctionDecl &main,
                  const std::optional<Marked> &marked, const LoopTree &tree, const Grid &grid,
                  const ASTContext &context) {
  Extractor(prototype, main, tree, grid, context).extract(marked);
}

} // namespace stencilc::lift
