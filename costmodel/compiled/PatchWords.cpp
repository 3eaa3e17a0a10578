#include "costmodel/compiled/PatchWords.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace stencilc;

namespace {

/// A loop that is unrolled as written, between constants.
struct UnrolledRange {
  int64_t begin, end, step;
};

/// What is done with the elements of a patch.
struct Uses {
  std::vector<bool> isRead, isWritten, isMade = {}; ///< by element
  bool isShifted = false;
};

class PatchUses {
public:
  explicit PatchUses(const Kernel &kernel)
      : kernel(kernel), ranges(kernel.locals.size()), values(kernel.locals.size()) {
    if (kernel.patches.empty())
      return;
    for (const Patch &patch : kernel.patches) {
      size_t elements = 1;
      for (int size : patch.shape)
        elements *= size;
      const std::vector<bool> none(elements);
      patches.push_back({none, none, none});
    }
    walk(kernel.body);
  }

  PatchWords words() const;

private:
  using Elements = std::vector<bool> Uses::*;

  void walk(const Body &body);
  void use(Elements how, unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes);
  void use(Elements how, const PatchRow &row) { use(how, row.patch, row.at, row.lanes); }
  void useEach(Elements how, unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes,
               llvm::ArrayRef<unsigned> locals);

  const Kernel &kernel;
  std::vector<std::optional<UnrolledRange>> ranges; ///< by local
  std::vector<int64_t> values; ///< of these loops' locals, where a use is looked at
  std::vector<Uses> patches;
};

} // namespace

static std::optional<int64_t> constantOf(const Index &index) {
  const LinearIndex form = linear(index);
  return form.terms.empty() ? std::optional(form.constant) : std::nullopt;
}

static std::optional<UnrolledRange> rangeOf(const For &loop) {
  const std::optional<int64_t> begin = constantOf(loop.begin), end = constantOf(loop.end);
  if (loop.kind != LoopKind::Unroll || !begin || !end)
    return std::nullopt;
  return UnrolledRange{*begin, *end, loop.step};
}

int64_t stencilc::unrolledTripCount(const For &loop) {
  const std::optional<UnrolledRange> range = rangeOf(loop);
  return range ? llvm::divideCeil(uint64_t(std::max<int64_t>(0, range->end - range->begin)),
                                  uint64_t(range->step))
               : 1;
}

void PatchUses::useEach(Elements how, unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes,
                        llvm::ArrayRef<unsigned> locals) {
  if (!locals.empty()) {
    const UnrolledRange &range = *ranges[locals.front()];
    for (int64_t value = range.begin; value < range.end; value += range.step) {
      values[locals.front()] = value;
      useEach(how, patch, at, lanes, locals.drop_front());
    }
    return;
  }
  int64_t element = 0;
  for (auto [index, size] : llvm::zip_equal(at, kernel.patches[patch].shape))
    element = element * size + evaluate(index, [&](const Coordinate &coordinate) {
                return values[coordinate.number];
              });
  std::vector<bool> &used = patches[patch].*how;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (element >= 0 && size_t(element + lane) < used.size())
      used[element + lane] = true;
}

void PatchUses::use(Elements how, unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes) {
  llvm::SmallVector<unsigned, 4> locals;
  for (const Index &index : at)
    if (anyCoordinate(index, [&](const Coordinate &coordinate) {
          const bool isStatic =
              coordinate.kind == CoordinateKind::Local && ranges[coordinate.number];
          if (isStatic && !llvm::is_contained(locals, coordinate.number))
            locals.push_back(coordinate.number);
          return !isStatic;
        }))
      return; // of no static element: the verifier refuses it
  useEach(how, patch, at, lanes, locals);
}

void PatchUses::walk(const Body &body) {
  constexpr Elements read = &Uses::isRead, written = &Uses::isWritten, made = &Uses::isMade;
  const auto isCopy = [](const Value &value) {
    return std::visit(llvm::makeVisitor([](const PatchElement &) { return true; },
                                        [](const auto &) { return false; }),
                      value->node);
  };
  for (const Statement &statement : body) {
    if (const Value *value = valueOf(statement))
      forEachValue(*value, [&](const ValueNode &part) {
        std::visit(
            llvm::makeVisitor([&](const PatchElement &node) { use(read, node.patch, node.at, 1); },
                              [](const auto &) {}),
            part.node);
      });
    std::visit(
        llvm::makeVisitor([&](const StoreVector &node) { use(read, node.row); },
                          [&](const StoreSharedVector &node) { use(read, node.row); },
                          [&](const AssignElement &node) {
                            use(written, node.patch, node.at, 1);
                            if (!isCopy(node.value))
                              use(made, node.patch, node.at, 1);
                          },
                          [&](const LoadVector &node) {
                            use(written, node.row);
                            use(made, node.row);
                          },
                          [&](const LoadSharedVector &node) {
                            use(written, node.row);
                            use(made, node.row);
                          },
                          [&](const ShiftPatch &node) { patches[node.patch].isShifted = true; },
                          [&](const For &node) { ranges[node.local] = rangeOf(node); },
                          [](const auto &) {}),
        statement.node);
    forEachBody(statement, [&](const Body &inner) { walk(inner); });
  }
}

PatchWords PatchUses::words() const {
  PatchWords words;
  for (auto [patch, uses] : llvm::zip_equal(kernel.patches, patches)) {
    std::vector<int> &ways = words.ways.emplace_back();
    const unsigned wordsOfElement = sizeInBytes(patch.type) / 4;
    const size_t read = llvm::count(uses.isRead, true);
    size_t held = read, made = 0;
    for (size_t element = 0; element < uses.isRead.size(); ++element)
      made += uses.isRead[element] && uses.isMade[element];
    if (uses.isShifted) {
      held = 0;
      const int planes = patch.shape.front(), inPlane = int(uses.isRead.size()) / planes;
      for (int column = 0; column < inPlane; ++column) {
        int first = planes, last = -1; // planes between which a value is alive
        for (int plane = planes; plane-- > 0;) {
          const size_t element = size_t(plane) * inPlane + column;
          if (uses.isRead[element])
            first = plane;
          if (last < 0 && (uses.isRead[element] || uses.isWritten[element]))
            last = plane;
        }
        if (first == planes) // nothing reads it
          continue;
        held += last - first + 1;
        if (last > first)
          ways.push_back(last - first);
      }
    }
    words.read += read * wordsOfElement;
    words.held += held * wordsOfElement;
    words.made += made * wordsOfElement;
  }
  return words;
}

PatchWords stencilc::patchWords(const Kernel &kernel) { return PatchUses(kernel).words(); }
