#include "codegen/lower/FrameCopy.h"

#include "ir/kernel/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <tuple>

using namespace stencilc;

namespace {

/// One axis seen from a field: ghost points, frame, updated points, frame, ghost points.
struct Section {
  Index ghostBegin, updateBegin, updateEnd, ghostEnd;
};

/// In grids smaller than the frame nothing is updated: updateBegin = updateEnd, inside the grid.
Section sectionOf(unsigned axis, const Widths &ghost, const Widths &frame) {
  Index end = extent(axis);
  Section section;
  section.ghostBegin = constant(-ghost[axis][Low]);
  section.ghostEnd = add(end, ghost[axis][High]);
  section.updateBegin = frame[axis][Low] ? minimum(constant(frame[axis][Low]), end) : constant(0);
  section.updateEnd =
      frame[axis][High] ? maximum(add(end, -frame[axis][High]), section.updateBegin) : end;
  return section;
}

CopyKernel addCopyKernel(Program &program, std::string name, const SignatureArray &array,
                         const Buffer &from, const Buffer &to) {
  KernelBuilder builder(program, std::move(name), program.target);
  const unsigned rank = program.signature.rank();
  builder.kernel.comment = {"Copies a box of points that no update writes."};
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
    builder.letPointer(body, "here", point);
    builder.store(body, target, point, builder.load(source, point));
  };
  if (program.target == Target::Device) {
    std::array<int, 3> block = rank == 1   ? std::array{256, 1, 1}
                               : rank == 2 ? std::array{32, 8, 1}
                                           : std::array{32, 4, 2};
    point = builder.threads(body, block, atLeast, /*chunk=*/1, "kCopyBlock");
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
  return {&array, unsigned(program.kernels.size() - 1), builder.bindings};
}

/// Adds the launches of one field, a slab each.
class SlabCopies {
public:
  SlabCopies(const Program &program, const Stencil &stencil, const Update &update)
      : program(program), array(program.signature.arrays[update.array]),
        updateFrame(frame(stencil, update)), rank(stencil.rank()),
        from(bufferOf(program.signature, update.array)),
        to(bufferOf(program.signature, update.array, targetLevel(array))) {
    for (unsigned axis = 0; axis < rank; ++axis)
      sections.push_back(sectionOf(axis, array.ghost, updateFrame));
  }

  bool isEmpty() const {
    for (unsigned axis = 0; axis < rank; ++axis)
      if (has(axis, Low) || has(axis, High))
        return false;
    return true;
  }

  void append(Actions &actions, const CopyKernel &copy) const {
    for (unsigned axis = 0; axis < rank; ++axis)
      for (Side side : {Low, High})
        if (has(axis, side))
          actions.push_back({slab(copy, axis, side)});
  }

  const Buffer &source() const { return program.buffers[from]; }
  const Buffer &target() const { return program.buffers[to]; }

private:
  bool has(unsigned axis, Side side) const {
    return array.ghost[axis][side] + updateFrame[axis][side] > 0;
  }

  /// Slabs reach along the slower axes over the updated points, along the faster ones over all.
  Launch slab(const CopyKernel &copy, unsigned across, Side side) const {
    const Kernel &kernel = program.kernels[copy.kernel];
    Launch launch{.kernel = copy.kernel,
                  .comment =
                      fmt::format("No update writes the {} end of {}: {} takes it from {}.",
                                  side == Low ? "low" : "high", program.signature.axes[across],
                                  target().name, source().name),
                  .buffers = {from, to},
                  .cover = {},
                  .integers = copy.integers};
    Cover &cover = launch.cover;
    for (unsigned axis = 0; axis < rank; ++axis) {
      const Section &section = sections[axis];
      cover.points[axis] = kernel.block[dimensionOf(axis, rank)];
      const bool whole = axis > across;
      cover.begin[axis] = whole ? section.ghostBegin : section.updateBegin;
      cover.end[axis] = whole ? section.ghostEnd : section.updateEnd;
    }
    if (side == Low)
      std::tie(cover.begin[across], cover.end[across]) =
          std::tie(sections[across].ghostBegin, sections[across].updateBegin);
    else
      std::tie(cover.begin[across], cover.end[across]) =
          std::tie(sections[across].updateEnd, sections[across].ghostEnd);
    return launch;
  }

  const Program &program;
  const SignatureArray &array;
  const Widths updateFrame;
  const unsigned rank;
  const unsigned from, to; ///< buffers
  std::vector<Section> sections;
};

} // namespace

std::vector<When> FrameCopies::after(const Stage &stage) {
  std::vector<When> copies;
  for (const Update &update : stage.updates) {
    const SignatureArray &array = program.signature.arrays[update.array];
    const SlabCopies slabs(program, stencil, update);
    const int64_t passes = newTargets(array);
    if (passes == 0 || slabs.isEmpty())
      continue;
    auto copy = llvm::find_if(kernels, [&](const CopyKernel &k) { return k.fits(array); });
    if (copy == kernels.end()) {
      std::string name =
          program.signature.name + "_copy_frame" + (kernels.empty() ? "" : "_" + array.name);
      copy = kernels.insert(kernels.end(), addCopyKernel(program, std::move(name), array,
                                                         slabs.source(), slabs.target()));
    }
    if (copies.empty() || std::get<FirstPasses>(copies.back().condition).count != passes)
      copies.push_back({FirstPasses{passes}, {}, {}});
    slabs.append(copies.back().then, *copy);
  }
  return copies;
}
