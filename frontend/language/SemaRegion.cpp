// Regions: from slices as written to bounds along each axis.
#include "frontend/language/Sema.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

std::optional<AxisBound> Sema::resolve(const ast::Bound &bound) {
  if (!bound.param)
    return bound.isFromEnd ? fromEnd(-bound.offset) : fromStart(bound.offset);
  const Symbol *symbol = names.find(bound.param->text);
  const bool isParam = symbol && symbol->kind == Symbol::Kind::Param;
  if (isParam && stencil.params[symbol->number].type == ScalarType::Int)
    return fromParam(symbol->number, bound.offset);
  if (!symbol && names.isExcused(bound.param->text))
    return std::nullopt;
  const auto isInt = [&](llvm::StringRef name) {
    return stencil.params[names.find(name)->number].type == ScalarType::Int;
  };
  DiagnosticEngine::Report report =
      diagnostics.report(Diag::bound_not_int, bound.param->range(), bound.param->text);
  report.suggest(bound.param->text, [&] {
    std::vector<llvm::StringRef> params = names.list(Symbol::Kind::Param);
    llvm::erase_if(params, [&](llvm::StringRef name) { return !isInt(name); });
    return params;
  });
  if (!symbol)
    report.hint(Diag::bound_not_int_hint);
  return std::nullopt;
}

/// The point after the one that a bound names.
static AxisBound behind(AxisBound bound) {
  ++bound.offset;
  return bound;
}

std::optional<Region> Sema::resolve(const ast::Region &region) {
  Region result;
  std::array<bool, kMaxRank> isGiven = {};
  bool isFaulty = false;
  for (const ast::SliceOf &slice : region) {
    const std::optional<unsigned> axis = resolver.resolveAxis(slice.axis);
    if (axis && std::exchange(isGiven[*axis], true)) {
      diagnostics.report(Diag::region_axis_repeated, slice.axis.range(), slice.axis.text);
      isFaulty = true;
    }
    std::optional<AxisBound> from = slice.from ? resolve(*slice.from) : fromStart(0);
    std::optional<AxisBound> to = slice.to ? resolve(*slice.to) : fromEnd(0);
    isFaulty |= !axis || !from || !to;
    if (!isFaulty)
      result[*axis] = {*from, slice.isPoint ? behind(*from) : *to};
  }
  return isFaulty ? std::nullopt : std::optional(result);
}

} // namespace stencilc
