// Which numbers of formulas are named constants of the file, and what these are called.
#include "codegen/print/NamedNumbers.h"

#include "test/codegen/Reference.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

/// "kWeight0 7.5, ..." of a stencil that makes u in f64 of this formula.
std::string namesOf(const std::string &formula, llvm::StringRef takenName = "") {
  const Stencil stencil =
      stencilOf("stencil s(y, x) { field f64 u; boundary u: fixed; u' = " + formula + "; }");
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule("baseline/32x4", 2))));
  UniqueNames taken;
  taken.reserve(takenName);
  std::string out;
  for (const NamedNumber &number : namedNumbers(*program, taken))
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number.name, number.value);
  return out;
}

TEST(NamedNumbers, WeightsOfADifferenceAreNamedByDistance) {
  EXPECT_EQ(namesOf("laplace(u, order=6)"), "kWeight0 5.444444444444445, kWeight1 1.5, "
                                            "kWeight2 0.15, kWeight3 0.011111111111111112");
  EXPECT_EQ(namesOf("u + 0.1875*(u[x-1] + u[x+1]) + 0.25*(u[y-1] + u[y+1])"),
            "kWeight1 0.25, kWeight2 0.1875");
}

TEST(NamedNumbers, ShortNumbersStandInTheText) {
  EXPECT_EQ(namesOf("0.125*u + 4*u[x-1] - 2.5*u[x+1]"), "");
  // Beside a long one they are weights, but 2 tells as much as a name.
  EXPECT_EQ(namesOf("2*u - 0.1875*u[x-1] + 0.3*u[y-1]"), "kWeight0 0.3, kWeight1 0.1875");
  EXPECT_EQ(namesOf("0.1875*u[x-1] + 0.3*max(u, 0.3)"), "kWeight1 0.1875");
}

TEST(NamedNumbers, OthersAreNoWeights) {
  EXPECT_EQ(namesOf("max(u, 0.1875)*u[x-1]/0.7071"), "kNumber1 0.1875, kNumber2 0.7071");
  EXPECT_EQ(namesOf("1.4142*u + pow(u[x-1], 1.4142)"), "kWeight 1.4142");
}

TEST(NamedNumbers, NamesOfOthersAreLeftAlone) {
  EXPECT_EQ(namesOf("1.4142*u", "kWeight"), "kWeight_2 1.4142");
}

TEST(NamedNumbers, SoManyThatNamesSayNothingHaveNone) {
  std::string terms = "0.12345*u";
  for (unsigned number = 1; number < 16; ++number)
    terms += fmt::format(" + 0.12345{}*u[x+1]", 10 + number);
  EXPECT_NE(namesOf(terms), "");
  EXPECT_EQ(namesOf(terms + " + 0.98765*u[y+1]"), "");
}

TEST(NamedNumbers, FractionsRoundToTheNumber) {
  constexpr ScalarType f32 = ScalarType::F32, f64 = ScalarType::F64;
  EXPECT_EQ(fractionOf(f64, 8.0 / 315), "8/315");
  EXPECT_EQ(fractionOf(f64, 5269.0 / 600), "5269/600");
  EXPECT_EQ(fractionOf(f32, 8.0f / 315), "8/315");
  EXPECT_EQ(fractionOf(f64, 8.0f / 315), "");
  EXPECT_EQ(fractionOf(f64, 3), "");
  EXPECT_EQ(fractionOf(f64, 0.3333), "") << "no shorter than the number";
  EXPECT_EQ(fractionOf(f64, 3.141592653589793), "");
  EXPECT_EQ(fractionOf(f32, 3.141592653589793f), "");
}

} // namespace
