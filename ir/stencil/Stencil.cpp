#include "ir/stencil/Stencil.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <fmt/format.h>

namespace stencilc {

llvm::StringRef spelling(BoundaryKind kind) {
  switch (kind) {
  case BoundaryKind::None:
    return "none";
  case BoundaryKind::Fixed:
    return "fixed";
  case BoundaryKind::Halo:
    return "halo";
  case BoundaryKind::Clamp:
    return "clamp";
  case BoundaryKind::Periodic:
    return "periodic";
  case BoundaryKind::Reflect:
    return "reflect";
  case BoundaryKind::Symmetric:
    return "symmetric";
  case BoundaryKind::Value:
    return "value";
  }
  llvm_unreachable("unknown boundary");
}

llvm::StringRef spelling(ArrayKind kind) {
  switch (kind) {
  case ArrayKind::Field:
    return "field";
  case ArrayKind::Const:
    return "const";
  case ArrayKind::Temp:
    return "temp";
  }
  llvm_unreachable("unknown kind of array");
}

llvm::StringRef spelling(Reduction::Op op) {
  switch (op) {
  case Reduction::Op::Min:
    return "min";
  case Reduction::Op::Max:
    return "max";
  case Reduction::Op::Sum:
    return "sum";
  }
  llvm_unreachable("unknown reduction");
}

bool Array::hasAxis(unsigned axis) const { return llvm::is_contained(axes, axis); }

// ---- difference ---------------------------------------------------------------------------------

namespace {
/// Holds two stencils side by side until something differs.
class Comparison {
public:
  Comparison(const Stencil &left, const Stencil &right) : left(left), right(right) {}

  std::optional<std::string> run() {
    same(left.name == right.name, "the name");
    same(left.axes == right.axes, "the axes");
    same(left.params.size() == right.params.size(), "the number of params");
    same(left.arrays.size() == right.arrays.size(), "the number of arrays");
    same(left.stages.size() == right.stages.size(), "the number of stages");
    same(left.reductions.size() == right.reductions.size(), "the number of reductions");
    same(left.reductionTree == right.reductionTree, "the tree of reductions");
    if (first)
      return first;
    for (const auto &[a, b] : llvm::zip_equal(left.params, right.params))
      compare(a, b);
    for (const auto &[a, b] : llvm::zip_equal(left.arrays, right.arrays))
      compare(a, b);
    for (unsigned stage = 0; stage < left.stages.size(); ++stage)
      compare(left.stages[stage], right.stages[stage], stage);
    for (const auto &[a, b] : llvm::zip_equal(left.reductions, right.reductions)) {
      same(a.name == b.name && a.op == b.op && a.region == b.region,
           fmt::format("reduction `{}`", a.name));
      same(isSameValue(a.formula, b.formula), fmt::format("the formula of `{}`", a.name));
    }
    return first;
  }

private:
  void same(bool isSame, std::string what) {
    if (!isSame && !first)
      first = std::move(what);
  }

  /// Numbers by bits, as literals are.
  static bool isSameNumber(const std::optional<double> &a, const std::optional<double> &b) {
    return a.has_value() == b.has_value() && (!a || Literal{*a} == Literal{*b});
  }

  void compare(const Param &a, const Param &b) {
    same(a.name == b.name && a.type == b.type, fmt::format("param `{}`", a.name));
    same(isSameNumber(a.defaultValue, b.defaultValue), fmt::format("the default of `{}`", a.name));
  }

  void compare(const Array &a, const Array &b) {
    same(a.name == b.name && a.kind == b.kind && a.type == b.type && a.axes == b.axes &&
             a.isOverTime == b.isOverTime && a.hasOwnNext == b.hasOwnNext,
         fmt::format("array `{}`", a.name));
    if (first)
      return;
    for (unsigned axis : a.axes)
      for (unsigned side : {Low, High}) {
        const Boundary &ofA = a.boundary[axis][side], &ofB = b.boundary[axis][side];
        same(ofA.kind == ofB.kind && Literal{ofA.factor} == Literal{ofB.factor} &&
                 isSameValue(ofA.value, ofB.value),
             fmt::format("the boundary of `{}` at `{}{}`", a.name, left.axes[axis],
                         side == Low ? '-' : '+'));
      }
    same(isSameValue(a.init, b.init), fmt::format("the init of `{}`", a.name));
    same(isSameValue(a.initPrevious, b.initPrevious), fmt::format("the init of `{}[t-1]`", a.name));
  }

  void compare(const Stage &a, const Stage &b, unsigned stage) {
    same(a.updates.size() == b.updates.size(), fmt::format("the updates of stage {}", stage));
    if (first)
      return;
    for (const auto &[ofA, ofB] : llvm::zip_equal(a.updates, b.updates)) {
      const std::string &name = left.arrays[ofA.array].name;
      same(ofA.array == ofB.array && ofA.region == ofB.region,
           fmt::format("an update of `{}'` in stage {}", name, stage));
      same(isSameValue(ofA.formula, ofB.formula),
           fmt::format("the formula of `{}'` in stage {}", name, stage));
    }
  }

  const Stencil &left, &right;
  std::optional<std::string> first;
};
} // namespace

std::optional<std::string> difference(const Stencil &left, const Stencil &right) {
  return Comparison(left, right).run();
}

} // namespace stencilc
