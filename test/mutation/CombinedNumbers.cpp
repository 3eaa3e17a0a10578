// Facts on how a block combines numbers that lie in registers and tiles.
#include "test/mutation/Equivalence.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

#include <limits>

using namespace stencilc;
using namespace stencilc::mutation;

namespace {
/// The text of a kernel's statements, one after another, bodies after their heads.
struct Line {
  Statement *statement;
  bool isInLoop;
  std::string head;
};
} // namespace

static void appendLines(Body &body, const Kernel &kernel, const std::vector<Uniform> &uniforms,
                        bool isInLoop, std::vector<Line> &lines) {
  for (Statement &statement : body) {
    lines.push_back({&statement, isInLoop, headOf(statement, kernel, uniforms)});
    const bool isLoop = loopOf(statement) != nullptr;
    forEachBody(statement, [&](Body &inner) {
      appendLines(inner, kernel, uniforms, isInLoop || isLoop, lines);
    });
  }
}

static std::vector<Line> linesOf(Kernel &kernel, const Program &program) {
  std::vector<Line> lines;
  appendLines(kernel.body, kernel, program.uniforms, /*isInLoop=*/false, lines);
  return lines;
}

/// Calls `visit(lines, number)` with the lines of the kernel of `own` that differs from that of
/// `other`, and the first line in which they do.
static bool atFirstDifference(
    Program &own, Program other,
    llvm::function_ref<bool(const Kernel &, std::vector<Line> &, size_t, const Line *)> visit) {
  for (auto [kernel, changed] : llvm::zip_equal(own.kernels, other.kernels)) {
    std::vector<Line> lines = linesOf(kernel, own), others = linesOf(changed, other);
    size_t number = 0;
    while (number < lines.size() && number < others.size() &&
           lines[number].head == others[number].head)
      ++number;
    if (number < lines.size())
      return visit(kernel, lines, number, number < others.size() ? &others[number] : nullptr);
  }
  return false;
}

std::optional<Program> mutation::withNaNInItsPlace(const Program &right, const Program &mutated) {
  Program spoilt = right;
  const auto nan = [](ScalarType type) {
    return makeValue(type, LiteralValue{std::numeric_limits<double>::quiet_NaN()});
  };
  const bool isSpoilt = atFirstDifference(
      spoilt, mutated,
      [&](const Kernel &kernel, std::vector<Line> &lines, size_t number, const Line *) {
        return std::visit(llvm::makeVisitor(
                              [&](StoreShared &node) {
                                node.value = nan(kernel.tiles[node.tile].type);
                                return true;
                              },
                              [&](LetMutable &node) {
                                node.value = nan(node.value->type);
                                return true;
                              },
                              [](auto &) { return false; }),
                          lines[number].statement->node);
      });
  return isSpoilt ? std::optional(std::move(spoilt)) : std::nullopt;
}

/// Whether a line names an element of a tile.
static bool usesTiles(const std::string &line, const Kernel &kernel) {
  return llvm::any_of(kernel.tiles, [&](const SharedTile &tile) {
    return llvm::Regex("(^|[^a-zA-Z0-9_])" + tile.name + "\\[").match(line);
  });
}

bool mutation::movesLastBarrier(const Program &right, const Program &mutated) {
  Program own = right;
  return atFirstDifference(
      own, mutated,
      [](const Kernel &kernel, std::vector<Line> &lines, size_t number, const Line *) {
        const auto isBarrier = [](const Line &line) {
          return std::holds_alternative<Barrier>(line.statement->node);
        };
        // Moved ahead of a statement, the barrier follows that and what is in it.
        const auto barrier = std::find_if(lines.begin() + number, lines.end(), isBarrier);
        return barrier != lines.end() && !barrier->isInLoop &&
               llvm::none_of(llvm::make_range(barrier, lines.end()),
                             [&](const Line &line) { return usesTiles(line.head, kernel); });
      });
}

/// True if `more` is proven to be no less: what it has beyond the other grows with counters of
/// loops, which count from 0.
static bool isAtLeast(const Index &more, const Index &less) {
  const LinearIndex excess = linearDifference(more, less);
  return excess.constant >= 0 && llvm::all_of(excess.terms, [](const LinearIndex::Term &term) {
           const auto *counter = std::get_if<Coordinate>(&term.atom->node);
           return term.factor > 0 && counter && counter->kind == CoordinateKind::Local;
         });
}

bool mutation::countsMoreLists(const Program &right, const Program &mutated) {
  Program own = right;
  return atFirstDifference(
      own, mutated,
      [](const Kernel &, std::vector<Line> &lines, size_t number, const Line *changed) {
        const auto *count = std::get_if<LetIndex>(&lines[number].statement->node);
        const auto *least = count ? std::get_if<IndexMin>(&count->value->node) : nullptr;
        const auto *other = changed ? std::get_if<LetIndex>(&changed->statement->node) : nullptr;
        if (!least || !other || !std::holds_alternative<IndexConstant>(least->left->node))
          return false;
        const auto *otherLeast = std::get_if<IndexMin>(&other->value->node);
        if (!otherLeast)
          return equal(other->value, least->left);
        return equal(otherLeast->left, least->left) && isAtLeast(otherLeast->right, least->right);
      });
}

/// A loop from 0 on whose first turn is its last.
static bool turnsOnce(const For &loop) {
  const std::optional<int64_t> end = constantDifference(loop.end, constant(0));
  return constantDifference(loop.begin, constant(0)) == 0 && end && *end >= 1 && *end <= loop.step;
}

bool mutation::countsTurnsOfOne(const Program &right, const Program &mutated) {
  Program own = right;
  return atFirstDifference(
      own, mutated,
      [](const Kernel &, std::vector<Line> &lines, size_t number, const Line *changed) {
        const Statement &line = *lines[number].statement;
        const For *loop = loopOf(line),
                  *otherLoop = changed ? loopOf(*changed->statement) : nullptr;
        if (loop && otherLoop)
          return turnsOnce(*loop) && turnsOnce(*otherLoop);
        const auto *index = std::get_if<LetIndex>(&line.node);
        const auto *other = changed ? std::get_if<LetIndex>(&changed->statement->node) : nullptr;
        if (!index || !other)
          return false;
        const LinearIndex excess = linearDifference(other->value, index->value);
        const auto isCounter = [&](const LinearIndex::Term &term, const Line &line) {
          const For *loop = loopOf(*line.statement);
          const auto *local = std::get_if<Coordinate>(&term.atom->node);
          return loop && turnsOnce(*loop) && local && local->kind == CoordinateKind::Local &&
                 local->number == loop->local;
        };
        return excess.constant == 0 &&
               llvm::all_of(excess.terms, [&](const LinearIndex::Term &term) {
                 return llvm::any_of(lines,
                                     [&](const Line &line) { return isCounter(term, line); });
               });
      });
}
