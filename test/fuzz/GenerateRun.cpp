#include "test/fuzz/Generator.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;
using namespace stencilc::fuzz;

void Generator::drawSizes() {
  const unsigned rank = result.program.axes.size();
  const int most = rank == 1 ? 200 : rank == 2 ? 40 : 14;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const int block = result.block[rank - 1 - axis];
    int extent = random.between(1, most);
    const unsigned choice = random.below(100);
    if (choice < 2)
      extent = 0;
    else if (choice < 9)
      extent = random.pick({1, 2});
    else if (choice < 14)
      extent = random.between(1, std::max(radius, 1)); // below the reach
    else if (choice < 25)
      extent = random.between(1, std::min(std::max(block - 1, 1), most)); // below the block
    else if (choice < 50)
      extent = random.pick({3, 5, 7, 11, 13, 17, 31, 37, 97, 127});
    else if (choice < 65)
      extent = block * random.between(1, std::max(most / block, 1));
    result.extents.push_back(std::min(extent, 2 * most));
  }
  // What takes many launches would take minutes on one.
  const bool isSimple = !hasStages && !hasTemps && !hasRegions && !hasReductions;
  const bool isLong =
      dialect == Dialect::Exact && isSimple && rank > 1 && radius <= 1 && random.chance(10);
  if (isLong)
    drawLongAxis(); // of short reach, else the other axes would not stay as short as they may
  result.keepsShortPeriods = random.chance(20);
  result.steps = isLong ? 1 : random.pick({0, 1, 1, 2, 2, 2, 3, 4});
  if (hasTime) {
    result.firstStep = random.pick({0, 1, 1, 6});
    result.valuesAhead = random.pick({0, 1, 1, 1, 3});
  }
  result.dataSeed = random.next();
  result.hasSpecialValues = random.chance(25);
}

/// More blocks along y or z than one launch may have.
void Generator::drawLongAxis() {
  const unsigned axis = random.below(result.extents.size() - 1);
  for (int64_t &extent : result.extents)
    extent = std::min<int64_t>(extent, 2);
  result.extents[axis] = 65536 + random.below(8);
  result.block[dimensionOf(axis, result.extents.size())] = 1;
}

void Generator::drawSchedule() {
  result.block = {random.pick({1, 2, 3, 4, 8, 16, 32, 32, 33, 64, 128}),
                  random.pick({1, 1, 2, 3, 4, 8}), random.pick({1, 1, 2, 3, 4})};
  for (unsigned dimension = result.program.axes.size(); dimension < 3; ++dimension)
    result.block[dimension] = 1;
  while (result.block[0] * result.block[1] * result.block[2] > 1024)
    result.block[0] /= 2;
  result.chunk = random.pick({1, 2, 4, 7, 3, 5, 16, 64});
  if (random.chance(50)) {
    result.pointsPerThread = {random.pick({1, 2, 4, 4}), random.pick({1, 1, 2, 3})};
    result.prefetch = random.pick({0, 0, 1, 2, 3});
  }
  result.residency = random.pick({0, 0, 0, 1, 2, 5});
  const unsigned drawn = random.below(1u << 18);
  result.flags = drawn & drawn >> 9; // one in four has each
  result.phase = random.chance(60) ? random.below(32) : 0;
  result.pitch = random.chance(50) ? random.below(20) : 0;
  if (result.pointsPerThread[0] > 1 && random.chance(70)) {
    result.alignsRows = true;
    result.phase = random.chance(60) ? 0 : result.phase & ~1;
    result.pitch -= result.pitch % 4;
    if (result.extents.size() > 1 && random.chance(result.extents.size() == 3 ? 50 : 30)) {
      // Kernels for such grids alone.
      result.fillsBlocks = true;
      result.block = {random.pick({1, 2, 2, 4}), random.pick({1, 2, 4}), 1};
      if (result.extents.size() == 2)
        result.block[1] = 1;
      result.chunk = random.pick({2, 3, 4});
      result.flags = drawn; // one in two has each
      // What tiles hold is there where columns are loaded ahead.
      result.prefetch = std::max(result.prefetch, int(random.chance(50)));
    }
  }
  if (random.chance(25))
    result.maxGridYZ = random.between(1, 3);
}
