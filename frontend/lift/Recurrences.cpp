#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
/// An element that an assignment reads of the array it writes, seen from the element it writes.
struct OwnRead {
  const Assignment &assignment;
  std::vector<int64_t> far; ///< by subscript
};
} // namespace

static std::optional<OwnRead> ownRead(const Assignment &assignment, const Access &access) {
  const Access &target = assignment.target;
  if (access.buffer != target.buffer || access.subscripts.size() != target.subscripts.size())
    return std::nullopt;
  OwnRead read{assignment, {}};
  for (auto [there, here] : llvm::zip(access.subscripts, target.subscripts)) {
    const auto far = distance(there, here);
    if (!far)
      return std::nullopt;
    read.far.push_back(*far);
  }
  return read;
}

/// True if an earlier turn of the loops around has written the element.
static bool isWrittenBefore(const LoopTree &tree, const OwnRead &read) {
  std::optional<bool> isBefore;
  std::vector<bool> isMoved(read.far.size());
  for (unsigned number : read.assignment.loops) {
    const Loop &loop = tree.loops[number];
    for (auto [place, subscript] : llvm::enumerate(read.assignment.target.subscripts)) {
      if (!distance(subscript, Polynomial::of(loop.variable)))
        continue;
      isMoved[place] = true;
      if (read.far[place] != 0 && !isBefore)
        isBefore = (read.far[place] < 0) != loop.isDownward;
    }
  }
  for (auto [far, moved] : llvm::zip(read.far, isMoved))
    if (far != 0 && !moved)
      return false;
  return isBefore.value_or(false);
}

static void refuseRecurrence(const LoopTree &tree, const OwnRead &read, const Access &access,
                             Refusals &refusals) {
  std::string here, there;
  for (auto [far, subscript] : llvm::zip(read.far, read.assignment.target.subscripts)) {
    const auto moving = difference(subscript, subscript.constantTerm());
    const std::string name = tree.text(moving && moving->symbol() ? *moving : subscript);
    here += (here.empty() ? "" : ", ") + name;
    there += (there.empty() ? "" : ", ") + name +
             (far ? (far > 0 ? "+" : "") + std::to_string(far) : std::string());
  }
  refuseOrder(refusals, access.where, here, there, tree.buffers[access.buffer].name);
}

void refuseOrder(Refusals &refusals, clang::SourceLocation where, const std::string &here,
                 const std::string &there, const std::string &array) {
  refusals.refuse(where,
                  "the turn (" + here + ") reads what the turn (" + there +
                      ") has just written to `" + array +
                      "`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)",
                  "write to a second array what is read from the first, as Jacobi's method does");
}

/// How many points on the next turn is of a loop that moves what is written, where that is more
/// than one; none where all are made.
static std::optional<int64_t> strideOf(const LoopTree &tree, const Assignment &assignment) {
  for (unsigned number : assignment.loops) {
    const Loop &loop = tree.loops[number];
    const int64_t stride = loop.stride.number().value_or(1);
    if (stride > 1 && llvm::any_of(assignment.target.subscripts, [&](const Polynomial &subscript) {
          return subscript.names(loop.variable);
        }))
      return stride;
  }
  return std::nullopt;
}

void refuseRecurrences(const LoopTree &tree, Refusals &refusals) {
  for (const Assignment &assignment : tree.assignments)
    for (const Expr &expr : assignment.value.exprs)
      if (const auto *read = std::get_if<Read>(&expr.node)) {
        const Access &access = tree.accesses[read->array];
        const auto own = ownRead(assignment, access);
        if (!own || !isWrittenBefore(tree, *own))
          continue;
        if (const auto stride = strideOf(tree, assignment); stride == 2) {
          refusals.refuse(assignment.where,
                          "every other point of `" + tree.buffers[access.buffer].name +
                              "` is made here, from those between (red-black ordering)",
                          "go over all points, with `if ((i + j) % 2 == color)` around the update");
          return;
        }
        return refuseRecurrence(tree, *own, access, refusals);
      }
}

} // namespace stencilc::lift
