// Indices that a body names and never uses.
#include "ir/kernel/UnusedNames.h"

#include "ir/kernel/ValueTypes.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace unused_names {
namespace {

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

/// The locals that the body and the bodies in it make by a name, in order.
std::vector<unsigned> named(Body body) {
  std::vector<unsigned> result;
  for (Statement &statement : body) {
    if (const auto *let = std::get_if<LetIndex>(&statement.node))
      result.push_back(let->local);
    forEachBody(statement, [&](const Body &inner) {
      for (unsigned number : named(inner))
        result.push_back(number);
    });
  }
  return result;
}

Statement store(Index at) {
  return {StoreGlobal{0, {std::move(at)}, makeValue(ScalarType::F64, LiteralValue{1})}};
}

TEST(UnusedNames, GoWithTheNamesThatOnlyTheyUse) {
  Body body = {{LetIndex{0, constant(4)}},
               {LetIndex{1, add(local(0), 1)}},
               {LetIndex{2, add(local(1), local(1))}},
               store(local(0))};
  dropUnusedIndices(body);
  EXPECT_EQ(named(body), std::vector<unsigned>{0});
}

TEST(UnusedNames, StayForAnInnerBodyABoundAndABox) {
  const Body original = {{LetIndex{0, constant(4)}},
                         {LetIndex{1, constant(5)}},
                         {LetIndex{2, constant(6)}},
                         {For{LoopKind::Serial,
                              3,
                              constant(0),
                              local(0),
                              1,
                              {{LetIndex{4, local(3)}},
                               {If{{{local(3), local(1), nullptr}}, {store(local(2))}, {}}}}}}};
  Body body = original;
  dropUnusedIndices(body);
  EXPECT_EQ(named(original), (std::vector<unsigned>{0, 1, 2, 4}));
  EXPECT_EQ(named(body), (std::vector<unsigned>{0, 1, 2}));
}

} // namespace
} // namespace unused_names
