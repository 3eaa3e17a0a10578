// What both sides of a `where` do, done once: the bits of the reference, and which sides are left
// as they are.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace shared_sides {
namespace {

std::string
flux(llvm::StringRef type, llvm::StringRef side, llvm::StringRef other,
     llvm::StringRef functions = "let f(a, b, d) = (a*b + d)*(a - b)/(1 + d*d) + max(a, d);") {
  return ("stencil s(y, x) { field " + type + " u, w; const " + type + " v; boundary: clamp;" +
          " init u = 1 + 0.25*x - 0.125*y*y; init w = 0.5*x; init v = sin(3*x + 2*y);" + functions +
          " u' = u + 0.01*where(v > 0, " + side + ", " + other + ") + 0.5*w[y+1]; w' = u; }")
      .str();
}

struct Operations {
  unsigned divisions = 0, selects = 0;
  bool operator==(const Operations &) const = default;
};
void PrintTo(const Operations &counted, std::ostream *out) {
  *out << counted.divisions << " divisions, " << counted.selects << " selects";
}

/// Of the first update, as it is lowered.
Operations operationsOf(const std::string &text) {
  const Stencil stencil = llvm::cantFail(formFor(stencilOf(text), {})).stencil;
  Operations counted;
  for (const Expr &expr : stencil.stages.front().updates.front().formula.exprs) {
    const auto *binary = std::get_if<BinaryExpr>(&expr.node);
    counted.divisions += binary && binary->op == BinaryOp::Divide;
    counted.selects += std::holds_alternative<SelectExpr>(expr.node);
  }
  return counted;
}

void expectReferences(const std::string &text) {
  for (const char *schedule :
       {"baseline/4x2/r1", "baseline/4x2/v2x2/r1", "zblock/4x1/c3/r1", "host"})
    for (int64_t extent : {1, 2, 9, 21}) {
      SCOPED_TRACE(text + "\n" + schedule + ", " + std::to_string(extent));
      expectReference(text, schedule, {std::min<int64_t>(extent, 11), extent}, 3);
    }
}

} // namespace

TEST(SharedSides, ChooseWhatTheyAreMadeOf) {
  // Of three values one is the same on both sides, and the choice of another is asked for twice.
  for (const char *type : {"f32", "f64"}) {
    const std::string text = flux(type, "f(u[x-1], u, u[x+1])", "f(u[x+1], u, u[x-1])");
    EXPECT_EQ(operationsOf(text), (Operations{1, 2}));
    expectReferences(text);
  }
  // A square becomes a product of two values, and the other way round.
  const std::string product = flux("f64", "f(u[x-1], u[x-1], u)", "f(u, u[x+1], u[x+1])");
  EXPECT_EQ(operationsOf(product), (Operations{1, 3}));
  expectReferences(product);
}

TEST(SharedSides, GoThroughSidesOfTheirOwn) {
  const char *const functions =
      "let f(a, b) = where(a > b, (a*a + b)/(1 + b*b), (a - b)*(a + b)/(2 + a*a));";
  const std::string text =
      flux("f64", "f(u[x-1], u) + f(u, u[y+1])", "f(u, u[x+1]) + f(u[y-1], u)", functions);
  // One for each flux of a side, where there are two on each of both.
  EXPECT_EQ(operationsOf(text).divisions, 2u);
  expectReferences(text);
}

TEST(SharedSides, StayWhereThatIsNoGain) {
  // Two values to choose, for one operation.
  EXPECT_EQ(operationsOf(flux("f64", "u - u[x-1]", "u[x+1] - u")), (Operations{0, 1}));
  // Other operations, or what compilers make of a literal.
  EXPECT_EQ(operationsOf(flux("f64", "(u + w)/(1 + u*u)", "(u - w)*(1 + u*u)")),
            (Operations{1, 1}));
  EXPECT_EQ(operationsOf(flux("f64", "sqrt(u)*exp(w)/2", "sqrt(w)*exp(u)/3")), (Operations{2, 1}));
  // Both sides are there anyway.
  const std::string both = "f(u[x-1], u, w) + f(u, u[x+1], w)";
  EXPECT_EQ(operationsOf(flux("f64", "f(u[x-1], u, w)", "f(u, u[x+1], w) ) + " + both + " + (0")),
            (Operations{2, 1}));
  // One number of the run decides, for all points alike.
  std::string ofRun = flux("f64", "f(u[x-1], u, w)", "f(u, u[x+1], w)");
  ofRun.replace(ofRun.find("v > 0"), 5, "k > 0");
  ofRun.insert(ofRun.find(" init"), " param f64 k = 1;");
  EXPECT_EQ(operationsOf(ofRun), (Operations{2, 1}));
}

} // namespace shared_sides
