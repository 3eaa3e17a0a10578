// In which order a kernel makes and stores many results.
#include "codegen/print/StoresSooner.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace stores_sooner {
namespace {

constexpr ScalarType f32 = ScalarType::F32;

Value load(unsigned array) { return makeValue(f32, LoadGlobal{array, {}}); }
Value reg(unsigned number) { return makeValue(f32, RegisterValue{number}); }

/// Register n takes what array n has, all of them first; then array n + 100 takes register n.
Body results(unsigned count) {
  Body body;
  for (unsigned number = 0; number < count; ++number)
    body.push_back(Let{number, load(number)});
  for (unsigned number = 0; number < count; ++number)
    body.push_back(StoreGlobal{number + 100, {}, reg(number)});
  return body;
}

/// "a0 s100 a1": what is made and stored, in order.
std::string orderOf(const Body &body) {
  std::string text;
  for (const Statement &statement : body)
    if (const auto *let = std::get_if<Let>(&statement.node))
      text += "a" + std::to_string(let->reg) + " ";
    else if (const auto *store = std::get_if<StoreGlobal>(&statement.node))
      text += "s" + std::to_string(store->array) + " ";
    else
      text += "- ";
  return text;
}

TEST(StoresSooner, AreBehindWhatTheyAskFor) {
  EXPECT_EQ(orderOf(storesSooner(results(10))),
            "a0 s100 a1 s101 a2 s102 a3 s103 a4 s104 a5 s105 a6 s106 a7 s107 a8 s108 a9 s109 ");
  EXPECT_EQ(orderOf(storesSooner(results(9))), orderOf(results(9)));
}

TEST(StoresSooner, AreBehindWhatReadsWhereTheyAreStored) {
  Body body = results(10);
  body[3] = Let{3, load(100)};
  EXPECT_EQ(orderOf(storesSooner(body)).substr(0, 20), "a3 a0 s100 a1 s101 a");
}

TEST(StoresSooner, StandBetweenWhatIsNoneOfThem) {
  Body body = results(10);
  body.insert(body.begin() + 15, Barrier{});
  EXPECT_EQ(orderOf(storesSooner(body)), orderOf(body));
  Body inner = {If{{}, results(10), {}}};
  EXPECT_EQ(orderOf(std::get<If>(storesSooner(inner).front().node).then),
            orderOf(storesSooner(results(10))));
}

TEST(StoresSooner, LeaveNothingOut) {
  Body body = results(10);
  body.push_back(Let{10, load(109)});
  const std::string order = orderOf(storesSooner(body));
  EXPECT_TRUE(llvm::StringRef(order).ends_with(" a9 s109 a10 ")) << order;
}

} // namespace
} // namespace stores_sooner
