#include "codegen/lower/ReadNames.h"

#include "ir/kernel/Kernel.h"

#include <fmt/format.h>

using namespace stencilc;

std::string stencilc::direction(const Offset &offset, unsigned rank) {
  static constexpr const char *words[3][2] = {
      {"west", "east"}, {"south", "north"}, {"below", "above"}};
  std::string name;
  for (unsigned axis = 0; axis < rank; ++axis) {
    int distance = offset[axis];
    if (distance == 0)
      continue;
    name += fmt::format("_{}", words[dimensionOf(axis, rank)][distance > 0]);
    if (std::abs(distance) > 1)
      name += std::to_string(std::abs(distance));
  }
  return name;
}

std::string stencilc::readName(const Stencil &stencil, const Read &read) {
  const Array &array = stencil.arrays[read.array];
  std::string name = array.name;
  if (read.level == TimeLevel::Previous)
    name += "_prev";
  if (read.level == TimeLevel::Next && array.kind == ArrayKind::Field)
    name += "_new";
  const std::string where = direction(read.offset, stencil.rank());
  return name + (where.empty() ? "_here" : where);
}

std::string stencilc::readName(const Stencil &stencil, const TimeRead &read) {
  const std::string &name = stencil.arrays[read.array].name;
  if (read.offset == 0)
    return name + "_now";
  return fmt::format("{}_{}{}", name, read.offset < 0 ? "before" : "after", std::abs(read.offset));
}
