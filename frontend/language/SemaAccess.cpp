// Accesses: names with time levels and offsets.
#include "frontend/language/SemaResolve.h"

#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

using Kind = Symbol::Kind;

TermPtr Resolver::node(const ast::Access &access, const ast::Expr &expr) {
  const Symbol *symbol = names.find(access.name.text);
  if (!symbol) {
    unknownName(access.name);
    return nullptr;
  }
  switch (symbol->kind) {
  case Kind::Field:
  case Kind::Const:
    return array(access, *symbol, expr);
  case Kind::Let:
    return let(access, *symbol, expr);
  case Kind::Param: {
    if (!isPlain(access, *symbol) ||
        !isAllowed({.params = true}, ("param `" + access.name.text + "`").str(), expr.range))
      return nullptr;
    TermPtr result =
        make(ParamTerm{symbol->number}, stencil.params[symbol->number].type, expr.range);
    result->uses.params = true;
    return result;
  }
  case Kind::Axis:
    if (!isPlain(access, *symbol))
      return nullptr;
    if (place != Place::Init) {
      diagnostics.report(Diag::axis_as_value, expr.range, access.name.text);
      return nullptr;
    }
    return make(AxisTerm{symbol->number}, std::nullopt, expr.range);
  }
  llvm_unreachable("all kinds are listed");
}

void Resolver::unknownName(const ast::Name &name) {
  if (llvm::any_of(indices, [&](const ast::Name &index) { return index.text == name.text; })) {
    diagnostics.report(Diag::index_as_value, name.range(), name.text);
  } else if (llvm::is_contained(functionNames(), name.text)) {
    diagnostics.report(Diag::function_without_call, name.range(), name.text);
  } else if (auto later = definitions.find(name.text);
             later != definitions.end() && name.text.begin() < later->second.Start.getPointer()) {
    diagnostics.report(Diag::used_before_let, name.range(), name.text)
        .note(Diag::declared_here, later->second, name.text);
  } else {
    diagnostics.report(Diag::unknown_name, name.range(), name.text).suggest(name.text, [&] {
      return names.list({Kind::Field, Kind::Const, Kind::Param, Kind::Let});
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
  else
    diagnostics.report(Diag::unknown_name, name.range(), name.text).suggest(name.text, [&] {
      return names.list({Kind::Field, Kind::Const});
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

bool Resolver::isAllowed(const Uses &uses, llvm::StringRef what, llvm::SMRange range) {
  llvm::StringRef here, contents;
  switch (place) {
  case Place::Formula:
    return true;
  case Place::Init:
    if (!uses.arrays)
      return true;
    here = "`init`", contents = "axis names, params and literals";
    break;
  case Place::BoundaryValue:
    if (!uses.arrays)
      return true;
    here = "a boundary's `value`", contents = "params and literals";
    break;
  case Place::ParamDefault:
    if (!uses.arrays && !uses.params)
      return true;
    here = "the default of a param", contents = "literals";
    break;
  }
  diagnostics.report(Diag::not_constant_here, range, what, here, contents);
  return false;
}

TermPtr Resolver::array(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  llvm::StringRef name = access.name.text;
  if (!isAllowed({.arrays = true}, ("array `" + name + "`").str(), expr.range))
    return nullptr;
  std::optional<Move> moved = move(access, symbol);
  if (!moved)
    return nullptr;
  if (symbol.kind == Kind::Const && (access.isNext || moved->isPrevious)) {
    diagnostics.report(Diag::level_of_non_field, expr.range, name, describe(symbol.kind))
        .note(Diag::declared_here, symbol.declared, name);
    return nullptr;
  }
  if (access.isNext && moved->isPrevious) {
    diagnostics.report(Diag::next_of_previous, expr.range, name);
    return nullptr;
  }
  TermPtr result = make(ReadTerm{symbol.number, access.isNext, *moved},
                        stencil.arrays[symbol.number].type, expr.range);
  result->uses.arrays = true;
  return result;
}

TermPtr Resolver::let(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr) {
  llvm::StringRef name = access.name.text;
  if (access.isNext) {
    diagnostics.report(Diag::level_of_non_field, expr.range, name, describe(symbol.kind))
        .note(Diag::declared_here, symbol.declared, name);
    return nullptr;
  }
  std::optional<Move> moved = move(access, symbol);
  const Term *value = lets[symbol.number].value.get();
  if (!moved || !value)
    return nullptr;
  if (!access.shifts.empty() && !value->uses.arrays) {
    diagnostics.report(Diag::number_moved, access.shifts.front().range, name);
    return nullptr;
  }
  llvm::StringRef reader =
      value->uses.arrays ? "`, which reads an array," : "`, which reads a param,";
  if (!isAllowed(value->uses, ("`" + name + reader).str(), expr.range))
    return nullptr;
  // A let of literals is one more name for the exact number.
  if (const auto *literal = std::get_if<ExactTerm>(&value->node))
    return exact(literal->value, expr.range);
  return make(LetTerm{symbol.number, *moved}, value->type, expr.range, value);
}

std::optional<Move> Resolver::move(const ast::Access &access, const Symbol &symbol) {
  Move result;
  std::array<bool, kMaxRank> isMoved = {};
  for (const ast::Shift &shift : access.shifts) {
    if (shift.axis.text == "t") {
      const auto *amount = std::get_if<ast::Integer>(&shift.amount);
      if (!amount || amount->value != 1 || !shift.isNegative) {
        llvm::StringRef text(shift.range.Start.getPointer(),
                             shift.range.End.getPointer() - shift.range.Start.getPointer());
        diagnostics.report(Diag::time_shift, shift.range, text).hint(Diag::time_shift_hint);
        return std::nullopt;
      }
      if (std::exchange(result.isPrevious, true)) {
        diagnostics.report(Diag::axis_moved_twice, shift.range, shift.axis.text);
        return std::nullopt;
      }
      continue;
    }
    std::optional<unsigned> axis = resolveAxis(shift.axis);
    if (!axis)
      return std::nullopt;
    if (symbol.isArray() && !stencil.arrays[symbol.number].hasAxis(*axis)) {
      diagnostics.report(Diag::array_lacks_axis, shift.range, access.name.text, shift.axis.text)
          .note(Diag::declared_here, symbol.declared, access.name.text);
      return std::nullopt;
    }
    if (std::exchange(isMoved[*axis], true)) {
      diagnostics.report(Diag::axis_moved_twice, shift.range, shift.axis.text);
      return std::nullopt;
    }
    if (!moveAlong(result.along[*axis], shift))
      return std::nullopt;
  }
  return result;
}

bool Resolver::moveAlong(Move::Along &along, const ast::Shift &shift) {
  if (const auto *amount = std::get_if<ast::Integer>(&shift.amount)) {
    along.constant = shift.isNegative ? -amount->value : amount->value;
    return true;
  }
  const auto *index = std::get_if<ast::Name>(&shift.amount);
  if (!index)
    return true;
  auto found = llvm::find_if(
      indices, [&](const ast::Name &candidate) { return candidate.text == index->text; });
  if (found == indices.end()) {
    diagnostics.report(Diag::unknown_index, index->range(), index->text).suggest(index->text, [&] {
      std::vector<llvm::StringRef> known;
      for (const ast::Name &candidate : indices)
        known.push_back(candidate.text);
      return known;
    });
    return false;
  }
  along.index = found - indices.begin();
  along.factor = shift.isNegative ? -1 : 1;
  return true;
}

} // namespace stencilc
