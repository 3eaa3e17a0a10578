// Values that several points ask for, computed once: the bits of the reference between ends of
// every kind, the form that gives the stencil as written when its temps are computed again, and
// which values are left where they are.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace values_once {
namespace {

Stencil onceOf(const std::string &text) {
  return llvm::cantFail(withValuesOnce(stencilOf(text))).stencil;
}

std::string whyNot(const std::string &text) {
  llvm::Expected<StencilForm> form = withValuesOnce(stencilOf(text));
  return form ? "" : llvm::toString(form.takeError());
}

/// What is made once, as the form names it.
std::vector<std::string> temps(const std::string &text) {
  std::vector<std::string> names;
  for (const Array &array : onceOf(text).arrays)
    if (array.kind == ArrayKind::Temp)
      names.push_back(array.name);
  return names;
}

const std::vector<const char *> kOnTwoAxes = {
    "baseline/4x2/r1/precompute", "baseline/4x2/v2x2/r1/precompute", "zblock/4x1/c3/r1/precompute",
    "shm/4x2/r1/precompute", "host/precompute"};

void expectReferences(const std::string &text, llvm::ArrayRef<const char *> schedules,
                      unsigned rank) {
  const Signature signature = signatureOf(stencilOf(text));
  for (const char *schedule : schedules)
    for (int64_t extent : {1, 2, 3, 9, 21})
      for (int steps : {1, 2, 3}) {
        SCOPED_TRACE(text + "\n" + schedule + ", " + std::to_string(extent) + " points, " +
                     std::to_string(steps) + " steps");
        std::vector<int64_t> extents(rank, extent);
        extents.front() = std::min<int64_t>(extent, 11);
        if (extent >= *llvm::max_element(signature.minimumExtent))
          expectReference(text, schedule, extents, steps);
      }
}

/// A diffusion whose conductivity is a function of the state, at all neighbours of a point.
std::string conduction(const std::string &boundary) {
  return "stencil s(y, x) { field f64 u; const f64 c; param f64 a = 3;" + boundary +
         "  init u = 1 + 0.1*x - 0.05*y*y; init c = 1 + 0.01*x*y;"
         "  let k(w, d) = a + w/(d + w*w); let g(p, q) = (p + q)*0.5;"
         "  let here = k(u, c);"
         "  u' = u + 0.01*(g(here, here[x+1])*(u[x+1] - u) + g(here, here[x-1])*(u[x-1] - u)"
         "                 + g(here, here[y+1])*(u[y+1] - u) + here[y-1, x-2]*(u[y-1] - u)); }";
}

TEST(ValuesOnce, EndAsWhatTheyReadDoes) {
  for (const char *end : {"clamp", "periodic", "reflect", "symmetric", "fixed", "halo",
                          "value(0.25)", "value(a)", "y- value(2*a), y+ clamp, x periodic"})
    expectReferences(conduction("boundary u, c: " + std::string(end) + ";"), kOnTwoAxes, 2);
  // Numbers of their own beyond an end.
  expectReferences(conduction("boundary u: value(0.5); boundary c: value(2);"), kOnTwoAxes, 2);
}

TEST(ValuesOnce, GiveTheStencilAsWrittenWhenComputedAgain) {
  for (const char *end : {"clamp", "periodic", "reflect", "symmetric", "fixed", "halo"}) {
    const Stencil written = stencilOf(conduction("boundary u, c: " + std::string(end) + ";"));
    const Stencil once = llvm::cantFail(withValuesOnce(written)).stencil;
    EXPECT_EQ(once.stages.size(), 2u);
    Stencil again = llvm::cantFail(withTempsAgain(once)).stencil;
    again.arrays.resize(written.arrays.size());
    for (Array &array : again.arrays)
      array.hasOwnNext = false;
    EXPECT_EQ(difference(written, again), std::nullopt) << end;
  }
}

TEST(ValuesOnce, KeepTheInterface) {
  const std::string text = conduction("boundary u, c: clamp;");
  EXPECT_TRUE(signatureOf(onceOf(text)).arrays[0].hasNext);
  // The new level could be made in place: what neighbours need is in the temps by then.
  Stencil inPlace = onceOf("stencil s(x) { field f64 u; boundary u: clamp;"
                           "  let k = 1/(u*u + 2); u' = u*(k[x+1] - k[x-1]); }");
  EXPECT_TRUE(needsNextBuffer(inPlace, 0));
  inPlace.arrays[0].hasOwnNext = false;
  EXPECT_FALSE(needsNextBuffer(inPlace, 0));
}

TEST(ValuesOnce, ReadPreviousLevelsAndWhatEarlierStagesMade) {
  expectReferences("stencil s(y, x) { field f64 u, v; temp f64 d; const f64 row(x);"
                   "  boundary u: clamp; boundary v, row, d: clamp; init u = x - y; init v = y + 2;"
                   "  init row = 1 + 0.1*x;"
                   "  let k = u[t-1]/(2 + v*v)*row; let m = sqrt(abs(d') + row);"
                   "  stage { d' = u + v/7; }"
                   "  stage { u' = 0.1*(k[x+1] - k[y-1]) + m[x-1]*m[y+1] - m; v' = v + m[y-1]; } }",
                   kOnTwoAxes, 2);
}

TEST(ValuesOnce, AreMadeInFusedSteps) {
  const std::string text =
      "stencil s(z, y, x) { field f32 u; boundary u: z- value(1), z+ clamp, y periodic, x clamp;"
      "  init u = 0.1f*x + y - z; let k = u/(1 + u*u);"
      "  u' = u + 0.1f*(k[x+1] + k[x-1] + k[y+1] + k[y-1] + k[z+1] + k[z-1] - 6*k); }";
  for (const char *schedule :
       {"temporal/32x4x1/c5/v2x2/p1/r1/precompute", "temporal/32x6x1/c5/t2/v2x2/p1/r1/precompute"})
    expectReference(text, schedule, {7, 9, 70}, 4);
}

TEST(ValuesOnce, HaveTheNameOfTheirLet) {
  EXPECT_EQ(temps("stencil s(x) { field f64 u; boundary u: clamp; let k = 1/(u*u + 2);"
                  "  u' = k[x+1] - k[x-1]; }"),
            std::vector<std::string>{"k"});
  EXPECT_EQ(temps("stencil s(x) { field f64 u, part; boundary u: clamp; param f64 a = 2;"
                  "  u' = 1/(a + u[x+1]) - 1/(a + u[x-1]); part' = part + u; }"),
            std::vector<std::string>{"part_2"});
}

TEST(ValuesOnce, AreFewWhereOthersAreMadeOfThem) {
  const std::string text =
      "stencil s(x) { field f64 d, m, e; boundary: periodic; init d = 2 + 0.1*x; init m = x;"
      "  init e = 3; let v = m/d; let f = m*v; let g = e*v + m; let h = v*e*d;"
      "  d' = d - 0.1*(f - f[x-1]); m' = m - 0.1*(g - g[x-1]); e' = e - 0.1*(h - h[x-1]); }";
  EXPECT_EQ(temps(text), std::vector<std::string>{"v"});
  expectReferences(text, {"baseline/8/r1/precompute", "host/precompute"}, 1);
}

TEST(ValuesOnce, AreLeftWhereTheyAre) {
  const auto stencil = [](const std::string &ends, const std::string &formula) {
    return "stencil s(x) { field f64 u, v; boundary " + ends + "; let k = 1/(u*v + 2);" +
           "u' = " + formula + "; v' = v; }";
  };
  const std::string none = "no point of `s` computes for another what that one computes too";
  EXPECT_EQ(whyNot(stencil("u, v: clamp", "k[x+1] - k[x-1]")), "");
  EXPECT_EQ(whyNot(stencil("u, v: clamp", "k[x+1] + k[x+1]*u")), none);             // of one point
  EXPECT_EQ(whyNot(stencil("u, v: clamp", "u[x+1]*v[x+1] + u[x-1]*v[x-1]")), none); // little work
  EXPECT_EQ(whyNot(stencil("u: clamp; boundary v: value(1)", "k[x+1] - k[x-1]")), none);
  EXPECT_EQ(whyNot(stencil("u: x- value(0), x+ clamp; boundary v: clamp", "k[x+1] - k[x+2]")), "");
  EXPECT_EQ(whyNot(stencil("u, v: symmetric(-1)", "k[x+1] - k[x-1]")), none);
  EXPECT_EQ(whyNot("stencil s(x) { field f64 u; boundary u: clamp;" // where it stands
                   "  let k = x/(u*u + 2); u' = k[x+1] - k[x-1]; }"),
            none);
  EXPECT_EQ(whyNot("stencil s(x) { field f64 u; boundary u: value(0);" // no number beyond the ends
                   "  let k = 1/u; u' = k[x+1] - k[x-1]; }"),
            none);
}

} // namespace
} // namespace values_once
