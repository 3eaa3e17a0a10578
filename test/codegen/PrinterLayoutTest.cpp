// How long lines are broken and comments are kept harmless.
#include "codegen/print/Layout.h"
#include "codegen/print/LongValues.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

const std::string name(40, 'a');
const std::string mark(1, kBreak);

TEST(PrinterLayout, WhatFitsStaysOnOneLine) {
  EXPECT_EQ(layOutAssignment("a", "b +" + mark + "c", 2), "  a = b + c;\n");
}

TEST(PrinterLayout, AValueMovesBelowItsTargetFirst) {
  const std::string value = name + " +" + mark + name;
  EXPECT_EQ(layOutAssignment("const double target", value, 2),
            "  const double target =\n      " + name + " + " + name + ";\n");
}

TEST(PrinterLayout, LinesAreFilledAtTheOutermostOperators) {
  const std::string product = name + " *" + deeper(mark) + "b";
  const std::string value = product + " +" + mark + product + " +" + mark + product;
  const std::string line = name + " * b";
  EXPECT_EQ(layOutAssignment("t", value, 2),
            "  t =\n      " + line + " + " + line + " +\n      " + line + ";\n");
}

TEST(PrinterLayout, ALongTermIsBrokenOnLinesOfItsOwn) {
  const std::string inner = deeper(deeper(mark));
  const std::string sum = "(" + name + " +" + inner + name + " +" + inner + name + ")";
  const std::string value = "a +" + mark + "b *" + deeper(mark) + sum + " +" + mark + "c";
  EXPECT_EQ(layOutAssignment("t", value, 2), "  t =\n"
                                             "      a +\n"
                                             "      b *\n"
                                             "          (" +
                                                 name + " + " + name +
                                                 " +\n"
                                                 "              " +
                                                 name +
                                                 ") +\n"
                                                 "      c;\n");
}

TEST(PrinterLayout, ArgumentsStandFurtherInThanTheirCall) {
  const std::string value = "f(" + name + "," + mark + name + "," + mark + name + ")";
  EXPECT_EQ(layOutAssignment("t", value, 2),
            "  t =\n      f(" + name + ", " + name + ",\n          " + name + ");\n");
}

TEST(PrinterLayout, AConditionalPutsItsChoicesBelowItsCondition) {
  const std::string choice(1, kChoice);
  const std::string value = "a < b" + choice + "? " + name + name + choice + ": " + name;
  EXPECT_EQ(layOutAssignment("t", value, 2),
            "  t = a < b\n      ? " + name + name + "\n      : " + name + ";\n");
  EXPECT_EQ(layOutAssignment("t", "a < b" + choice + "? c" + choice + ": d", 2),
            "  t = a < b ? c : d;\n");
  const std::string target(80, 't');
  EXPECT_EQ(layOutAssignment(target, "a < b" + choice + "? eleven" + choice + ": twelve", 2),
            "  " + target + " =\n      a < b ? eleven : twelve;\n");
}

TEST(PrinterLayout, AConditionTakesSeveralLines) {
  const std::string choice(1, kChoice), name(60, 'n');
  const std::string value = name + " &&" + kCondition + name + choice + "? c" + choice + ": d";
  EXPECT_EQ(layOutAssignment("t", value, 2), std::nullopt);
  EXPECT_EQ(layOutChoice("t", value, 2),
            "  t =\n      " + name + " &&\n          " + name + "\n      ? c\n      : d;\n");
  EXPECT_EQ(flat(value), name + " && " + name + " ? c : d");
  EXPECT_EQ(layOutChoice("t", name, 2), std::nullopt);
  const std::string product =
      "a" + choice + "? " + name + " *" + kCondition + name + choice + ": d";
  EXPECT_EQ(layOutChoice("t", product, 2),
            "  t =\n      a\n      ? " + name + " *\n          " + name + "\n      : d;\n");
}

TEST(PrinterLayout, WhatCannotBeBrokenIsLeftToTheCaller) {
  EXPECT_EQ(layOutAssignment("t", std::string(120, 'a'), 2), std::nullopt);
}

TEST(PrinterLayout, ListsContinueFourColumnsIn) {
  EXPECT_EQ(layOutList("f(", {name, name, name}, ");", 2),
            "  f(" + name + ", " + name + ",\n      " + name + ");\n");
}

TEST(PrinterLayout, CommentsCannotLeaveTheirLines) {
  EXPECT_EQ(comment("// ", "a\nb"), "// a?b\n");
  EXPECT_EQ(comment("// ", "ends in \\"), "// ends in \\.\n");
  EXPECT_EQ(comment("/* ", "a */ b"), "/* a * / b\n");
  EXPECT_EQ(comment("// ", "", 2), "  //\n");
}

TEST(PrinterLayout, LongCommentsAreBrokenAtBlanks) {
  EXPECT_EQ(comment("// ", "  " + name + " " + name + " " + name),
            "//   " + name + " " + name + "\n//     " + name + "\n");
}

TEST(PrinterLayout, TrailingCommentsShareAColumn) {
  EXPECT_EQ(alignComments({{"int a;", "// one"}, {"int long_name;", "// two"}, {"int b;", ""}}),
            "int a;          // one\nint long_name;  // two\nint b;\n");
}

TEST(PrinterLayout, ADeepValueIsTakenApartInItsMiddle) {
  const auto reg = [](unsigned number) {
    return makeValue(ScalarType::F64, RegisterValue{number});
  };
  Value chain = reg(0);
  std::vector<Value> steps;
  for (unsigned number = 1; number <= 8; ++number)
    steps.push_back(chain =
                        makeValue(ScalarType::F64, BinaryValue{BinaryOp::Add, chain, reg(number)}));
  EXPECT_EQ(middlePart(chain), steps[3]);
  EXPECT_EQ(middlePart(steps[0]), nullptr);
  const Value shorter = replacePart(chain, steps[3], reg(9));
  EXPECT_EQ(middlePart(shorter)->node.index(), chain->node.index());
  EXPECT_EQ(replacePart(shorter, steps[3], reg(0)), shorter);
}

TEST(PrinterLayout, ALoadThatIsAskedForIsTakenOut) {
  const Value load = makeValue(ScalarType::F64, LoadGlobal{0, {}});
  const Value twice = makeValue(ScalarType::F64, BinaryValue{BinaryOp::Add, load, load});
  const Value sum = makeValue(ScalarType::F64, BinaryValue{BinaryOp::Multiply, twice, twice});
  EXPECT_EQ(loadIn(sum, [](const Value &) { return true; }), load);
  EXPECT_EQ(loadIn(sum, [](const Value &) { return false; }), nullptr);
}

TEST(PrinterLayout, WhatAGuardProtectsIsNeverComputedAhead) {
  const Value leaf = makeValue(ScalarType::F64, RegisterValue{0});
  const Value sum = makeValue(ScalarType::F64, BinaryValue{BinaryOp::Add, leaf, leaf});
  const Value product = makeValue(ScalarType::F64, BinaryValue{BinaryOp::Multiply, sum, leaf});
  const Value guarded = makeValue(ScalarType::F64, GuardedValue{{}, product, leaf});
  EXPECT_EQ(middlePart(guarded), nullptr);
  const Value load = makeValue(ScalarType::F64, LoadGlobal{0, {}});
  EXPECT_EQ(loadIn(makeValue(ScalarType::F64, GuardedValue{{}, load, leaf}),
                   [](const Value &) { return true; }),
            nullptr);
}

} // namespace
