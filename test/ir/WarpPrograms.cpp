#include "test/ir/WarpPrograms.h"

using namespace stencilc;

Program stencilc::twoWarps(Body body) {
  Program program = onePoint({});
  Kernel &kernel = program.kernels[0];
  kernel.block = {64, 1, 1};
  launchAt(program, 0).cover.points[0] = 64;
  for (ArrayArgument &array : kernel.arrays)
    array.alignment = Alignment{2, argument(0)};
  kernel.registers = {{"r", ScalarType::F64}, {"s", ScalarType::F64}};
  kernel.locals = {"x", "i", "j"};
  kernel.patches = {{"p", ScalarType::F64, {3, 4}}};
  kernel.tiles = {{"tile", ScalarType::F64, {2, 64}}, {"other", ScalarType::F64, {2, 64}}};
  kernel.groups = {{"front", 0, 1}, {"back", 1, 1}, {"both", 0, 2}};
  kernel.body = {{LetIndex{0, add(add(argument(0), scale(block(0), 64)), thread(0))}}};
  kernel.body.insert(kernel.body.end(), body.begin(), body.end());
  Actions &actions = stepOf(program).actions;
  actions.front() = {When{Aligned{16, 0, {0, 1}}, {actions.front()}, {}}};
  return program;
}
