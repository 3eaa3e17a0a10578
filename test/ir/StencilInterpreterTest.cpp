// Rules of the interpreter that no stencil from the literature shows.
#include "test/ir/StencilSource.h"

using namespace stencilc;

namespace {

TEST(StencilInterpreter, RefusesPeriodicExtentsBelowTheLargestOffset) {
  const Stencil stencil = stencilOf(R"(
    stencil ring(y, x) {
      field f64 u;
      boundary u: y clamp, x periodic;
      u' = u[y-5, x-3] + u[x+2];
    })");
  State small = noise(stencil, {1, 2});
  const std::string message = llvm::toString(interpret(stencil, small, 1));
  EXPECT_NE(message.find("`x` is 2"), std::string::npos) << message;
  EXPECT_NE(message.find("at least 3"), std::string::npos) << message;

  State enough = noise(stencil, {1, 3});
  const State before = enough;
  llvm::cantFail(interpret(stencil, enough, 1));
  for (int64_t x = 0; x < 3; ++x) // x-3 wraps once, to x itself
    EXPECT_EQ(enough.current[0].at({0, x}),
              before.current[0].at({0, x}) + before.current[0].at({0, (x + 2) % 3}));
}

TEST(StencilInterpreter, NothingHappensWithoutPointsOrSteps) {
  const Stencil stencil = stencilOf("stencil f(x) { field f64 u; boundary u: periodic;"
                                    " u' = u[x-1] + 1; }");
  State empty = noise(stencil, {0});
  EXPECT_FALSE(interpret(stencil, empty, 3));
  State state = noise(stencil, {4});
  const State before = state;
  EXPECT_FALSE(interpret(stencil, state, 0));
  EXPECT_FALSE(firstDifference(state.current[0], before.current[0]));
}

TEST(StencilInterpreter, NoStepRefusesNothing) {
  const Stencil stencil = stencilOf("stencil f(x) { field f64 u; boundary u: periodic;"
                                    " u' = u[x-5]; }");
  State state = noise(stencil, {2});
  EXPECT_TRUE(llvm::errorToBool(interpret(stencil, state, 1)));
  EXPECT_FALSE(llvm::errorToBool(interpret(stencil, state, 0)));
}

TEST(StencilInterpreter, RefusesNegativeExtentsAndSteps) {
  const Stencil stencil = stencilOf("stencil f(x) { field f64 u; u' = u + 1; }");
  EXPECT_EQ(llvm::toString(initialState(stencil, {-1}, {}).takeError()),
            "extent of axis `x` is negative");
  State state = noise(stencil, {4});
  EXPECT_EQ(llvm::toString(interpret(stencil, state, -1)), "the number of steps is negative");
}

TEST(StencilInterpreter, ParamsNeedAValueAndAreRounded) {
  const Stencil stencil =
      stencilOf("stencil f(x) { field f32 u; param f32 a, b = 0.1; u' = a*u + b; }");
  EXPECT_NE(llvm::toString(initialState(stencil, {4}, {}).takeError()).find("`a`"),
            std::string::npos);
  EXPECT_NE(llvm::toString(initialState(stencil, {4}, {{"c", 1.0}}).takeError()).find("`c`"),
            std::string::npos);
  const State state = llvm::cantFail(initialState(stencil, {4}, {{"a", 0.3}}));
  EXPECT_EQ(state.params, (std::vector<double>{0.3f, 0.1f}));
}

TEST(StencilInterpreter, InitFillsGhostPointsAndConstArrays) {
  const Stencil stencil = stencilOf(R"(
    stencil f(y, x) {
      field f64 u;
      const f64 strip(x);
      boundary u: y halo, x clamp;
      init u = 10*y + x;
      init strip = 2*x;
      u' = u[y-1] + u[y+2] + u[x+1] + strip;
    })");
  const State state = llvm::cantFail(initialState(stencil, {3, 2}, {}));
  const Grid &u = state.current[0];
  EXPECT_EQ(u.values.size(), size_t(3 + 1 + 2) * 2);
  EXPECT_EQ(u.at({-1, 1}), -9.0);
  EXPECT_EQ(u.at({4, 0}), 40.0);
  EXPECT_EQ(state.current[1].at({1}), 2.0);
}

TEST(StencilInterpreter, PreviousLevelStartsAsTheNewestUnlessItHasItsOwn) {
  const char *source = "stencil f(x) { field f64 u; init u = x + 1; %s u' = u - u[t-1]; }";
  char text[200];
  std::snprintf(text, sizeof text, source, "");
  State state = llvm::cantFail(initialState(stencilOf(text), {2}, {}));
  EXPECT_EQ(state.previous[0].values, (std::vector<double>{1, 2}));

  std::snprintf(text, sizeof text, source, "init u[t-1] = 5;");
  const Stencil stencil = stencilOf(text);
  state = llvm::cantFail(initialState(stencil, {2}, {}));
  EXPECT_EQ(state.previous[0].values, (std::vector<double>{5, 5}));
  llvm::cantFail(interpret(stencil, state, 2)); // -4 -3, then -5 -5
  EXPECT_EQ(state.previous[0].values, (std::vector<double>{-4, -3}));
  EXPECT_EQ(state.current[0].values, (std::vector<double>{-5, -5}));
}

TEST(StencilInterpreter, GhostPointsStayAsTheCallerFilledThem) {
  const Stencil stencil =
      stencilOf("stencil f(x) { field f64 u; boundary u: halo; u' = u[x-1] + u[x+1]; }");
  State state = noise(stencil, {3});
  const State before = state;
  llvm::cantFail(interpret(stencil, state, 2));
  EXPECT_EQ(state.current[0].at({-1}), before.current[0].at({-1}));
  EXPECT_EQ(state.current[0].at({3}), before.current[0].at({3}));
  EXPECT_NE(state.current[0].at({1}), before.current[0].at({1}));
}

TEST(StencilInterpreter, NewValuesObeyTheBoundaryOfTheirField) {
  const Stencil stencil = stencilOf(R"(
    stencil f(x) {
      field f64 u, v;
      boundary u: x- value(7), x+ clamp;
      stage { u' = u + 1; }
      stage { v' = u'[x-1] + 100*u'[x+1]; }
    })");
  State state = llvm::cantFail(initialState(stencil, {3}, {}));
  state.current[0].values = {1, 2, 3};
  llvm::cantFail(interpret(stencil, state, 1));
  EXPECT_EQ(state.current[1].values, (std::vector<double>{307, 402, 403}));
}

} // namespace
