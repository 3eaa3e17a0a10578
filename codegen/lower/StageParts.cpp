#include "codegen/lower/StageParts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace stencilc;

namespace {

class PartMaker {
public:
  PartMaker(const Stage &stage, const std::vector<Area> &areas, const Signature &signature,
            Target target)
      : stage(stage), areas(areas), signature(signature), target(target) {}

  std::vector<std::vector<unsigned>> make() {
    for (unsigned update = 0; update < stage.updates.size(); ++update) {
      const auto known = llvm::find_if(
          parts, [&](const auto &part) { return belongTogether(part.front(), update); });
      if (known == parts.end())
        parts.push_back({update});
      else
        known->push_back(update);
    }
    while (mergeTwo())
      ;
    std::stable_partition(parts.begin(), parts.end(),
                          [&](const auto &part) { return makesTempsAlone(part); });
    return std::move(parts);
  }

private:
  bool belongTogether(unsigned first, unsigned second) const {
    if (areas[first] == areas[second])
      return true;
    return target == Target::Device && isAllButFrame(areas[first]) && isAllButFrame(areas[second]);
  }

  /// True of a box that leaves out so many points at each end of the grid, and none beyond it.
  bool isAllButFrame(const Area &area) const {
    for (unsigned axis = 0; axis < signature.rank(); ++axis) {
      const AxisSpan &span = area[axis];
      if (span.from.size() != 1 || span.from.front().base != AxisBound::Base::Start ||
          span.to.size() != 1 || span.to.front().base != AxisBound::Base::End ||
          span.from.front().offset < 0 || span.to.front().offset > 0)
        return false;
    }
    return true;
  }

  /// True if `first` may store new values where `second`, of another array, reads old ones.
  bool overwrites(unsigned first, unsigned second) const {
    const unsigned array = stage.updates[first].array;
    const SignatureArray &made = signature.arrays[array];
    if (!made.isField() || stage.updates[second].array == array)
      return false;
    bool found = false;
    forEachRead(stage.updates[second].formula, [&](const Read &read) {
      found |=
          read.array == array && read.level != TimeLevel::Next && read.level == targetLevel(made);
    });
    return found;
  }

  bool makesTempsAlone(llvm::ArrayRef<unsigned> part) const {
    return llvm::all_of(part, [&](unsigned update) {
      return signature.arrays[stage.updates[update].array].kind == ArrayKind::Temp;
    });
  }

  bool mustMeet(llvm::ArrayRef<unsigned> left, llvm::ArrayRef<unsigned> right) const {
    if (makesTempsAlone(left) || makesTempsAlone(right))
      return false;
    return llvm::any_of(left, [&](unsigned first) {
      return llvm::any_of(right, [&](unsigned second) {
        return overwrites(first, second) || overwrites(second, first);
      });
    });
  }

  bool mergeTwo() {
    for (size_t second = 1; second < parts.size(); ++second)
      for (size_t first = 0; first < second; ++first)
        if (mustMeet(parts[first], parts[second])) {
          llvm::append_range(parts[first], parts[second]);
          llvm::sort(parts[first]);
          parts.erase(parts.begin() + second);
          return true;
        }
    return false;
  }

  const Stage &stage;
  const std::vector<Area> &areas;
  const Signature &signature;
  const Target target;
  std::vector<std::vector<unsigned>> parts;
};

} // namespace

std::vector<StagePart> stencilc::partsOf(const Stencil &stencil, const StencilAreas &areas,
                                         const Signature &signature, Target target) {
  std::vector<StagePart> result;
  for (unsigned number = 0; number < stencil.stages.size(); ++number) {
    std::vector<std::vector<unsigned>> parts =
        PartMaker(stencil.stages[number], areas.updates[number], signature, target).make();
    for (auto [part, updates] : llvm::enumerate(parts))
      result.push_back({number, std::move(updates), unsigned(part), unsigned(parts.size())});
  }
  return result;
}
