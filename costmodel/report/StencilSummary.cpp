#include "costmodel/report/StencilSummary.h"

#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

/// "z -1 .. +1": of all reads together.
std::string reachAlong(const Stencil &stencil, unsigned axis) {
  std::array<int, 2> most = {0, 0};
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    for (unsigned side : {0, 1})
      most[side] = std::max(most[side], reach(stencil, array)[axis][side]);
  if (most == decltype(most){})
    return stencil.axes[axis] + " 0";
  return fmt::format("{} -{} .. +{}", stencil.axes[axis], most[0], most[1]);
}

} // namespace

StencilSummary summarize(const Stencil &stencil) {
  StencilSummary summary;
  summary.name = stencil.name;
  summary.file = stencil.file;
  summary.axes = stencil.axes;
  for (const Array &array : stencil.arrays)
    summary.arrays.push_back(fmt::format("{} {} {}", spelling(array.kind).str(),
                                         spelling(array.type).str(), array.name));
  const PointCounts point = countPoint(stencil);
  summary.loads = point.loads;
  summary.stores = point.stores;
  summary.flops = point.flops;
  summary.compulsoryBytes = point.compulsoryBytes;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    summary.reach.push_back(reachAlong(stencil, axis));
  return summary;
}

std::string arraysText(const StencilSummary &summary) {
  std::vector<std::pair<StringRef, std::string>> groups;
  for (StringRef array : summary.arrays) {
    const auto [kind, name] = array.rsplit(' ');
    const auto group = find_if(groups, [&](const auto &one) { return one.first == kind; });
    if (group == groups.end())
      groups.emplace_back(kind, array);
    else
      group->second += " " + name.str();
  }
  return join(make_second_range(groups), ", ");
}

} // namespace stencilc
