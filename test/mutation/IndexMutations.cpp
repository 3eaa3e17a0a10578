#include "test/mutation/TreeMutations.h"

#include <fmt/format.h>

using namespace stencilc;
using namespace stencilc::mutation;

/// Names and legal numbers of the leaves; indices outside kernels hold extents alone.
static const Kernel &kernelOf(const Surroundings &around) {
  return around.kernel ? *around.kernel : around.program.kernels.front();
}

using Put = llvm::function_ref<void(llvm::StringRef kind, Index changed)>;

static void shift(const Index &index, Put put) {
  put("index shifted", add(index, 1));
  put("index shifted", add(index, -1));
}

/// Another coordinate of the same kind, if there is one.
static std::optional<Coordinate> otherThan(Coordinate coordinate, const Kernel &kernel) {
  unsigned count = 0;
  switch (coordinate.kind) {
  case CoordinateKind::Block:
  case CoordinateKind::Thread:
  case CoordinateKind::Extent:
    count = kernel.rank();
    break;
  case CoordinateKind::Warp:
  case CoordinateKind::Lane:
  case CoordinateKind::WholeParam:
    return std::nullopt;
  case CoordinateKind::Argument:
    count = kernel.integers.size();
    break;
  case CoordinateKind::Local:
    return std::nullopt; // made elsewhere, perhaps not here
  }
  if (count < 2)
    return std::nullopt;
  coordinate.number = (coordinate.number + 1) % count;
  return coordinate;
}

static void mutateInside(const Index &index, const Kernel &kernel, Put put);

/// Changes of the operands of a minimum or maximum, or one of them alone.
template <class Node>
static void mutateExtreme(const Node &node, const Kernel &kernel, Put put,
                          Index (*make)(Index, Index), Index (*opposite)(Index, Index)) {
  put("clamp dropped", node.left);
  put("clamp dropped", node.right);
  put("clamp turned", opposite(node.left, node.right));
  auto left = [&](llvm::StringRef kind, Index changed) { put(kind, make(changed, node.right)); };
  auto right = [&](llvm::StringRef kind, Index changed) { put(kind, make(node.left, changed)); };
  shift(node.left, left);
  shift(node.right, right);
  mutateInside(node.left, kernel, left);
  mutateInside(node.right, kernel, right);
}

static void mutateMap(const IndexMap &node, const Kernel &kernel, Put put) {
  const BoundaryKind other = node.boundary == BoundaryKind::Clamp       ? BoundaryKind::Periodic
                             : node.boundary == BoundaryKind::Symmetric ? BoundaryKind::Reflect
                                                                        : BoundaryKind::Clamp;
  put("wrong Map", map(other, node.axis, node.index));
  put("Map dropped", node.index);
  if (kernel.rank() > 1)
    put("wrong Map", map(node.boundary, (node.axis + 1) % kernel.rank(), node.index));
  auto inside = [&](llvm::StringRef kind, Index changed) {
    put(kind, map(node.boundary, node.axis, changed));
  };
  shift(node.index, inside);
  mutateInside(node.index, kernel, inside);
}

static void mutateInside(const Index &index, const Kernel &kernel, Put put) {
  std::visit(llvm::makeVisitor(
                 [](const IndexConstant &) {},
                 [&](const Coordinate &node) {
                   if (std::optional<Coordinate> other = otherThan(node, kernel))
                     put("wrong coordinate", coordinate(other->kind, other->number));
                 },
                 [&](const IndexSum &node) {
                   mutateInside(node.left, kernel, [&](llvm::StringRef kind, Index changed) {
                     put(kind, add(changed, node.right));
                   });
                   mutateInside(node.right, kernel, [&](llvm::StringRef kind, Index changed) {
                     put(kind, add(node.left, changed));
                   });
                 },
                 [&](const IndexScale &node) {
                   put("wrong factor", scale(node.index, node.factor + 1));
                   put("wrong factor", scale(node.index, node.factor - 1));
                   mutateInside(node.index, kernel, [&](llvm::StringRef kind, Index changed) {
                     put(kind, scale(changed, node.factor));
                   });
                 },
                 [&](const IndexQuotient &node) {
                   put("wrong divisor", quotient(node.index, node.divisor + 1));
                 },
                 [&](const IndexRemainder &node) {
                   put("wrong divisor", remainder(node.index, node.divisor + 1));
                 },
                 [&](const IndexMin &node) { mutateExtreme(node, kernel, put, minimum, maximum); },
                 [&](const IndexMax &node) { mutateExtreme(node, kernel, put, maximum, minimum); },
                 [&](const IndexMap &node) { mutateMap(node, kernel, put); }),
             index->node);
}

void mutation::mutate(const Index &index, const Surroundings &around, bool shifts,
                      Take<Index> take) {
  const Kernel &kernel = kernelOf(around);
  auto put = [&](llvm::StringRef kind, Index changed) {
    if (!equal(index, changed))
      take(kind, fmt::format("{} becomes {}", toString(index, kernel), toString(changed, kernel)),
           changed);
  };
  if (shifts)
    shift(index, put);
  mutateInside(index, kernel, put);
}

void mutation::mutate(const std::vector<Index> &indices, const Surroundings &around,
                      Take<std::vector<Index>> take) {
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    std::vector<Index> vector = indices;
    mutate(indices[axis], around, /*shifts=*/true,
           [&](llvm::StringRef kind, const std::string &what, Index changed) {
             vector[axis] = std::move(changed);
             take(kind, what, vector);
           });
    vector = indices;
    if (axis == 0 || equal(vector[axis - 1], vector[axis]))
      continue;
    std::swap(vector[axis - 1], vector[axis]);
    take("axes swapped",
         fmt::format("{} and {} change places", toString(indices[axis - 1], kernelOf(around)),
                     toString(indices[axis], kernelOf(around))),
         vector);
  }
}

void mutation::mutate(const Box &box, const Surroundings &around, Take<Box> take) {
  const Kernel &kernel = kernelOf(around);
  auto text = [&](const Index &index) { return toString(index, kernel); };
  for (size_t i = 0; i < box.size(); ++i) {
    const Range &range = box[i];
    auto changed = [&](Index lower, Index upper) {
      Box result = box;
      result[i] = {range.index, std::move(lower), std::move(upper)};
      return result;
    };
    if (range.lower && range.upper) {
      Box shorter = box;
      shorter.erase(shorter.begin() + i);
      take("range dropped", fmt::format("the range of {} is dropped", text(range.index)),
           std::move(shorter));
    }
    if (range.lower) {
      const std::string bound = fmt::format("{} <= {}", text(range.lower), text(range.index));
      take("bound dropped", bound + " is dropped", changed(nullptr, range.upper));
      for (int by : {1, -1})
        take("bound shifted", fmt::format("{} becomes {} <=", bound, text(add(range.lower, by))),
             changed(add(range.lower, by), range.upper));
    }
    if (range.upper) {
      const std::string bound = fmt::format("{} < {}", text(range.index), text(range.upper));
      take("bound dropped", bound + " is dropped", changed(range.lower, nullptr));
      for (int by : {1, -1})
        take("bound shifted", fmt::format("{} becomes < {}", bound, text(add(range.upper, by))),
             changed(range.lower, add(range.upper, by)));
    }
  }
}
