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

class PatchReads {
public:
  explicit PatchReads(const Kernel &kernel) : kernel(kernel), ranges(kernel.locals.size()) {
    for (const Patch &patch : kernel.patches) {
      int64_t elements = 1;
      for (int size : patch.shape)
        elements *= size;
      isRead.emplace_back(elements);
    }
    walk(kernel.body);
  }

  unsigned words() const {
    unsigned sum = 0;
    for (auto [patch, read] : llvm::zip_equal(kernel.patches, isRead))
      sum += llvm::count(read, true) * sizeInBytes(patch.type) / 4;
    return sum;
  }

private:
  void walk(const Body &body);
  void read(unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes);
  void readRow(const PatchRow &row) { read(row.patch, row.at, row.lanes); }
  void readEach(unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes,
                llvm::ArrayRef<unsigned> locals, std::vector<int64_t> &values);

  const Kernel &kernel;
  std::vector<std::optional<UnrolledRange>> ranges; ///< by local
  std::vector<std::vector<bool>> isRead;            ///< [patch][element]
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

void PatchReads::readEach(unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes,
                          llvm::ArrayRef<unsigned> locals, std::vector<int64_t> &values) {
  if (!locals.empty()) {
    const UnrolledRange &range = *ranges[locals.front()];
    for (int64_t value = range.begin; value < range.end; value += range.step) {
      values[locals.front()] = value;
      readEach(patch, at, lanes, locals.drop_front(), values);
    }
    return;
  }
  int64_t element = 0;
  for (auto [index, size] : llvm::zip_equal(at, kernel.patches[patch].shape))
    element = element * size + evaluate(index, [&](const Coordinate &coordinate) {
                return values[coordinate.number];
              });
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (element >= 0 && size_t(element + lane) < isRead[patch].size())
      isRead[patch][element + lane] = true;
}

void PatchReads::read(unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes) {
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
  std::vector<int64_t> values(kernel.locals.size());
  readEach(patch, at, lanes, locals, values);
}

void PatchReads::walk(const Body &body) {
  for (const Statement &statement : body) {
    if (const Value *value = valueOf(statement))
      forEachValue(*value, [&](const ValueNode &part) {
        std::visit(
            llvm::makeVisitor([&](const PatchElement &node) { read(node.patch, node.at, 1); },
                              [](const auto &) {}),
            part.node);
      });
    std::visit(llvm::makeVisitor([&](const StoreVector &node) { readRow(node.row); },
                                 [&](const StoreSharedVector &node) { readRow(node.row); },
                                 [&](const For &node) { ranges[node.local] = rangeOf(node); },
                                 [](const auto &) {}),
               statement.node);
    forEachBody(statement, [&](const Body &inner) { walk(inner); });
  }
}

unsigned stencilc::patchWords(const Kernel &kernel) { return PatchReads(kernel).words(); }
