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

/// A kernel that copies the box [first, end) from `source` to `target`.
struct CopyKernel {
  Kernel kernel;
  std::array<std::optional<unsigned>, kMaxRank> firstArgument, endArgument;
};

CopyKernel makeCopyKernel(const Program &program, std::string name, const SignatureArray &array) {
  KernelBuilder builder(program, std::move(name), program.target);
  const unsigned rank = program.signature.rank();
  CopyKernel result;
  builder.kernel.comment = {"Copies a box of points that no update writes."};
  unsigned source = builder.array(
      {array.name, array.type, array.axes, array.ghost, Access::Read, /*readOnlyPath=*/false});
  unsigned target = builder.array(
      {array.name + "_next", array.type, array.axes, array.ghost, Access::Write, false});

  std::vector<Index> atLeast, atMost;
  for (unsigned axis = 0; axis < rank; ++axis) {
    atLeast.push_back(constant(-array.ghost[axis][Low]));
    atMost.push_back(add(extent(axis), array.ghost[axis][High]));
  }
  Body body;
  Point point(rank);
  auto addEnds = [&] {
    for (unsigned axis = 0; axis < rank; ++axis)
      result.endArgument[axis] =
          builder.integer("end_" + program.signature.axes[axis], nullptr, atMost[axis]);
  };
  auto end = [&](unsigned axis) {
    return coordinate(CoordinateKind::Argument, *result.endArgument[axis]);
  };
  auto copyPoint = [&] {
    builder.letPointer(body, "here", point);
    builder.store(body, target, point, builder.load(source, point));
  };
  if (program.target == Target::Device) {
    std::array<int, 3> block = rank == 1   ? std::array{256, 1, 1}
                               : rank == 2 ? std::array{32, 8, 1}
                                           : std::array{32, 4, 2};
    auto threads = builder.threads(body, block, atLeast, /*chunk=*/1, "kCopyBlock");
    result.firstArgument = threads.firstArgument;
    addEnds();
    Box inside;
    for (unsigned axis = rank; axis-- > 0;)
      inside.push_back({threads.point[axis], nullptr, end(axis)});
    body.push_back({ReturnUnless{inside}});
    point = threads.point;
    copyPoint();
  } else {
    for (unsigned axis = 0; axis < rank; ++axis)
      result.firstArgument[axis] =
          builder.integer("first_" + program.signature.axes[axis], atLeast[axis], nullptr);
    addEnds();
    std::vector<unsigned> locals;
    for (unsigned axis = 0; axis < rank; ++axis) {
      locals.push_back(builder.local(program.signature.axes[axis]));
      point[axis] = coordinate(CoordinateKind::Local, locals[axis]);
    }
    copyPoint();
    for (unsigned axis = rank; axis-- > 0;)
      body = parallelLoop(rank, axis, locals[axis],
                          coordinate(CoordinateKind::Argument, *result.firstArgument[axis]),
                          end(axis), std::move(body));
  }
  result.kernel = builder.finish(std::move(body));
  return result;
}

} // namespace

void stencilc::addFrameCopies(Program &program, const Stencil &stencil, const Stage &stage) {
  const unsigned rank = stencil.rank();
  struct Known {
    ScalarType type;
    Widths ghost;
    unsigned kernel;
    CopyKernel copy;
  };
  std::vector<Known> known;

  for (const Update &update : stage.updates) {
    const SignatureArray &array = program.signature.arrays[update.array];
    if (!array.hasNext)
      continue;
    const Widths updateFrame = frame(stencil, update);
    std::vector<Section> sections;
    for (unsigned axis = 0; axis < rank; ++axis)
      sections.push_back(sectionOf(axis, array.ghost, updateFrame));

    auto slab = [&](unsigned across, Side side) {
      if (array.ghost[across][side] + updateFrame[across][side] == 0)
        return;
      auto same = llvm::find_if(known, [&](const Known &other) {
        return other.type == array.type && other.ghost == array.ghost;
      });
      if (same == known.end()) {
        std::string name =
            program.signature.name + "_copy_frame" + (known.empty() ? "" : "_" + array.name);
        known.push_back({array.type, array.ghost, unsigned(program.kernels.size()),
                         makeCopyKernel(program, name, array)});
        same = std::prev(known.end());
        program.kernels.push_back(same->copy.kernel);
      }
      const Kernel &kernel = program.kernels[same->kernel];
      Launch launch;
      launch.kernel = same->kernel;
      launch.when = LaunchWhen::FirstStep;
      launch.comment = fmt::format("No update writes the {} end of {}: {}_next takes it from {}.",
                                   side == Low ? "low" : "high", program.signature.axes[across],
                                   array.name, array.name);
      launch.arrays = {{update.array, BufferRole::Source}, {update.array, BufferRole::Target}};
      launch.firstArgument = same->copy.firstArgument;
      launch.endArgument = same->copy.endArgument;
      for (unsigned axis = 0; axis < rank; ++axis) {
        const Section &section = sections[axis];
        launch.cover[axis] = kernel.block[dimensionOf(axis, rank)];
        bool whole = axis > across;
        launch.begin[axis] = whole ? section.ghostBegin : section.updateBegin;
        launch.end[axis] = whole ? section.ghostEnd : section.updateEnd;
      }
      if (side == Low)
        std::tie(launch.begin[across], launch.end[across]) =
            std::tie(sections[across].ghostBegin, sections[across].updateBegin);
      else
        std::tie(launch.begin[across], launch.end[across]) =
            std::tie(sections[across].updateEnd, sections[across].ghostEnd);
      program.launches.push_back(std::move(launch));
    };
    for (unsigned axis = 0; axis < rank; ++axis)
      for (Side side : {Low, High})
        slab(axis, side);
  }
}
