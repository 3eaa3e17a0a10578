#include "codegen/lower/TempsAgain.h"

#include "ir/kernel/Signature.h"
#include "ir/stencil/StencilVerifier.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

template <class... Args> llvm::Error refuse(fmt::format_string<Args...> format, Args &&...args) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format(format, std::forward<Args>(args)...));
}

bool isTemp(const Stencil &stencil, unsigned array) {
  return stencil.arrays[array].kind == ArrayKind::Temp;
}

class TempsAgain {
public:
  /// Of all temps but those that are `stored`, by array.
  TempsAgain(const Stencil &written, const std::vector<bool> &stored)
      : written(written), stored(stored), result(written), made(written.arrays.size()) {}

  llvm::Expected<StencilForm> run() {
    if (llvm::Error error = checkAllRead())
      return error;
    const std::vector<std::vector<Area>> areas = areasOf(written).updates;
    std::vector<std::vector<Area>> kept; // the areas of what is left
    result.stages.clear();
    for (const auto &[number, stage] : llvm::enumerate(written.stages)) {
      Stage left;
      std::vector<Area> areasLeft;
      for (const auto &[update, area] : llvm::zip_equal(stage.updates, areas[number])) {
        llvm::Expected<Formula> formula = putIn(update.formula);
        if (!formula)
          return formula.takeError();
        if (!isAgain(update.array)) {
          left.updates.push_back(update);
          left.updates.back().formula = std::move(*formula);
          areasLeft.push_back(area);
        } else if (llvm::Error error = take(update.array, std::move(*formula))) {
          return error;
        }
      }
      if (left.updates.empty())
        continue;
      result.stages.push_back(std::move(left));
      kept.push_back(std::move(areasLeft));
    }
    if (llvm::Error error = keepAreas(kept))
      return error;
    if (llvm::Error error = compareInterfaces())
      return error;
    return StencilForm{std::move(result), std::move(inWorkspace)};
  }

  /// The temp that cannot be computed again, if it is one of them that run() failed for.
  std::optional<unsigned> obstacle;

private:
  bool isAgain(unsigned array) const { return isTemp(written, array) && !stored[array]; }

  template <class... Args>
  llvm::Error refuseFor(unsigned temp, fmt::format_string<Args...> format, Args &&...args) {
    obstacle = temp;
    return refuse(format, std::forward<Args>(args)...);
  }

  /// What nothing reads would be left out, and with it what its formula asks of a run.
  llvm::Error checkAllRead() {
    std::vector<bool> isRead(written.arrays.size());
    forEachRead(written, [&](const Read &read) { isRead[read.array] = true; });
    for (auto [number, array] : llvm::enumerate(written.arrays))
      if (isAgain(number) && !isRead[number])
        return refuseFor(number, "nothing reads `{}`", array.name);
    return llvm::Error::success();
  }

  /// Makes the formula known as that of a temp.
  llvm::Error take(unsigned temp, Formula formula) {
    const std::string &name = written.arrays[temp].name;
    if (made[temp])
      return refuseFor(temp, "several updates make `{}`", name);
    if (std::holds_alternative<Literal>(formula[formula.result].node))
      return refuseFor(temp, "`{}` is one number everywhere", name);
    made[temp] = std::move(formula);
    return llvm::Error::success();
  }

  /// The formula with those of temps in place of their reads.
  llvm::Expected<Formula> putIn(const Formula &formula) {
    Formula whole;
    std::vector<ExprId> numbers;
    for (const Expr &expr : formula.exprs) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (read && isAgain(read->array)) {
        if (llvm::Error error = checkEnds(*read))
          return error;
        numbers.push_back(addMoved(whole, *read));
      } else {
        numbers.push_back(whole.add(expr.type, withOperands(expr.node, numbers)));
      }
      name(whole, numbers.back(), expr.name, expr.shift);
      if (whole.exprs.size() > kMaxFormulaValues)
        return refuse("the formulas would have more than {} values", kMaxFormulaValues);
    }
    whole.result = numbers[formula.result];
    return whole;
  }

  /// The first name that a value gets is kept.
  static void name(Formula &whole, ExprId id, const std::string &name, const Offset &shift) {
    Expr &expr = whole.exprs[id];
    if (!expr.name.empty())
      return;
    expr.name = name;
    expr.shift = shift;
  }

  /// Adds the formula of a temp as it is where it is read.
  ExprId addMoved(Formula &whole, const Read &where) {
    const Formula &part = *made[where.array];
    std::vector<ExprId> numbers;
    for (const Expr &expr : part.exprs) {
      numbers.push_back(moved(whole, expr, withOperands(expr.node, numbers), where.offset));
      Offset shift = expr.shift;
      for (unsigned axis = 0; axis < written.rank(); ++axis)
        shift[axis] += where.offset[axis];
      name(whole, numbers.back(), expr.name, shift);
    }
    const ExprId id = numbers[part.result];
    if (!operands(whole[id].node).empty())
      name(whole, id, written.arrays[where.array].name, where.offset);
    return id;
  }

  /// Adds an Expr whose operands are there already.
  ExprId moved(Formula &whole, const Expr &expr, Expr::Node node, const Offset &offset) {
    if (auto *read = std::get_if<Read>(&node)) {
      for (unsigned axis : written.arrays[read->array].axes) {
        read->offset[axis] += offset[axis];
        openSide(read->array, axis, read->offset[axis]);
      }
    } else if (const auto *position = std::get_if<AxisValue>(&node)) {
      const int distance = offset[position->axis];
      const ExprId index = whole.add(expr.type, node);
      if (distance == 0)
        return index;
      const ExprId amount = whole.add(expr.type, Literal{double(std::abs(distance))});
      const BinaryOp op = distance < 0 ? BinaryOp::Subtract : BinaryOp::Add;
      return whole.add(expr.type, BinaryExpr{op, index, amount});
    }
    return whole.add(expr.type, std::move(node));
  }

  /// A side on which no read left the point has no boundary; none is met there now either, as the
  /// temp is read at points where it is made.
  void openSide(unsigned array, unsigned axis, int offset) {
    if (offset == 0)
      return;
    Boundary &boundary = result.arrays[array].boundary[axis][offset < 0 ? Low : High];
    if (boundary.kind == BoundaryKind::None)
      boundary.kind = BoundaryKind::Fixed;
  }

  /// Whether what a read of a temp finds beyond an end is what its formula finds there.
  llvm::Error checkEnds(const Read &read) {
    for (unsigned axis : written.arrays[read.array].axes) {
      if (read.offset[axis] == 0)
        continue;
      const Side side = read.offset[axis] < 0 ? Low : High;
      if (llvm::Error error = checkEnd(read.array, axis, side))
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error checkEnd(unsigned temp, unsigned axis, Side side) {
    const Boundary &end = written.arrays[temp].boundary[axis][side];
    switch (end.kind) {
    case BoundaryKind::None:
    case BoundaryKind::Fixed:
    case BoundaryKind::Halo:
      return llvm::Error::success();
    case BoundaryKind::Clamp:
    case BoundaryKind::Periodic:
    case BoundaryKind::Reflect:
    case BoundaryKind::Symmetric:
    case BoundaryKind::Value:
      break;
    }
    const auto refuseHere = [&](const char *why) {
      return refuseFor(temp, "beyond {}{} `{}` is {}, and {}", written.axes[axis],
                       side == Low ? '-' : '+', written.arrays[temp].name, spelling(end.kind).str(),
                       why);
    };
    if (end.kind == BoundaryKind::Value || end.factor != 1)
      return refuseHere("a formula moved there is not");
    for (const Expr &expr : made[temp]->exprs) {
      if (const auto *position = std::get_if<AxisValue>(&expr.node);
          position && position->axis == axis)
        return refuseHere("its formula depends on where it stands");
      const auto *read = std::get_if<Read>(&expr.node);
      if (!read || !written.arrays[read->array].hasAxis(axis))
        continue;
      const bool isPeriodic = end.kind == BoundaryKind::Periodic;
      Boundary &known = result.arrays[read->array].boundary[axis][side];
      if (read->offset[axis] != 0 && !isPeriodic)
        return refuseHere("its formula reads neighbours along that axis");
      if (known.kind == BoundaryKind::None)
        known.kind = end.kind;
      if (known.kind != end.kind || known.factor != 1)
        return refuseHere("what it is made of is not");
    }
    return llvm::Error::success();
  }

  /// Gives each update the points that it has with temps.
  llvm::Error keepAreas(const std::vector<std::vector<Area>> &kept) {
    const auto areaNow = [&](size_t stage, size_t number) {
      return areasOf(result).updates[stage][number];
    };
    for (size_t stage = 0; stage < kept.size(); ++stage)
      for (size_t number = 0; number < kept[stage].size(); ++number) {
        const Area &area = kept[stage][number];
        Update &update = result.stages[stage].updates[number];
        for (unsigned axis = 0; axis < written.rank(); ++axis)
          if (areaNow(stage, number)[axis] != area[axis] && area[axis].from.size() == 1 &&
              area[axis].to.size() == 1)
            update.region[axis] = {area[axis].from.front(), area[axis].to.front()};
        if (areaNow(stage, number) != area)
          return refuse("no region says where `{}` is made then",
                        written.arrays[update.array].name);
      }
    return llvm::Error::success();
  }

  llvm::Error compareInterfaces() {
    const Signature before = signatureOf(written), after = signatureOf(result);
    for (unsigned array = 0; array < before.arrays.size(); ++array) {
      const SignatureArray &old = before.arrays[array], &now = after.arrays[array];
      if (old.kind == ArrayKind::Temp)
        continue;
      if (old.hasPrevious != now.hasPrevious || (old.hasPrevious && old.hasNext != now.hasNext))
        return refuse("`{}[t-1]` is gone where temps made of it are read", old.name);
      if (old.hasNext && !now.hasNext)
        return refuse("`{}` would be updated in place", old.name);
      if (old.hasNext != now.hasNext)
        inWorkspace.push_back(array);
      if (old.ghost != now.ghost)
        return refuse("it takes more ghost points of `{}`", old.name);
    }
    for (unsigned axis = 0; axis < written.rank(); ++axis)
      if (before.minimumExtent[axis] != after.minimumExtent[axis])
        return refuse("grids would need {} points along {}, where {} {} enough with temps stored",
                      after.minimumExtent[axis], written.axes[axis], before.minimumExtent[axis],
                      before.minimumExtent[axis] == 1 ? "is" : "are");
    if (before.apart != after.apart || before.paramRanges != after.paramRanges)
      return refuse("params say which points are made");
    return llvm::Error::success();
  }

  const Stencil &written;
  const std::vector<bool> &stored;
  Stencil result;
  std::vector<std::optional<Formula>> made; ///< by array: the formula of a temp, without temps
  std::vector<unsigned> inWorkspace;
};

} // namespace

llvm::Expected<StencilForm> stencilc::withTempsAgain(const Stencil &stencil) {
  std::vector<bool> stored(stencil.arrays.size());
  unsigned left = 0;
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    left += isTemp(stencil, array);
  if (left == 0)
    return refuse("`{}` has no temps to compute again", stencil.name);
  while (true) {
    TempsAgain attempt(stencil, stored);
    llvm::Expected<StencilForm> form = attempt.run();
    if (form || !attempt.obstacle || --left == 0)
      return form;
    llvm::consumeError(form.takeError());
    stored[*attempt.obstacle] = true;
  }
}
