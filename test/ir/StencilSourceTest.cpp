// Stencils printed as .stn text, and parsed again.
#include "ir/stencil/StencilSource.h"
#include "ir/stencil/StencilVerifier.h"
#include "test/ir/StencilBuilder.h"
#include "test/ir/StencilSource.h"

#include <filesystem>

using namespace stencilc;

namespace {

std::string sourceOf(const Stencil &stencil) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printSource(out, stencil);
  return text;
}

/// The stencil of a file's text; none if the front end refuses it.
std::optional<Stencil> analysed(llvm::StringRef text, std::string &messages) {
  llvm::raw_string_ostream out(messages);
  DiagnosticEngine diagnostics(llvm::MemoryBuffer::getMemBufferCopy(text, "test.stn"), out);
  return analyse(diagnostics, {});
}

/// Expects that parsing what is printed gives the stencil again.
void expectItself(const Stencil &stencil, llvm::StringRef file) {
  const std::string text = sourceOf(stencil);
  std::string messages;
  const std::optional<Stencil> again = analysed(text, messages);
  ASSERT_TRUE(again) << file.str() << "\n" << text << messages;
  EXPECT_EQ(difference(stencil, *again).value_or("none"), "none") << file.str() << "\n" << text;
  EXPECT_EQ(sourceOf(*again), text) << file.str() << ": printed twice, it is another text";
}

TEST(StencilSource, EveryStencilOfExamplesAndTestsComesBack) {
  unsigned count = 0;
  for (const char *folder : {STENCILC_EXAMPLES, STENCILC_LANGUAGE_TESTS})
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".stn")
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
      ASSERT_TRUE(buffer);
      std::string messages;
      if (std::optional<Stencil> stencil = analysed((*buffer)->getBuffer(), messages)) {
        expectItself(*stencil, entry.path().string());
        ++count;
      }
    }
  EXPECT_GT(count, 25u);
}

TEST(StencilSource, LetsKeepTheirNamesAndAreMoved) {
  const char *text = R"(stencil hdiff(y, x) {
  field f64 u;
  const f64 coeff;
  boundary u: halo;
  let lap = 4*u - (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
  let rx = lap[x+1] - lap;
  let fx = where(rx*(u[x+1] - u) > 0, 0, rx);
  u' = u - coeff*(fx - fx[x-1]);
})";
  EXPECT_EQ(sourceOf(stencilOf(text)), R"(stencil hdiff(y, x) {
  field f64 u;
  const f64 coeff;
  boundary u: halo;
  let lap = 4 * u - (u[x-1] + u[x+1] + u[y-1] + u[y+1]);
  let rx = lap[x+1] - lap;
  let fx = where(rx * (u[x+1] - u) > 0, 0, rx);
  u' = u - coeff * (fx - fx[x-1]);
}
)");
}

TEST(StencilSource, SharedValuesAreWrittenOnce) {
  // Each let is used twice by the next: written out, the last one has 2^40 terms.
  std::string text = "stencil deep(x) { field f64 u; boundary u: clamp; let a0 = u*u + 1;\n";
  for (int i = 1; i <= 40; ++i)
    text += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " * (a" +
            std::to_string(i - 1) + " + 2);\n";
  Stencil stencil = stencilOf(text + "u' = a40; }");
  expectItself(stencil, "with names");
  for (Expr &expr : stencil.stages[0].updates[0].formula.exprs)
    expr.name.clear();
  expectItself(stencil, "without names");
  EXPECT_LT(sourceOf(stencil).size(), 8000u);
}

TEST(StencilSource, LongSumsAreCutWhereTheParserStops) {
  expectItself(stencilOf("stencil s(x) { field f64 u; boundary u: clamp;"
                         " u' = sum(i=-700:700, u[x+i]); }"),
               "1401 terms");
}

TEST(StencilSource, NumbersComeBackToTheLastBit) {
  expectItself(stencilOf(R"(stencil s(x) {
    field f32 u; field f64 v;
    param f64 a = 0.1, b = -exp(1000), c = sqrt(-1), d = -sqrt(0);
    param f32 e = 0.1;
    u' = u*0.1 - 1e-40 + e*-3;
    v' = v*0.1 + 123456789012345678 + 5e-324 + a*1e22;
  })"),
               "numbers");
}

TEST(StencilSource, ConversionsAreWrittenWhereTheLanguageMakesNone) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u");
  const unsigned v = addArray(stencil, ArrayKind::Field, "v");
  stencil.arrays[v].type = ScalarType::F32;
  const auto v32 = [&](FormulaBuilder &f) { return f.now(v, {}, ScalarType::F32); };
  addUpdate(stencil, 0, u, [&](auto &f) {
    const ExprId wide = f.cast(ScalarType::F64, v32(f));
    return f.plus(f.times(f.number(0.1), wide), f.times(f.now(u), wide));
  });
  addUpdate(stencil, 0, v, [&](auto &f) {
    const ExprId root = f.call(Builtin::Sqrt, {f.number(2, ScalarType::F32)});
    const ExprId sum = f.plus(f.cast(ScalarType::F64, root), f.cast(ScalarType::F64, v32(f)));
    return f.cast(ScalarType::F32, sum);
  });
  EXPECT_EQ(llvm::toString(verify(stencil)), "");
  EXPECT_EQ(sourceOf(stencil), R"(stencil test(x) {
  field f64 u;
  field f32 v;
  u' = 0.1 * f64(v) + u * v;
  v' = f64(f32(sqrt(2))) + f64(v);
}
)");
}

TEST(StencilSource, ComparesLiteralsWithTheirType) {
  const Stencil stencil = stencilOf("stencil s(x) { field f32 u; u' = u*sign(3.0f); }");
  EXPECT_NE(sourceOf(stencil).find("where(f32(3) > 0, 1, "), std::string::npos)
      << sourceOf(stencil); // 3 > 0 would be decided
  expectItself(stencil, "literals");
}

TEST(StencilSource, TempsRegionsTimeAndReductions) {
  Stencil stencil = emptyStencil({"y", "x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Symmetric);
  stencil.arrays[u].boundary[0][Low].factor = -1;
  stencil.arrays[u].boundary[1] = {Boundary{BoundaryKind::Reflect}, Boundary{BoundaryKind::Fixed}};
  const unsigned d = addArray(stencil, ArrayKind::Temp, "d");
  const unsigned w = addOverTime(stencil, "w");
  const unsigned k = addParamInt(stencil, "k", 3);
  addUpdate(stencil, 0, d, [&](auto &f) {
    const ExprId here = f.compare(CompareOp::Equal, f.position(1), f.param(k, ScalarType::Int));
    const ExprId now = f.times(f.plus(f.step(), f.whole(1)), f.position(0));
    return f.where(here, f.overTime(w, 1),
                   f.times(f.now(u, {0, -1}), f.cast(ScalarType::F64, now)));
  });
  addUpdate(stencil, 1, u, [&](auto &f) { return f.plus(f.next(d), f.overTime(w)); },
            {{{fromStart(2), fromEnd(-2)}, {fromParam(k, 1), fromEnd(0)}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.number(0); },
            {{{fromStart(0), fromStart(1)}, {}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.number(1); },
            {{{fromEnd(-1), fromEnd(0)}, {fromStart(0), fromParam(k, 0)}}});
  addReduction(stencil, Reduction::Op::Max, "speed",
               [&](auto &f) { return f.call(Builtin::Abs, {f.now(u)}); },
               {{{}, {fromParam(k, -1), fromParam(k, 0)}}});
  EXPECT_EQ(llvm::toString(verify(stencil)), "");
  EXPECT_EQ(sourceOf(stencil), R"(stencil test(y, x) {
  field f64 u;
  temp f64 d;
  const f64 w(t);
  param int k = 3;
  boundary u: y- symmetric(-1), y+ symmetric, x- reflect, x+ fixed;
  stage {
    d' = where(x == k, w[t+1], u[x-1] * ((t + 1) * y));
  }
  stage {
    u' on y[2:-2], x[k+1:] = d' + w;
    u' on y[0] = 0;
    u' on y[-1], x[:k] = 1;
  }
  reduce max speed on x[k-1] = abs(u);
}
)");
  expectItself(stencil, "built by hand");
}

} // namespace
