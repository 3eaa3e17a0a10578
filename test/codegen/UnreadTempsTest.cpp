// Temps that nothing reads are not made, unless callers would notice.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace unread_temps {
namespace {

/// The names of what is made, in order.
std::vector<std::string> madeOf(const std::string &text) {
  const Stencil stencil = llvm::cantFail(formFor(stencilOf(text), {})).stencil;
  std::vector<std::string> names;
  forEachUpdate(stencil,
                [&](const Update &update) { names.push_back(stencil.arrays[update.array].name); });
  return names;
}

std::string withTemps(llvm::StringRef boundary, llvm::StringRef last) {
  return ("stencil s(x) { field f64 u, v; temp f64 a, b, c; boundary: " + boundary +
          "; init u = x; init v = x*x;"
          " stage { a' = 2*u; b' = 3*u[x+1]; } stage { c' = b'[x-1] + a'; } stage { " +
          last + " v' = v + 1; } }")
      .str();
}

} // namespace

TEST(UnreadTemps, AreNotMade) {
  // c is not read, and b is by c alone.
  const std::string text = withTemps("clamp", "u' = a'[x+1];");
  EXPECT_EQ(madeOf(text), (std::vector<std::string>{"a", "u", "v"}));
  for (const char *schedule : {"baseline/4/r1", "baseline/4/r1/recompute", "host"})
    for (int64_t extent : {1, 3, 40})
      expectReference(text, schedule, {extent}, 3);
  EXPECT_EQ(madeOf(withTemps("clamp", "u' = c'[x+1];")).size(), 5u);
}

TEST(UnreadTemps, StayForTheSakeOfTheInterface) {
  // Without b, u would have no ghost points.
  EXPECT_TRUE(llvm::is_contained(madeOf(withTemps("halo", "u' = a';")), "b"));
}

} // namespace unread_temps
