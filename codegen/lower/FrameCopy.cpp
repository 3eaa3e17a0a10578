#include "codegen/lower/FrameCopy.h"

#include "codegen/lower/UpdateBox.h"
#include "ir/kernel/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

/// One axis seen from a field: ghost points, frame, updated points, frame, ghost points.
struct Section {
  Index ghostBegin, updateBegin, updateEnd, ghostEnd;
};

/// In grids smaller than the frame nothing is updated: updateBegin = updateEnd, inside the grid.
Section sectionOf(unsigned axis, const Widths &ghost, const AxisSpan &updated,
                  const PointBox &bounds) {
  Index end = extent(axis);
  Section section;
  section.ghostBegin = constant(-ghost[axis][Low]);
  section.ghostEnd = add(end, ghost[axis][High]);
  section.updateBegin = updated.isOpen(Low) ? constant(0) : minimum(bounds.begin[axis], end);
  section.updateEnd = updated.isOpen(High) ? end : maximum(bounds.end[axis], section.updateBegin);
  return section;
}

std::array<int, 3> blockFor(unsigned rank, CopiedBoxes boxes) {
  if (boxes == CopiedBoxes::Narrow)
    return {1, 16, 8};
  return rank == 1   ? std::array{256, 1, 1}
         : rank == 2 ? std::array{32, 8, 1}
                     : std::array{32, 4, 2};
}

CopyKernel addCopyKernel(Program &program, std::string name, unsigned field, unsigned toBuffer,
                         const std::vector<Area> &leftOut, CopiedBoxes boxes = CopiedBoxes::Any) {
  const SignatureArray &array = program.signature.arrays[field];
  const Buffer &from = program.buffers[bufferOf(program.signature, field)],
               &to = program.buffers[toBuffer];
  KernelBuilder builder(program, std::move(name), program.target);
  const unsigned rank = program.signature.rank();
  builder.kernel.comment = {boxes == CopiedBoxes::Narrow
                                ? "Copies ends of rows that no update writes."
                            : leftOut.empty() ? "Copies a box of points that no update writes."
                                              : "Copies the points that no update writes."};
  unsigned source = builder.array(from, Access::Read);
  unsigned target = builder.array(to, Access::Write);

  std::vector<Index> atLeast, atMost;
  for (unsigned axis = 0; axis < rank; ++axis) {
    atLeast.push_back(constant(-array.ghost[axis][Low]));
    atMost.push_back(add(extent(axis), array.ghost[axis][High]));
  }
  Body body;
  Point point(rank);
  std::vector<Index> end;
  auto addEnds = [&] {
    for (unsigned axis = 0; axis < rank; ++axis)
      end.push_back(coordinate(CoordinateKind::Argument,
                               builder.integer("end_" + program.signature.axes[axis], nullptr,
                                               atMost[axis], EndOf{axis})));
  };
  auto copyPoint = [&] {
    Body copy;
    builder.letPointer(copy, "here", point);
    builder.store(copy, target, point, builder.load(source, point));
    for (const Area &area : llvm::reverse(leftOut)) {
      If rest{conditionOf(area, point, builder), {}, std::move(copy)};
      copy = {{std::move(rest)}};
    }
    llvm::move(copy, std::back_inserter(body));
  };
  if (program.target == Target::Device) {
    point = builder.threads(body, blockFor(rank, boxes), atLeast, /*chunk=*/1,
                            boxes == CopiedBoxes::Narrow ? "kEndsBlock" : "kCopyBlock");
    addEnds();
    Box inside;
    for (unsigned axis = rank; axis-- > 0;)
      inside.push_back({point[axis], nullptr, end[axis]});
    body.push_back({ReturnUnless{inside}});
    copyPoint();
  } else {
    std::vector<Index> first;
    for (unsigned axis = 0; axis < rank; ++axis)
      first.push_back(coordinate(CoordinateKind::Argument,
                                 builder.integer("first_" + program.signature.axes[axis],
                                                 atLeast[axis], nullptr, FirstOf{axis})));
    addEnds();
    std::vector<unsigned> locals;
    for (unsigned axis = 0; axis < rank; ++axis) {
      locals.push_back(builder.local(program.signature.axes[axis]));
      point[axis] = coordinate(CoordinateKind::Local, locals[axis]);
    }
    copyPoint();
    for (unsigned axis = rank; axis-- > 0;)
      body = parallelLoop(rank, axis, locals[axis], first[axis], end[axis], std::move(body));
  }
  program.kernels.push_back(builder.finish(std::move(body)));
  return {&array, leftOut, boxes, unsigned(program.kernels.size() - 1), builder.bindings};
}

/// The launches of one field.
class FieldCopies {
public:
  FieldCopies(const Program &program, unsigned field, unsigned from, unsigned to)
      : program(program), array(program.signature.arrays[field]), rank(program.signature.rank()),
        from(from), to(to) {}

  /// All points, less those that the kernel leaves out.
  Launch rest(const CopyKernel &copy) const {
    return all(copy, fmt::format("Points of {} that no update writes are those of {}.",
                                 target().name, source().name));
  }

  Launch all(const CopyKernel &copy, std::string comment) const {
    Launch launch = launchOf(copy, std::move(comment));
    for (unsigned axis = 0; axis < rank; ++axis) {
      launch.cover.begin[axis] = constant(-array.ghost[axis][Low]);
      launch.cover.end[axis] = add(extent(axis), array.ghost[axis][High]);
    }
    return launch;
  }

  /// True if there are points around what is updated at this end.
  bool has(const Area &updated, unsigned axis, Side side) const {
    return array.ghost[axis][side] > 0 || !updated[axis].isOpen(side);
  }

  /// True if the slab at this end has so many rows, and so few points in each, that threads beside
  /// each other along the rows would have nothing to do.
  CopiedBoxes boxesOf(const Area &updated, unsigned across, Side side) const {
    constexpr int64_t few = 8;
    const int64_t width = array.ghost[across][side] +
                          (updated[across].isOpen(side) ? 0 : leftOut(updated[across], side));
    return program.target == Target::Device && rank == kMaxRank && across == rank - 1 &&
                   width <= few
               ? CopiedBoxes::Narrow
               : CopiedBoxes::Any;
  }

  /// Slabs reach along the slower axes over the updated points, along the faster ones over all.
  Launch slab(const CopyKernel &copy, const Area &updated, unsigned across, Side side) const {
    Launch launch =
        launchOf(copy, fmt::format("No update writes the {} end of {}: {} takes it from {}.",
                                   side == Low ? "low" : "high", program.signature.axes[across],
                                   target().name, source().name));
    const PointBox bounds = boxOf(updated, rank, program.signature.paramRanges);
    Cover &cover = launch.cover;
    for (unsigned axis = 0; axis < rank; ++axis) {
      const Section section = sectionOf(axis, array.ghost, updated[axis], bounds);
      cover.begin[axis] = axis > across || (axis == across && side == Low) ? section.ghostBegin
                          : axis == across                                 ? section.updateEnd
                                                                           : section.updateBegin;
      cover.end[axis] = axis > across || (axis == across && side == High) ? section.ghostEnd
                        : axis == across                                  ? section.updateBegin
                                                                          : section.updateEnd;
    }
    return launch;
  }

private:
  const Buffer &source() const { return program.buffers[from]; }
  const Buffer &target() const { return program.buffers[to]; }

  Launch launchOf(const CopyKernel &copy, std::string comment) const {
    Launch launch{.kernel = copy.kernel,
                  .comment = std::move(comment),
                  .buffers = {from, to},
                  .cover = {},
                  .integers = copy.integers};
    for (unsigned axis = 0; axis < rank; ++axis)
      launch.cover.points[axis] = program.kernels[copy.kernel].block[dimensionOf(axis, rank)];
    return launch;
  }

  const Program &program;
  const SignatureArray &array;
  const unsigned rank;
  const unsigned from, to; ///< buffers
};

} // namespace

std::vector<Area> FrameCopies::firstMade(unsigned field, unsigned stage) const {
  std::vector<Area> made;
  for (auto [number, ofStage] : llvm::enumerate(stencil.stages))
    for (auto [update, area] : llvm::zip_equal(ofStage.updates, areas.updates[number])) {
      if (update.array != field)
        continue;
      if (number < stage)
        return {};
      made.push_back(area);
    }
  return made;
}

const CopyKernel &FrameCopies::kernelFor(const NewTarget &target, const std::vector<Area> &leftOut,
                                         CopiedBoxes boxes) {
  const SignatureArray &array = program.signature.arrays[target.field];
  const auto known = llvm::find_if(
      kernels, [&](const CopyKernel &copy) { return copy.fits(array, leftOut, boxes); });
  if (known != kernels.end())
    return *known;
  const bool isFirst =
      llvm::none_of(kernels, [&](const CopyKernel &copy) { return copy.boxes == boxes; });
  const std::string name = program.signature.name +
                           (boxes == CopiedBoxes::Narrow ? "_ends_copy_frame" : "_copy_frame") +
                           (isFirst ? "" : "_" + array.name);
  kernels.push_back(addCopyKernel(program, name, target.field, target.buffer, leftOut, boxes));
  return kernels.back();
}

void FrameCopies::append(Actions &actions, const NewTarget &target, std::vector<Area> made,
                         Slabs slabs) {
  const Signature &signature = program.signature;
  const FieldCopies copies(program, target.field, bufferOf(signature, target.field), target.buffer);
  std::array<int64_t, kMaxRank> least = {};
  const std::optional<Area> box = joinedAll(made, signature.rank(), least);
  if (!box || llvm::any_of(llvm::zip(least, signature.minimumExtent), [](const auto &pair) {
        return std::get<0>(pair) > std::get<1>(pair);
      })) {
    if (slabs != Slabs::RowEnds)
      actions.push_back({copies.rest(kernelFor(target, made, CopiedBoxes::Any))});
    return;
  }
  const unsigned row = signature.rank() - 1;
  for (unsigned axis = slabs == Slabs::RowEnds ? row : 0;
       axis < (slabs == Slabs::BesideRows ? row : signature.rank()); ++axis)
    for (Side side : {Low, High})
      if (copies.has(*box, axis, side))
        actions.push_back({copies.slab(kernelFor(target, {}, copies.boxesOf(*box, axis, side)),
                                       *box, axis, side)});
}

std::vector<When> FrameCopies::after(unsigned stage) {
  std::vector<NewTarget> targets;
  for (const Update &update : stencil.stages[stage].updates) {
    const SignatureArray &array = program.signature.arrays[update.array];
    const int64_t passes = array.isField() ? newTargets(array) : 0;
    if (passes > 0 && llvm::none_of(targets, [&](const NewTarget &target) {
          return target.field == update.array;
        }))
      targets.push_back(
          {update.array, bufferOf(program.signature, update.array, targetLevel(array)), passes});
  }
  return into(targets, stage);
}

std::vector<When> FrameCopies::into(llvm::ArrayRef<NewTarget> targets, unsigned stage,
                                    Slabs slabs) {
  std::vector<When> copies;
  for (const NewTarget &target : targets) {
    std::vector<Area> made = firstMade(target.field, stage);
    if (made.empty())
      continue;
    Actions actions;
    append(actions, target, std::move(made), slabs);
    if (actions.empty())
      continue;
    if (copies.empty() || std::get<FirstPasses>(copies.back().condition).count != target.passes)
      copies.push_back({FirstPasses{target.passes}, {}, {}});
    llvm::move(actions, std::back_inserter(copies.back().then));
  }
  return copies;
}

std::vector<Launch> stencilc::copiesBack(Program &program, llvm::ArrayRef<LevelAway> levels) {
  std::vector<CopyKernel> kernels;
  std::vector<Launch> launches;
  for (const LevelAway &away : levels) {
    const SignatureArray &array = program.signature.arrays[away.field];
    const auto fits = [&](const CopyKernel &copy) {
      return copy.fits(array, {}, CopiedBoxes::Any);
    };
    if (llvm::none_of(kernels, fits)) {
      std::string name = program.signature.name + "_copy_back";
      if (llvm::any_of(program.kernels, [&](const Kernel &kernel) { return kernel.name == name; }))
        name += "_" + array.name;
      kernels.push_back(addCopyKernel(program, std::move(name), away.field, away.home, {}));
      program.kernels.back().comment = {"Copies all points of a field."};
    }
    const CopyKernel &kernel = *llvm::find_if(kernels, fits);
    launches.push_back(
        FieldCopies(program, away.field, bufferOf(program.signature, away.field, away.level),
                    away.home)
            .all(kernel, fmt::format("The {} level of {} returns to the caller's memory.",
                                     away.level == TimeLevel::Current ? "newest" : "previous",
                                     array.name)));
  }
  return launches;
}
