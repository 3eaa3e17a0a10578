#include "frontend/language/Sema.h"

#include "frontend/language/Lexer.h"
#include "frontend/language/Parser.h"
#include "ir/stencil/StencilVerifier.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace stencilc {

using Kind = Symbol::Kind;

std::optional<Stencil> Sema::run(const ast::File &file) {
  setName(file);
  stencil.file = diagnostics.file();
  declareAxes(file);
  // More axes than there is room for in every array: nothing further makes sense.
  if (stencil.rank() > kMaxRank)
    return std::nullopt;

  for (const ast::Item &item : file.items)
    std::visit([&](const auto &item) { declare(item); }, item);
  if (!checkCounts())
    return std::nullopt;
  for (llvm::StringRef name : file.faulty.declared)
    names.excuse(name);
  names.reserveInterface(stencil);
  checkInterface(file);
  expectLets(file);
  makings.resize(stencil.arrays.size());
  for (const ast::Item &item : file.items)
    std::visit([&](const auto &item) { resolve(item); }, item);

  setDefaults();
  checkMade(file);
  coverRest();
  setBoundaries();
  expandAll(file.faulty.hasBoundary);
  for (const FaultyUpdate &update : faultyUpdates)
    checkOrder(update);
  if (diagnostics.hasErrors())
    return std::nullopt;
  checkPoints();
  if (diagnostics.hasErrors())
    return std::nullopt;
  warnOfUnused(file);
  return std::move(stencil);
}

/// From the file, or from --name.
void Sema::setName(const ast::File &file) {
  const ast::Name name =
      options.name.empty() ? file.name : ast::Name{diagnostics.addText("--name", options.name)};
  names.checkWord(name, "a stencil");
  stencil.name = name.text;
}

// ---- declarations -----------------------------------------------------------------------------

void Sema::declareAxes(const ast::File &file) {
  if (file.axes.size() > kMaxRank)
    diagnostics.report(Diag::too_many_axes, file.axes[kMaxRank].range(), file.axes.size());
  for (const ast::Name &axis : file.axes) {
    if (axis.text == "t")
      diagnostics.report(Diag::axis_t, axis.range());
    names.declare(axis, Kind::Axis, stencil.rank());
    stencil.axes.push_back(axis.text.str());
  }
}

ScalarType Sema::typeOf(ast::TypeWord word) const {
  switch (word) {
  case ast::TypeWord::F32:
    return ScalarType::F32;
  case ast::TypeWord::F64:
    return ScalarType::F64;
  case ast::TypeWord::Real:
    return options.real;
  case ast::TypeWord::Int:
    return ScalarType::Int;
  }
  llvm_unreachable("all types are listed");
}

static Kind symbolOf(ArrayKind kind) {
  switch (kind) {
  case ArrayKind::Field:
    return Kind::Field;
  case ArrayKind::Const:
    return Kind::Const;
  case ArrayKind::Temp:
    return Kind::Temp;
  }
  llvm_unreachable("all kinds are listed");
}

void Sema::declareArray(const ast::Name &name, ast::TypeWord word, ArrayKind kind,
                        llvm::ArrayRef<ast::Name> axes) {
  names.declare(name, symbolOf(kind), stencil.arrays.size());
  Array array;
  array.name = name.text;
  array.kind = kind;
  array.type = typeOf(word);
  array.position = diagnostics.position(name.range().Start);
  setAxes(array, axes);
  stencil.arrays.push_back(std::move(array));
}

void Sema::setAxes(Array &array, llvm::ArrayRef<ast::Name> axes) {
  const auto *time = llvm::find_if(axes, [](const ast::Name &axis) { return axis.text == "t"; });
  array.isOverTime = time != axes.end();
  if (array.isOverTime && axes.size() > 1)
    diagnostics.report(Diag::axes_and_time, time->range(), array.name);
  for (const ast::Name &axis : axes) {
    std::optional<unsigned> number;
    if (array.isOverTime || !(number = resolver.resolveAxis(axis)))
      continue;
    if (!array.axes.empty() && *number <= array.axes.back())
      diagnostics.report(Diag::axes_out_of_order, axis.range(), array.name);
    else
      array.axes.push_back(*number);
  }
  if (axes.empty())
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      array.axes.push_back(axis);
}

void Sema::declare(const ast::FieldDecl &item) {
  for (const ast::Name &name : item.names)
    declareArray(name, item.type, item.kind, {});
}

void Sema::declare(const ast::ConstDecl &item) {
  for (const ast::ArrayDecl &array : item.arrays)
    declareArray(array.name, item.type, ArrayKind::Const, array.axes);
}

void Sema::declare(const ast::ParamsDecl &item) {
  for (const ast::ParamDecl &param : item.params) {
    names.declare(param.name, Kind::Param, stencil.params.size());
    stencil.params.push_back({param.name.text.str(), typeOf(item.type), std::nullopt,
                              diagnostics.position(param.name.range().Start)});
  }
}

void Sema::declare(const ast::ReduceDecl &item) {
  names.declare(item.name, Kind::Reduction, stencil.reductions.size());
  stencil.reductions.push_back({.name = item.name.text.str(),
                                .op = item.op,
                                .formula = {},
                                .text = withSingleBlanks(item.text),
                                .position = diagnostics.position(item.name.range().Start)});
}

bool Sema::checkCounts() {
  const auto check = [&](const auto &declared, llvm::StringRef what, size_t most) {
    if (declared.size() <= most)
      return true;
    diagnostics.report(Diag::too_many_names, names.find(declared[most].name)->declared,
                       declared.size(), what, most);
    return false;
  };
  return check(stencil.arrays, "arrays", kMaxArrays) && check(stencil.params, "params", kMaxParams);
}

/// Members are known only when all fields are, so names are held against them afterwards.
void Sema::checkInterface(const ast::File &file) {
  auto check = [&](const ast::Name &name, Kind kind) {
    names.checkInterface(name, describe(kind));
  };
  for (const ast::Name &axis : file.axes)
    check(axis, Kind::Axis);
  for (const ast::Item &item : file.items) {
    if (const auto *fields = std::get_if<ast::FieldDecl>(&item))
      for (const ast::Name &name : fields->names)
        check(name, symbolOf(fields->kind));
    else if (const auto *constants = std::get_if<ast::ConstDecl>(&item))
      for (const ast::ArrayDecl &array : constants->arrays)
        check(array.name, Kind::Const);
    else if (const auto *params = std::get_if<ast::ParamsDecl>(&item))
      for (const ast::ParamDecl &param : params->params)
        check(param.name, Kind::Param);
    else if (const auto *reduction = std::get_if<ast::ReduceDecl>(&item))
      check(reduction->name, Kind::Reduction);
  }
}

void Sema::expectLets(const ast::File &file) {
  for (const ast::Item &item : file.items) {
    if (const auto *let = std::get_if<ast::LetDecl>(&item))
      resolver.expectLet(let->name);
    else if (const auto *stage = std::get_if<ast::StageDecl>(&item))
      for (const auto &inner : stage->items)
        if (const auto *let = std::get_if<ast::LetDecl>(&inner))
          resolver.expectLet(let->name);
  }
}

// ---- expressions, in the order of the file ------------------------------------------------------

void Sema::resolve(const ast::ParamsDecl &item) {
  for (const ast::ParamDecl &param : item.params) {
    if (!param.defaultValue)
      continue;
    TermPtr value = resolver.resolveNumber(*param.defaultValue, Place::ParamDefault);
    // The name may be another thing's, which was reported.
    const Symbol *symbol = names.find(param.name.text);
    if (value && symbol->kind == Kind::Param)
      defaults[symbol->number] = std::move(value);
  }
}

void Sema::resolve(const ast::LetDecl &item) {
  knownLets.push_back(&item);
  if (!item.parameters.empty()) {
    names.declare(item.name, Kind::Function, resolver.defineFunction(item));
    return;
  }
  // A let is no name for itself: it is declared after its value is resolved.
  TermPtr value = resolver.resolve(*item.value, Place::Formula);
  names.declare(item.name, Kind::Let, lets.size());
  names.checkInterface(item.name, describe(Kind::Let));
  lets.push_back({item.name.text.str(), std::move(value)});
}

void Sema::resolve(const ast::InitDecl &item) {
  const Symbol *symbol = resolver.resolveArray(item.array);
  const bool isOverTime = symbol && stencil.arrays[symbol->number].isOverTime;
  TermPtr value =
      resolver.resolveNumber(*item.value, isOverTime ? Place::InitOverTime : Place::Init);
  if (!symbol || !value)
    return;
  llvm::SMRange place = item.array.range();
  if (symbol->kind == Kind::Temp) {
    diagnostics.report(Diag::init_of_temp, place, item.array.text);
    return;
  }
  if (item.isPrevious && symbol->kind != Kind::Field) {
    diagnostics.report(Diag::level_of_non_field, place, item.array.text, describe(symbol->kind))
        .note(Diag::declared_here, symbol->declared, item.array.text);
    return;
  }
  auto [first, isNew] = initPlaces.try_emplace({symbol->number, item.isPrevious}, place);
  if (isNew)
    inits.push_back({symbol->number, item.isPrevious, std::move(value)});
  else
    diagnostics
        .report(Diag::init_repeated, place,
                item.array.text.str() + (item.isPrevious ? "[t-1]" : ""))
        .note(Diag::first_here, first->second);
}

void Sema::resolve(const ast::UpdateDecl &item) {
  if (stageCount > 0)
    diagnostics.report(Diag::update_outside_stage, item.field.range())
        .note(Diag::first_stage_here, firstStage);
  makeField(item, 0);
}

void Sema::resolve(const ast::StageDecl &item) {
  if (stageCount == 0) {
    firstStage = item.keyword;
    for (const PendingUpdate &update : updates)
      diagnostics.report(Diag::update_outside_stage, update.item->field.range())
          .note(Diag::first_stage_here, firstStage);
  }
  bool isEmpty = true;
  const size_t letsOfAll = knownLets.size();
  for (const auto &inner : item.items) {
    if (const auto *let = std::get_if<ast::LetDecl>(&inner)) {
      resolve(*let);
    } else {
      makeField(std::get<ast::UpdateDecl>(inner), stageCount);
      isEmpty = false;
    }
  }
  for (const auto &inner : item.items)
    if (const auto *let = std::get_if<ast::LetDecl>(&inner))
      names.forget(let->name);
  knownLets.resize(letsOfAll);
  if (isEmpty && !diagnostics.hasErrors())
    diagnostics.report(Diag::empty_stage, item.keyword);
  ++stageCount;
}

void Sema::makeField(const ast::UpdateDecl &item, unsigned stage) {
  TermPtr value = resolver.resolveNumber(*item.value, Place::Formula);
  const Symbol *symbol = resolver.resolveArray(item.field);
  if (!symbol)
    return;
  llvm::SMRange place = item.field.range();
  if (symbol->kind == Kind::Const) {
    diagnostics.report(Diag::not_a_field, place, item.field.text, describe(symbol->kind))
        .note(Diag::declared_here, symbol->declared, item.field.text);
    return;
  }
  makings[symbol->number].push_back({stage, place});
  std::optional<Region> region = resolve(item.region);
  if (value && region)
    updates.push_back({stage, symbol->number, *region, std::move(value), &item});
  else if (!value)
    faultyUpdates.push_back({stage, symbol->number, readsInOrder(item)});
}

void Sema::resolve(const ast::ReduceDecl &item) {
  TermPtr value = resolver.resolveNumber(*item.value, Place::Reduction);
  std::optional<Region> region = resolve(item.region);
  // The name may be another thing's, which was reported.
  const Symbol *symbol = names.find(item.name.text);
  if (value && region && symbol->kind == Kind::Reduction)
    reductions.push_back({symbol->number, *region, std::move(value), &item});
}

// ---- what all expressions together say ----------------------------------------------------------

/// Defaults come from the file, or from -D; each may use those of params declared before.
void Sema::setDefaults() {
  for (const auto &[name, text] : options.defines) {
    const Symbol *symbol = names.find(name);
    if (!symbol || symbol->kind != Kind::Param) {
      diagnostics.report(Diag::unknown_define, llvm::SMRange(), name)
          .suggest(name, [&] { return names.list(Kind::Param); })
          .hint(Diag::params_are, listed(names.list(Kind::Param)));
      continue;
    }
    ast::ExprPtr expr = parseExpression(diagnostics, diagnostics.addText("-D " + name, text));
    if (!expr)
      continue;
    if (TermPtr value = resolver.resolveNumber(*expr, Place::ParamDefault))
      defaults[symbol->number] = std::move(value);
  }
  for (const auto &[number, value] : defaults)
    setDefault(number, *value);
}

void Sema::setDefault(unsigned number, const Term &value) {
  Param &param = stencil.params[number];
  Expander expander(diagnostics, stencil, lets, makings);
  const ExactTerm *literal = value.exact();
  if (param.type == ScalarType::Int && value.type != ScalarType::Int &&
      !(literal && denominator(literal->value) == 1 && abs(literal->value) <= kMaxWholeNumber)) {
    diagnostics.report(Diag::not_whole, value.range, param.name);
    return;
  }
  const Formula formula = expander.expand(value, {FormulaPlace::InitOverTime, param.type});
  if (diagnostics.hasErrors() || !checkDefault(number, value, formula))
    return;
  const ScalarValue result = evaluate(formula, [&](const Expr &leaf) {
    return literalOf(leaf.type,
                     *stencil.params[std::get<ParamValue>(leaf.node).param].defaultValue);
  });
  param.defaultValue = param.type == ScalarType::Int ? result.whole : result.number;
  if (param.type == ScalarType::Int && std::abs(*param.defaultValue) > kMaxWholeNumber)
    diagnostics.report(Diag::not_whole, value.range, param.name);
}

/// What it uses has a value by now.
bool Sema::checkDefault(unsigned number, const Term &value, const Formula &formula) {
  for (const Expr &expr : formula.exprs) {
    const auto *used = std::get_if<ParamValue>(&expr.node);
    if (!used || (used->param < number && stencil.params[used->param].defaultValue))
      continue;
    diagnostics.report(used->param < number ? Diag::default_of_none : Diag::default_too_early,
                       value.range, stencil.params[number].name, stencil.params[used->param].name);
    return false;
  }
  return true;
}

void Sema::checkMade(const ast::File &file) {
  bool hasField = false;
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    hasField |= array.kind == ArrayKind::Field;
    const Symbol *symbol = names.find(array.name);
    bool isNamed = symbol->isArray() && symbol->number == number; // not a duplicate
    const bool isMade =
        !makings[number].empty() || llvm::is_contained(file.faulty.made, array.name);
    if (!isNamed || array.kind == ArrayKind::Const || isMade)
      continue;
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::never_made, symbol->declared, spelling(array.kind), array.name);
    if (array.kind == ArrayKind::Field)
      report.hint(Diag::never_made_hint);
  }
  if (!hasField && file.faulty.declared.empty())
    diagnostics.report(Diag::no_field, file.name.range(), file.name.text);
}

void Sema::expandAll(bool hasFaultyBoundary) {
  Expander expander(diagnostics, stencil, lets, makings);
  if (hasFaultyBoundary)
    expander.excuseBoundaries();
  for (const PendingInit &init : inits) {
    Array &array = stencil.arrays[init.array];
    (init.isPrevious ? array.initPrevious : array.init) = expander.expand(
        *init.value,
        {array.isOverTime ? FormulaPlace::InitOverTime : FormulaPlace::Init, array.type});
  }
  stencil.stages.resize(std::max(stageCount, 1u));
  for (const PendingUpdate &update : updates)
    stencil.stages[update.stage].updates.push_back(
        {update.array,
         expander.expand(*update.value,
                         {FormulaPlace::Update, stencil.arrays[update.array].type, update.stage},
                         update.array),
         withSingleBlanks(update.item->text),
         diagnostics.position(update.item->field.range().Start), update.region});
  for (const PendingReduction &reduction : reductions) {
    Reduction &result = stencil.reductions[reduction.number];
    result.formula = expander.expand(*reduction.value, {FormulaPlace::Reduction, ScalarType::F64});
    result.region = reduction.region;
  }
}

std::optional<Stencil> analyse(DiagnosticEngine &diagnostics, const FrontendOptions &options,
                               llvm::raw_ostream *printAst) {
  std::optional<ast::File> file = parseFile(diagnostics);
  if (!file)
    return std::nullopt;
  // After a fault of form the rest is still looked at, for what else is wrong.
  if (printAst && !diagnostics.hasErrors())
    ast::print(*printAst, *file);
  return analyse(diagnostics, options, *file);
}

std::optional<Stencil> analyse(DiagnosticEngine &diagnostics, const FrontendOptions &options,
                               const ast::File &file) {
  std::optional<Stencil> stencil = Sema(diagnostics, options).run(file);
  // What is wrong in a text is said above, with its place; this is a fault of ours.
  if (stencil)
    if (llvm::Error fault = verify(*stencil))
      llvm::report_fatal_error(std::move(fault));
  return stencil;
}

} // namespace stencilc
