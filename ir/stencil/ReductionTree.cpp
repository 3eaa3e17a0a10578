#include "ir/stencil/ReductionTree.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <limits>

namespace stencilc {

double neutralOf(Reduction::Op op) {
  switch (op) {
  case Reduction::Op::Min:
    return std::numeric_limits<double>::infinity();
  case Reduction::Op::Max:
    return -std::numeric_limits<double>::infinity();
  case Reduction::Op::Sum:
    return 0;
  }
  llvm_unreachable("unknown reduction");
}

double combined(Reduction::Op op, double left, double right) {
  switch (op) {
  case Reduction::Op::Min:
    return apply(ScalarType::F64, Builtin::Min, {left, right});
  case Reduction::Op::Max:
    return apply(ScalarType::F64, Builtin::Max, {left, right});
  case Reduction::Op::Sum:
    return left + right;
  }
  llvm_unreachable("unknown reduction");
}

static double reducedRun(const ReductionTree &tree, Reduction::Op op, llvm::ArrayRef<double> run) {
  std::vector<double> lanes(tree.lanes, neutralOf(op));
  for (size_t i = 0; i < run.size(); ++i) {
    double &lane = lanes[i % lanes.size()];
    lane = combined(op, lane, run[i]);
  }
  for (size_t half = lanes.size() / 2; half > 0; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      lanes[lane] = combined(op, lanes[lane], lanes[lane + half]);
  return lanes[0];
}

/// The results of the runs of each row of `numbers`.
static std::vector<double> partial(const ReductionTree &tree, Reduction::Op op,
                                   llvm::ArrayRef<double> numbers, size_t rowLength) {
  const size_t run = tree.run();
  std::vector<double> results;
  for (size_t row = 0; row < numbers.size(); row += rowLength)
    for (size_t start = 0; start < rowLength; start += run)
      results.push_back(
          reducedRun(tree, op, numbers.slice(row + start, std::min(run, rowLength - start))));
  return results;
}

double reduced(const ReductionTree &tree, Reduction::Op op, llvm::ArrayRef<double> numbers,
               int64_t rowLength) {
  if (numbers.empty())
    return neutralOf(op);
  std::vector<double> rest = partial(tree, op, numbers, rowLength);
  while (rest.size() > 1)
    rest = partial(tree, op, rest, rest.size());
  return rest.front();
}

} // namespace stencilc
