#include "frontend/lsp/Vocabulary.h"

#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace stencilc::lsp {

namespace {

using Kind = Word::Kind;

constexpr Word kWords[] = {
    {Kind::Item, "stencil", "stencil NAME(z, y, x) { ... }",
     "A stencil and its axes, the slowest first; the last one is contiguous in memory."},
    {Kind::Item, "field", "field f64 u;", "Arrays that every step advances."},
    {Kind::Item, "temp", "temp f64 d;",
     "Arrays that a stage makes and later stages read as `d'`; gone after the step."},
    {Kind::Item, "const", "const f64 c, rho(z), w(t);",
     "Arrays that are read only: with all axes, with some, or with a value a step."},
    {Kind::Item, "param", "param f64 k = 0.1;",
     "Numbers of a run, with a default unless the caller shall give them; `param int` are whole."},
    {Kind::Item, "let", "let lap = u[x-1] - 2*u + u[x+1];",
     "A formula with a name, or `let f(a) = ...;` a function. `lap[x+1]` is the formula moved."},
    {Kind::Item, "boundary", "boundary u: x periodic, y- value(0), clamp;",
     "What stands beyond the ends of an array; a kind alone is for every side not named."},
    {Kind::Item, "init", "init u = sin(0.1*x);",
     "Starting values for stand-alone programs and the reference."},
    {Kind::Item, "stage", "stage { u' = ...; }",
     "Updates that are made before those of the next stage, which may read `u'`."},
    {Kind::Item, "reduce", "reduce max speed = abs(u);",
     "A number of the newest state after a run: `min`, `max` or `sum` over all points."},
    {Kind::Item, "on", "u' on x[2:-2], y[0] = ...;",
     "The points of an update: slices of axes, from the start or, with `-`, from the end."},
    {Kind::Type, "f32", "f32", "Single precision; `f32(e)` converts."},
    {Kind::Type, "f64", "f64", "Double precision; `f64(e)` converts."},
    {Kind::Type, "real", "real", "`f64`, unless the command line says `--real=f32`."},
    {Kind::Type, "int", "param int n = 8;", "Whole numbers, exact with 64 bits."},
    {Kind::Boundary, "fixed", "fixed",
     "Nothing stands beyond: an update is made only where none of its reads leaves the array."},
    {Kind::Boundary, "halo", "halo", "Memory that the caller owns and fills stands beyond."},
    {Kind::Boundary, "clamp", "clamp", "The nearest point stands beyond."},
    {Kind::Boundary, "periodic", "periodic", "The other end stands beyond."},
    {Kind::Boundary, "reflect", "reflect, reflect(-1)",
     "The mirror image at the outermost point: -1 is 1; with a factor."},
    {Kind::Boundary, "symmetric", "symmetric, symmetric(-1)",
     "The mirror image behind the outermost point: -1 is 0; with a factor."},
    {Kind::Boundary, "value", "value(e)", "The number e stands beyond."},
    {Kind::Function, "where", "where(c, a, b)", "a where c holds, else b; both are read."},
    {Kind::Function, "sum", "sum(i=-1:1, j=-1:1, e)",
     "The terms for all indices, the first one outermost, added from left to right."},
    {Kind::Function, "laplace", "laplace(u, order=2)",
     "The sum of the second differences along all axes, in unit spacing."},
    {Kind::Function, "diff", "diff(u, x, order=2)",
     "The central first difference along an axis, in unit spacing."},
    {Kind::Function, "diff2", "diff2(u, x, order=2)",
     "The central second difference along an axis, in unit spacing."},
    {Kind::Function, "sign", "sign(a)",
     "1, -1, or a itself where it is neither above nor below 0."},
    {Kind::Function, "min", "min(a, b), min(i=-1:1, e)",
     "The least of two or more, or of terms as of `sum`; NaN is ignored, and -0 is below +0."},
    {Kind::Function, "max", "max(a, b), max(i=-1:1, e)",
     "The largest of two or more, or of terms as of `sum`; NaN is ignored, and -0 is below +0."},
    {Kind::Function, "abs", "abs(a)", "The magnitude."},
};

} // namespace

llvm::ArrayRef<Word> vocabulary() {
  static const std::vector<Word> words = [] {
    std::vector<Word> words(std::begin(kWords), std::end(kWords));
    for (llvm::StringRef name : functionNames())
      if (llvm::none_of(kWords, [&](const Word &word) { return word.name == name; }))
        words.push_back({Kind::Function, name, name, "As C's function of that name."});
    return words;
  }();
  return words;
}

const Word *findWord(llvm::StringRef name) {
  const auto found =
      llvm::find_if(vocabulary(), [&](const Word &word) { return word.name == name; });
  return found == vocabulary().end() ? nullptr : &*found;
}

} // namespace stencilc::lsp
