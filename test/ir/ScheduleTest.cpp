#include "ir/kernel/Schedule.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

Schedule parsed(llvm::StringRef text, unsigned rank) {
  llvm::Expected<Schedule> schedule = parseSchedule(text, rank);
  if (schedule)
    return *schedule;
  ADD_FAILURE() << llvm::toString(schedule.takeError());
  return {};
}

std::string errorOf(llvm::StringRef text, unsigned rank) {
  llvm::Expected<Schedule> schedule = parseSchedule(text, rank);
  return schedule ? "none" : llvm::toString(schedule.takeError());
}

TEST(Schedule, TextReadsBackAsItself) {
  for (const char *text :
       {"baseline/32x4x1/r8", "zblock/32x8x1/c64/r4", "zblock/32x8x2/c64/t2/v2x1/p1/deep/plain"})
    EXPECT_EQ(toString(parsed(text, 3)), text);
  EXPECT_EQ(toString(parsed("baseline/256/r0", 1)), "baseline/256");
  EXPECT_EQ(toString(parsed("baseline/32x8/r2/plain", 2)), "baseline/32x8/r2/plain");
  EXPECT_EQ(toString(parsed("host", 3)), "host");
}

TEST(Schedule, EveryPartReachesItsField) {
  Schedule expected;
  expected.variant = "zblock";
  expected.block = {32, 8, 2};
  expected.chunk = 64;
  expected.fuse = 2;
  expected.pointsPerThread = {4, 1};
  expected.prefetch = 3;
  expected.band = 16;
  expected.residency = 5;
  expected.flags = {"plain"};
  EXPECT_EQ(parsed("zblock/32x8x2/c64/t2/v4x1/p3/b16/r5/plain", 3), expected);
}

TEST(Schedule, DefaultsAreLeftOutButResidency) {
  EXPECT_EQ(toString(parsed("baseline/32x4x1/c1/t1/v1x1/p0/b0", 3)), "baseline/32x4x1");
}

TEST(Schedule, FlagsAreSortedAndSingle) {
  EXPECT_EQ(toString(parsed("baseline/32/r1/plain/deep/plain", 1)), "baseline/32/r1/deep/plain");
}

TEST(Schedule, ErrorsNameThePart) {
  const std::pair<const char *, const char *> cases[] = {
      {"baseline", "``"},
      {"baseline/32x4", "`32x4`"},           // three axes, two numbers
      {"baseline/32x4x0", "`32x4x0`"},       // no threads
      {"baseline/32x4x9999", "`32x4x9999`"}, // beyond any device
      {"baseline/32x4x1/r4/c8", "`c8`"},     // out of order
      {"baseline/32x4x1/c8/c8", "`c8`"},     // twice
      {"baseline/32x4x1/c0", "`c0`"},
      {"baseline/32x4x1/v2", "`v2`"},
      {"baseline/32x4x1/c99999999999", "`c99999999999`"},
      {"baseline/32x4x1/", "``"},
      {"baseline/32x4x1/plain/r2", "`r2`"}, // settings come before flags
      {"", "``"},
      {"32x4x1", "`32x4x1`"},
      {"host/r2", "`r2`"},
  };
  for (const auto &[text, part] : cases)
    EXPECT_NE(errorOf(text, 3).find(part), std::string::npos) << text << ": " << errorOf(text, 3);
}

} // namespace
