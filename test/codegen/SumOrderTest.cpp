// Sums whose terms are put in the order of the planes that they read.
#include "codegen/lower/SumOrder.h"

#include "test/codegen/Reference.h"

#include "test/Examples.h"

using namespace stencilc;

namespace {

Stencil updatedBy(const std::string &formula) {
  return stencilOf("stencil s(z, y, x) { field f64 u; const f64 c; param f64 k = 3;"
                   "  boundary u, c: clamp; let s = u[z+1] + u; u' = " +
                   formula + "; }");
}

const Formula &formulaOf(const Stencil &stencil) {
  return stencil.stages.front().updates.front().formula;
}

void expectOrder(const std::string &source, const std::string &ordered) {
  EXPECT_TRUE(
      isSameValue(formulaOf(withNewestPlaneLast(updatedBy(source))), formulaOf(updatedBy(ordered))))
      << source << "\n"
      << ordered;
}

TEST(SumOrder, AddsTheNewestPlaneLast) {
  expectOrder("u[z+1] + u[x+1] + u[z-1] + u", "u[z-1] + u[x+1] + u + u[z+1]");
  expectOrder("k*u[z+1] + 0.5*u[z-1]", "0.5*u[z-1] + k*u[z+1]");
}

TEST(SumOrder, TakesDifferencesAndSignsApart) {
  expectOrder("u[z+1] - (u[y+1] - (-u[y-1] - u[x-1])) - u[z-1]",
              "-u[z-1] - u[y+1] - u[y-1] - u[x-1] + u[z+1]");
  expectOrder("u[z+1] - u[x-1] + u", "u - u[x-1] + u[z+1]");
  expectOrder("-(u[z+1] - u)", "u - u[z+1]");
}

TEST(SumOrder, TakesProductsApartByPlanes) {
  expectOrder("u + k*(u[z+1] + u[y-1] + u[z-1])", "k*u[z-1] + u + k*u[y-1] + k*u[z+1]");
  expectOrder("(u[z+1] + u - u[x+1])*k - c*(u[z+1] - u[z-1])",
              "-(c*-u[z-1]) + k*(u - u[x+1]) + k*u[z+1] - c*u[z+1]");
  expectOrder("u[z-1] + k*(u + u[x+1])", "u[z-1] + k*(u + u[x+1])");
  expectOrder("u[z-1]*(u[z+1] + u) + u", "u + u[z-1]*(u + u[z+1])");
}

TEST(SumOrder, ArraysThatStayAndNumbersAreOfNoPlane) {
  expectOrder("u[z-1] + c[z+1]*2 + k", "c[z+1]*2 + k + u[z-1]");
}

TEST(SumOrder, KeepsWhatHasANameOrIsUsedTwice) {
  expectOrder("s + u[z-1]", "u[z-1] + (u + u[z+1])");
  expectOrder("(u[z+1] - u)*(u[z+1] - u) + u[z-1]", "u[z-1] + (-u + u[z+1])*(-u + u[z+1])");
  expectOrder("u[z-1] + (u - u[x+1]) + u[z+1]", "u[z-1] + u - u[x+1] + u[z+1]");
}

/// Every sum reads its newest plane last, and no addition has come to it.
TEST(SumOrder, OrdersAllExamples) {
  for (const std::string &name : exampleNames()) {
    const Stencil source = example(name), ordered = withNewestPlaneLast(source);
    for (auto [stage, was] : llvm::zip_equal(ordered.stages, source.stages))
      for (auto [update, before] : llvm::zip_equal(stage.updates, was.updates)) {
        const auto isAddition = [](const Expr &expr) {
          const auto *binary = std::get_if<BinaryExpr>(&expr.node);
          return binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Subtract);
        };
        EXPECT_LE(llvm::count_if(update.formula.exprs, isAddition),
                  llvm::count_if(before.formula.exprs, isAddition))
            << name;
        EXPECT_TRUE(isSameValue(update.formula, withNewestPlaneLast(ordered)
                                                    .stages[&stage - ordered.stages.data()]
                                                    .updates[&update - stage.updates.data()]
                                                    .formula))
            << name << " is not in order after being put in order";
      }
  }
}

/// Small whole numbers add up to the same in any order.
TEST(SumOrder, KeepsTheSums) {
  const std::string text = "stencil s(z, y, x) { field f64 u, v; param f64 k = 3; boundary u: "
                           "clamp; boundary v: periodic;"
                           "  init u = x - 2*y + 3*z; init v = x*y - z;"
                           "  let d = u[z+1] - 2*u + u[z-1];"
                           "  u' = u[z+1] - (v[y+1] - k*(u[z+1] - u[x-1] + v[z-1])) + d; v' = -(d "
                           "- v[z+1]) - u[y-1] + d; }";
  const Stencil source = stencilOf(text), ordered = withNewestPlaneLast(source);
  EXPECT_FALSE(isSameValue(formulaOf(source), formulaOf(ordered)));
  State expected = llvm::cantFail(initialState(source, {4, 3, 5}, {}, 3)), seen = expected;
  llvm::cantFail(interpret(source, expected, 3));
  llvm::cantFail(interpret(ordered, seen, 3));
  for (auto [number, array] : llvm::enumerate(source.arrays))
    EXPECT_EQ(firstDifference(expected.current[number], seen.current[number]), std::nullopt)
        << array.name;
}

} // namespace
