// What a body does at several places has one text, which says for its arguments what they said.
#include "codegen/print/RepeatedText.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace repeated_text {
namespace {

constexpr ScalarType f64 = ScalarType::F64;
constexpr unsigned kLevel = 0, kRow = 1, kRim = 2, kRim2 = 3, kBranch = 4, kFirst = 5;

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

For unrolled(unsigned number, int turns, Body body) {
  return {LoopKind::Unroll, number, constant(0), constant(turns), 1, std::move(body)};
}

/// A patch takes a plane of a level, and a row of a tile whose place gets the name `rim`.
Body surround(const Index &level, unsigned rim) {
  const Value from = makeValue(f64, PatchElement{1, {level, local(kRow)}});
  return {{unrolled(kRow, 4, {{AssignElement{0, {local(kRow)}, from}}})},
          {LetIndex{rim, maximum(coordinate(CoordinateKind::Thread, 1), constant(0))}},
          {LoadSharedVector{{0, {constant(4)}, 2}, 0, {level, local(rim)}}},
          {LoadSharedVector{{0, {constant(6)}, 2}, 0, {level, add(local(rim), 1)}}}};
}

/// A loop over levels above the first that surrounds their points, and more.
Statement loopOfLevels(int turns) {
  Body body = surround(add(local(kLevel), 1), kRim2);
  body.push_back({Barrier{}});
  return {unrolled(kLevel, turns, std::move(body))};
}

Kernel kernelOf(Body body) {
  Kernel kernel;
  kernel.locals = {"level", "row", "rim", "rim_2"};
  kernel.patches = {{"around", f64, {8}}, {"planes", f64, {4, 4}}};
  kernel.tiles = {{"rims", f64, {4, 8}}};
  kernel.body = std::move(body);
  return kernel;
}

RepeatedTexts textsOf(const Kernel &kernel) {
  return repeatedTexts(kernel.body, kernel, kBranch, kFirst);
}

void append(Body &body, const Body &more) { body.insert(body.end(), more.begin(), more.end()); }

TEST(RepeatedText, SaysWithItsArgumentsWhatAllPlacesSay) {
  Body body = {{Phase{"Takes a plane in."}}};
  append(body, surround(constant(0), kRim));
  body.push_back(loopOfLevels(3));
  const Kernel kernel = kernelOf(body);
  const RepeatedTexts found = textsOf(kernel);
  ASSERT_EQ(found.texts.size(), 1u);
  const RepeatedText &text = found.texts.front();
  EXPECT_EQ(text.name, "fill_around");
  ASSERT_EQ(text.parameters.size(), 1u);
  EXPECT_EQ(text.parameters.front().local, kFirst);
  EXPECT_EQ(text.parameters.front().name, "level");

  // It is made before the phase, and makes the names of the first place.
  ASSERT_EQ(found.madeBefore.size(), 1u);
  EXPECT_EQ(found.madeBefore.begin()->first, &kernel.body.front());
  EXPECT_EQ(std::get<LetIndex>(text.body[1].node).local, kRim);

  const Body &inLoop = std::get<For>(kernel.body.back().node).body;
  ASSERT_EQ(found.calls.size(), 2u);
  for (const Statement *first : {&kernel.body[1], &inLoop.front()}) {
    const auto &[number, statements, arguments] = found.calls.at(first);
    ASSERT_EQ(statements, text.body.size());
    ASSERT_EQ(arguments.size(), 1u);
    const Body said = changedIndices(text.body, [&](const Index &index) {
      return replaced(index, {CoordinateKind::Local, kFirst}, arguments.front());
    });
    SameText names;
    for (size_t each = 0; each < statements; ++each)
      EXPECT_TRUE(names.same(said[each], first[each])) << each;
  }
}

TEST(RepeatedText, LeavesWhatComputes) {
  const auto made = [](const Index &level) {
    const Value old = makeValue(f64, PatchElement{1, {level, local(kRow)}});
    const Value twice = makeValue(f64, BinaryValue{BinaryOp::Add, old, old});
    return Statement{unrolled(kRow, 4,
                              {{AssignElement{0, {local(kRow)}, twice}},
                               {AssignElement{0, {add(local(kRow), 4)}, twice}}})};
  };
  Body body = {made(constant(0)), made(constant(0))};
  body.push_back({unrolled(kLevel, 3, {made(add(local(kLevel), 1))})});
  EXPECT_TRUE(textsOf(kernelOf(body)).texts.empty());
}

TEST(RepeatedText, LeavesNamesThatAreUsedFurtherOn) {
  Body body = surround(constant(0), kRim);
  body.push_back({Phase{"What comes then."}});
  body.push_back(
      {LoadSharedVector{{1, {constant(0), constant(0)}, 2}, 0, {constant(0), local(kRim)}}});
  body.push_back(loopOfLevels(3));
  EXPECT_TRUE(textsOf(kernelOf(body)).texts.empty());
}

TEST(RepeatedText, LeavesLoopsWithoutTurns) {
  Body body = surround(constant(0), kRim);
  body.push_back(loopOfLevels(0));
  EXPECT_TRUE(textsOf(kernelOf(body)).texts.empty());
}

} // namespace
} // namespace repeated_text
