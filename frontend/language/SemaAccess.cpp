// Accesses: names with time levels and offsets.
#include "frontend/language/SemaResolve.h"

#include "frontend/language/Parser.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

using Kind = Symbol::Kind;

TermPtr Resolver::node(const ast::Access &access, const ast::Expr &expr) {
  if (const Index *index = findIndex(access.name.text))
    return this->index(*index, access, expr);
  if (std::optional<unsigned> number = parameter(access.name.text))
    return argument(*number, access, expr);
  const Symbol *symbol = find(access.name.text);
  if (!symbol) {
    if (access.name.text == "t")
      return step(access, expr);
    unknownName(access.name);
    if (names.isExcused(access.name.text))
      move(access, nullptr); // whatever it is, it is moved along axes
    return nullptr;
  }
  switch (symbol->kind) {
  case Kind::Field:
  case Kind::Temp:
  case Kind::Const:
    return array(access, *symbol, expr);
  case Kind::Let:
    return let(access, *symbol, expr);
  case Kind::Param:
    return param(access, *symbol, expr);
  case Kind::Axis:
    return axis(access, *symbol, expr);
  case Kind::Function:
    diagnostics.report(Diag::function_without_call, access.name.range(), access.name.text);
    return nullptr;
  case Kind::Reduction:
    diagnostics.report(Diag::reduction_as_value, access.name.range(), access.name.text);
    return nullptr;
  }
  llvm_unreachable("all kinds are listed");
}

/// Says that a name means something further down only, if it does.
bool Resolver::reportLater(const ast::Name &name) {
  const auto later = definitions.find(name.text);
  const char *here = scope ? scope->function.item->name.text.begin() : name.text.begin();
  if (later == definitions.end() || later->second.Start.getPointer() < here)
    return false;
  if (scope && later->second.Start.getPointer() == here)
    diagnostics.report(Diag::recursive_function, name.range(), name.text);
  else
    diagnostics.report(Diag::used_before_let, name.range(), name.text)
        .note(Diag::declared_here, later->second, name.text);
  return true;
}

void Resolver::unknownName(const ast::Name &name) {
  if (names.isExcused(name.text))
    return;
  if (llvm::is_contained(functionNames(), name.text))
    diagnostics.report(Diag::function_without_call, name.range(), name.text);
  else if (!reportLater(name)) {
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::unknown_name, name.range(), name.text);
    if (name.text == "pi")
      report.hint(Diag::pi_hint);
    else
      report.suggest(name.text, [&] {
        return names.list({Kind::Field, Kind::Temp, Kind::Const, Kind::Param, Kind::Let});
      });
  }
}

const Symbol *Resolver::resolveArray(const ast::Name &name) {
  const Symbol *symbol = names.find(name.text);
  if (symbol && symbol->isArray())
    return symbol;
  if (symbol)
    diagnostics.report(Diag::not_an_array, name.range(), name.text, describe(symbol->kind))
        .note(Diag::declared_here, symbol->declared, name.text);
  else if (!names.isExcused(name.text))
    diagnostics.report(Diag::unknown_name, name.range(), name.text).suggest(name.text, [&] {
      return names.list({Kind::Field, Kind::Temp, Kind::Const});
    });
  return nullptr;
}

std::optional<unsigned> Resolver::resolveAxis(const ast::Name &name) {
  const Symbol *symbol = names.find(name.text);
  if (symbol && symbol->kind == Kind::Axis)
    return symbol->number;
  std::vector<llvm::StringRef> axes(stencil.axes.begin(), stencil.axes.end());
  diagnostics.report(Diag::unknown_axis, name.range(), name.text, stencil.name)
      .suggest(name.text, [&] { return axes; })
      .hint(Diag::axes_are, listed(axes));
  return std::nullopt;
}

/// Params and axes are one number each: no time levels, no offsets.
bool Resolver::isPlain(const ast::Access &access, const Symbol &symbol) {
  llvm::StringRef name = access.name.text;
  if (access.isNext)
    diagnostics.report(Diag::level_of_non_field, access.name.range(), name, describe(symbol.kind));
  else if (!access.shifts.empty())
    diagnostics.report(Diag::number_moved, access.shifts.front().range, name);
  else
    return true;
  return false;
}

namespace {
/// What an expression at a place is called, and what it may be made of.
struct PlaceRule {
  llvm::StringRef here, contents;
  Uses allowed;
};
} // namespace

static PlaceRule ruleOf(Place place) {
  switch (place) {
  case Place::Formula:
    return {"a formula", "anything", {true, true, true, true, true}};
  case Place::Reduction:
    return {"a reduction",
            "arrays, params, positions and literals",
            {.arrays = true, .params = true, .positions = true}};
  case Place::Init:
    return {"`init`", "axis names, params and literals", {.params = true, .positions = true}};
  case Place::InitOverTime:
    return {"the `init` of an array over time",
            "`t`, params and literals",
            {.params = true, .step = true}};
  case Place::BoundaryValue:
    return {"a boundary's `value`",
            "params, `t`, arrays over time and literals",
            {.params = true, .step = true, .overTime = true}};
  case Place::Factor:
    return {"the factor of a mirror", "literals", {}};
  case Place::ParamDefault:
    return {"the default of a param", "params and literals", {.params = true}};
  }
  llvm_unreachable("all places are listed");
}

/// The first thing that one uses and the other lacks; empty if there is none.
static llvm::StringRef firstBeyond(const Uses &uses, const Uses &allowed) {
  if (uses.arrays && !allowed.arrays)
    return "reads an array";
  if (uses.params && !allowed.params)
    return "reads a param";
  if (uses.positions && !allowed.positions)
    return "depends on the position";
  if (uses.step && !allowed.step)
    return "depends on the step number";
  if (uses.overTime && !allowed.overTime)
    return "reads an array over time";
  return "";
}

bool Resolver::isAllowed(const Uses &uses, llvm::StringRef what, llvm::SMRange range) {
  const PlaceRule rule = ruleOf(place);
  if (firstBeyond(uses, rule.allowed).empty())
    return true;
  diagnostics.report(Diag::not_constant_here, range, what, rule.here, rule.contents);
  return false;
}

TermPtr Resolver::param(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  if (!isPlain(access, symbol) ||
      !isAllowed({.params = true}, ("param `" + access.name.text + "`").str(), expr.range))
    return nullptr;
  TermPtr result = make(ParamTerm{symbol.number}, stencil.params[symbol.number].type, expr.range);
  result->uses.params = true;
  return result;
}

/// A whole number, but in `init` one of what it meets.
TermPtr Resolver::axis(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  if (!isPlain(access, symbol) ||
      !isAllowed({.positions = true}, ("axis `" + access.name.text + "`").str(), expr.range))
    return nullptr;
  TermPtr result =
      make(AxisTerm{symbol.number},
           place == Place::Init ? std::nullopt : std::optional(ScalarType::Int), expr.range);
  result->uses.positions = true;
  return result;
}

/// A literal, as if its number was written here.
TermPtr Resolver::index(const Index &index, const ast::Access &access, const ast::Expr &expr) {
  if (!access.isNext && access.shifts.empty())
    return exact({index.value, true}, expr.range);
  diagnostics.report(Diag::index_moved, expr.range, access.name.text);
  return nullptr;
}

TermPtr Resolver::step(const ast::Access &access, const ast::Expr &expr) {
  if (access.isNext || !access.shifts.empty()) {
    diagnostics.report(Diag::number_moved, expr.range, access.name.text);
    return nullptr;
  }
  if (!isAllowed({.step = true}, "the step number `t`", expr.range))
    return nullptr;
  TermPtr result = make(StepTerm{}, ScalarType::Int, expr.range);
  result->uses.step = true;
  return result;
}

TermPtr Resolver::array(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  llvm::StringRef name = access.name.text;
  const Array &array = stencil.arrays[symbol.number];
  const Uses uses = {.arrays = !array.isOverTime, .overTime = array.isOverTime};
  if (!isAllowed(uses, ("array `" + name + "`").str(), expr.range))
    return nullptr;
  std::optional<Move> moved = move(access, &symbol);
  if (!moved)
    return nullptr;
  const auto faultyLevel = [&](Diag id, auto &&...args) {
    diagnostics.report(id, expr.range, name, args...)
        .note(Diag::declared_here, symbol.declared, name);
    return nullptr;
  };
  if (access.isNext && moved->isPrevious) {
    diagnostics.report(Diag::next_of_previous, expr.range, name);
    return nullptr;
  }
  if (moved->isPrevious ? symbol.kind != Kind::Field : access.isNext && symbol.kind == Kind::Const)
    return faultyLevel(Diag::level_of_non_field, describe(symbol.kind));
  if (!access.isNext && symbol.kind == Kind::Temp)
    return faultyLevel(Diag::temp_without_prime);
  if (access.isNext && place == Place::Reduction) {
    diagnostics.report(Diag::next_in_reduction, expr.range, name);
    return nullptr;
  }
  TermPtr result =
      array.isOverTime
          ? make(TimeReadTerm{symbol.number, moved->time}, array.type, expr.range)
          : make(ReadTerm{symbol.number, access.isNext, *moved}, array.type, expr.range);
  result->uses = uses;
  return result;
}

TermPtr Resolver::let(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  llvm::StringRef name = access.name.text;
  if (access.isNext) {
    diagnostics.report(Diag::level_of_non_field, expr.range, name, describe(symbol.kind))
        .note(Diag::declared_here, symbol.declared, name);
    return nullptr;
  }
  std::optional<Move> moved = move(access, &symbol);
  const Term *value = lets[symbol.number].value.get();
  if (!moved || !value)
    return nullptr;
  if (!access.shifts.empty() && !value->uses.arrays && !value->uses.positions) {
    diagnostics.report(Diag::number_moved, access.shifts.front().range, name);
    return nullptr;
  }
  const llvm::StringRef beyond = firstBeyond(value->uses, ruleOf(place).allowed);
  if (!isAllowed(value->uses, ("`" + name + "`, which " + beyond + ",").str(), expr.range))
    return nullptr;
  // A let of literals is one more name for the exact number.
  if (const ExactTerm *literal = value->exact())
    return exact(*literal, expr.range);
  TermPtr result = make(LetTerm{symbol.number, *moved}, value->type, expr.range, value);
  return decide(std::move(result), value->decided);
}

/// `t-1`, or any number of steps of an array over time.
bool Resolver::moveInTime(Move &move, const ast::Shift &shift, bool isOverTime) {
  if (isOverTime)
    return moveAlong(move.time, shift);
  if (shift.amount() == -1) {
    move.isPrevious = true;
    return true;
  }
  llvm::StringRef text(shift.range.Start.getPointer(),
                       shift.range.End.getPointer() - shift.range.Start.getPointer());
  diagnostics.report(Diag::time_shift, shift.range, text).hint(Diag::time_shift_hint);
  return false;
}

/// `symbol` is null for a parameter of a function.
std::optional<Move> Resolver::move(const ast::Access &access, const Symbol *symbol) {
  Move result;
  llvm::SmallVector<llvm::StringRef, 4> seen;
  const Array *array = symbol && symbol->isArray() ? &stencil.arrays[symbol->number] : nullptr;
  for (const ast::Shift &shift : access.shifts) {
    llvm::StringRef name = shift.axis.text;
    const bool isTime = name == "t";
    std::optional<unsigned> axis;
    if (!isTime && !(axis = resolveAxis(shift.axis)))
      return std::nullopt;
    if (axis && array && !array->hasAxis(*axis)) {
      diagnostics.report(Diag::array_lacks_axis, shift.range, access.name.text, name)
          .note(Diag::declared_here, symbol->declared, access.name.text);
      return std::nullopt;
    }
    if (llvm::is_contained(seen, name)) {
      diagnostics.report(Diag::axis_moved_twice, shift.range, name);
      return std::nullopt;
    }
    seen.push_back(name);
    if (isTime ? !moveInTime(result, shift, array && array->isOverTime)
               : !moveAlong(result.along[*axis], shift))
      return std::nullopt;
  }
  return result;
}

bool Resolver::moveAlong(int &along, const ast::Shift &shift) {
  int64_t total = 0;
  for (const ast::Step &step : shift.steps) {
    const Index *index = step.index ? findIndex(step.index->text) : nullptr;
    if (step.index && !index) {
      reportNoIndex(*step.index);
      return false;
    }
    const int64_t length = int64_t(step.factor) * (index ? index->value : 1);
    total += step.isNegative ? -length : length;
  }
  if (std::abs(total) > kMaxInteger) {
    diagnostics.report(Diag::offset_too_large, shift.range, total, shift.axis.text, kMaxOffset);
    return false;
  }
  along = int(total);
  return true;
}

void Resolver::reportNoIndex(const ast::Name &name) {
  if (const Symbol *symbol = names.find(name.text); symbol && symbol->kind == Kind::Param) {
    diagnostics.report(Diag::offset_of_param, name.range(), name.text)
        .hint(Diag::offset_of_param_hint, name.text);
    return;
  }
  diagnostics.report(Diag::unknown_index, name.range(), name.text).suggest(name.text, [&] {
    std::vector<llvm::StringRef> known;
    for (const Index &index : indices)
      known.push_back(index.name.text);
    return known;
  });
}

} // namespace stencilc
