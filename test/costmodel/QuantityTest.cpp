#include "costmodel/Quantity.h"

#include "gtest/gtest.h"

using namespace stencilc;

TEST(Quantity, HasTheDigitsAskedFor) {
  EXPECT_EQ(significant(3.4831, 3), "3.48");
  EXPECT_EQ(significant(3.4831, 2), "3.5");
  EXPECT_EQ(significant(348.31, 2), "350");
  EXPECT_EQ(significant(0.0034831, 2), "0.0035");
  EXPECT_EQ(significant(80, 3), "80.0");
  EXPECT_EQ(significant(0, 3), "0");
}

TEST(Quantity, RoundingMayCarryIntoANewDigit) {
  EXPECT_EQ(significant(9.97, 2), "10");
  EXPECT_EQ(significant(0.0996, 2), "0.10");
  EXPECT_EQ(significant(999.6, 3), "1000");
  EXPECT_EQ(significant(99.96, 3), "100");
}

TEST(Quantity, TimesAndBytesTakeAFittingUnit) {
  EXPECT_EQ(timeText(4.28e-3, 2), "4.3 ms");
  EXPECT_EQ(timeText(2.37, 3), "2.37 s");
  EXPECT_EQ(timeText(3.571e-4, 3), "357 us");
  EXPECT_EQ(timeText(5e-9, 3), "5.00 ns");
  EXPECT_EQ(timeText(0, 3), "0 s");
  // What rounds to a thousand of one unit is one of the next.
  EXPECT_EQ(timeText(999.9e-6, 3), "1.00 ms");
  EXPECT_EQ(bytesText(36.1 * 1024 * 1024, 2), "36 MiB");
  EXPECT_EQ(bytesText(8192, 2), "8.0 KiB");
}

TEST(Quantity, TimesToCompareShareAUnit) {
  EXPECT_EQ(timeText(4.3e-4, 2, 4.3e-3), "0.43 ms");
  EXPECT_EQ(timeText(0, 2, 4.3e-3), "0 ms");
}

// [su2015] Table 2, lines 27 to 29.
TEST(Quantity, VolumesAreThoseOfThePaper) {
  EXPECT_EQ(volumeText(1342177280.0), "1.25 GiB");
  EXPECT_EQ(volumeText(844.9067 * 1024 * 1024), "844.9 MiB");
}

TEST(Quantity, OneIsSingular) {
  EXPECT_EQ(counted(1, "load"), "1 load");
  EXPECT_EQ(counted(7, "load"), "7 loads");
  EXPECT_EQ(counted(0, "load"), "0 loads");
}
