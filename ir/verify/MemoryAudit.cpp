#include "ir/verify/MemoryAudit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/ranges.h>

using namespace stencilc;

MemoryAudit::MemoryAudit(const Program &program, const RunNumbers &numbers, const AuditRows &rows,
                         const PlanRun &names)
    : program(program), numbers(numbers), names(names) {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    ArrayLayout &place = places.emplace_back(denseLayout(buffer, numbers.extents));
    place.origin = rows.origin;
    int64_t size = 1, points = 1;
    for (const Index &length : buffer.lengths)
      points = size *= valueOf(length, numbers);
    for (size_t position = buffer.axes.size(); position-- > 0;) {
      const auto [low, high] = buffer.ghost[buffer.axes[position]];
      place.stride[position] = size;
      const int64_t length = low + numbers.extents[buffer.axes[position]] + high;
      points *= length;
      size *= length;
      if (position + 1 == buffer.axes.size())
        size = llvm::alignTo(size, rows.multiple);
    }
    Memory &memory = memories.emplace_back();
    if (isConst(number))
      continue;
    memory.elements.resize(size);
    memory.undefined = points;
    const auto *owner = std::get_if<CallerMemory>(&buffer.owner);
    if (owner && owner->level != TimeLevel::Next) {
      memory.isNewest = owner->level == TimeLevel::Current;
      memory.undefined = 0;
      for (Element &element : memory.elements)
        element.launch = 0;
    }
  }
}

bool MemoryAudit::isConst(unsigned buffer) const {
  const auto *owner = std::get_if<CallerMemory>(&program.buffers[buffer].owner);
  return owner && !program.signature.arrays[owner->array].isField();
}

/// The names of the newest levels, and of those before where steps read them.
std::vector<unsigned> MemoryAudit::fieldBuffers() const {
  std::vector<unsigned> buffers;
  for (auto [number, array] : llvm::enumerate(program.signature.arrays)) {
    if (!array.isField())
      continue;
    buffers.push_back(bufferOf(program.signature, number));
    if (array.hasPrevious)
      buffers.push_back(bufferOf(program.signature, number, TimeLevel::Previous));
  }
  return buffers;
}

void MemoryAudit::report(std::string seen) {
  if (fault.empty())
    fault = std::move(seen);
}

// ---- elements ---------------------------------------------------------------------------------

int64_t MemoryAudit::elementAt(unsigned buffer, llvm::ArrayRef<int64_t> point) const {
  int64_t element = 0;
  for (auto [position, axis] : llvm::enumerate(program.buffers[buffer].axes))
    element +=
        (point[axis] + program.buffers[buffer].ghost[axis][Low]) * places[buffer].stride[position];
  return element;
}

std::string MemoryAudit::name(unsigned buffer, int64_t element) const {
  const Buffer &declared = program.buffers[buffer];
  std::vector<int64_t> index;
  for (auto [position, axis] : llvm::enumerate(declared.axes)) {
    const int64_t stride = places[buffer].stride[position];
    index.push_back(element / stride - declared.ghost[axis][Low]);
    element %= stride;
  }
  for (size_t dimension = 0; dimension < declared.lengths.size(); ++dimension) {
    const int64_t stride = places[buffer].stride[dimension];
    index.push_back(element / stride);
    element %= stride;
  }
  return fmt::format("{}{}", declared.name, index);
}

template <class Visit>
bool MemoryAudit::forEachElement(unsigned buffer, llvm::ArrayRef<int64_t> begin,
                                 llvm::ArrayRef<int64_t> end, Visit visit) const {
  std::array<int64_t, kMaxRank> point = {}, last = {1, 1, 1};
  const auto &axes = program.buffers[buffer].axes;
  for (unsigned axis : axes)
    last[axis] = end[axis];
  const auto beginOf = [&](unsigned axis) {
    return llvm::is_contained(axes, axis) ? begin[axis] : 0;
  };
  for (point[0] = beginOf(0); point[0] < last[0]; ++point[0])
    for (point[1] = beginOf(1); point[1] < last[1]; ++point[1])
      for (point[2] = beginOf(2); point[2] < last[2]; ++point[2])
        if (!visit(elementAt(buffer, point)))
          return false;
  return true;
}

template <class Visit> bool MemoryAudit::forEachElement(unsigned buffer, Visit visit) const {
  std::array<int64_t, kMaxRank> begin = {}, end = {1, 1, 1};
  for (unsigned axis : program.buffers[buffer].axes) {
    const auto [low, high] = program.buffers[buffer].ghost[axis];
    begin[axis] = -low;
    end[axis] = numbers.extents[axis] + high;
  }
  return forEachElement(buffer, begin, end, visit);
}

// ---- passes -----------------------------------------------------------------------------------

/// The pass stored what it owes; and what else is in the newest level of a field, or in the one
/// before, is what an earlier pass, or the caller, made it.
void MemoryAudit::endPass(const Pass &made) {
  for (const Owed &owed : made.owed)
    checkOwed(owed);
  newest.clear();
  for (unsigned buffer : fieldBuffers()) {
    newest.push_back(names.memoryOf(buffer));
    const Memory &memory = memoryOf(buffer);
    if (memory.isNewest)
      continue;
    forEachElement(buffer, [&](int64_t element) {
      if (memory.elements[element].pass != 0)
        return true;
      report(fmt::format("no launch writes {} of the newest level", name(buffer, element)));
      return false;
    });
  }
  ++pass; // the epilogue counts its own stores
}

void MemoryAudit::checkOwed(const Owed &owed) {
  const Memory &memory = memoryOf(owed.buffer);
  for (const PointBox &box : owed.boxes) {
    std::array<int64_t, kMaxRank> begin = {}, end = {1, 1, 1};
    for (unsigned axis : program.buffers[owed.buffer].axes) {
      begin[axis] = valueOf(box.begin[axis], numbers);
      end[axis] = valueOf(box.end[axis], numbers);
    }
    forEachElement(owed.buffer, begin, end, [&](int64_t element) {
      if (memory.elements[element].pass == pass)
        return true;
      report(fmt::format("no launch writes {}, which a pass owes", name(owed.buffer, element)));
      return false;
    });
  }
}

/// Names of the caller's stand for memory of the caller's; where a level was moved, all of it was.
void MemoryAudit::endRun(bool takesResults) {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    const Buffer &memory = program.buffers[names.memoryOf(number)];
    if (std::holds_alternative<CallerMemory>(buffer.owner) &&
        !std::holds_alternative<CallerMemory>(memory.owner))
      report(fmt::format("at the end of a run, {} is in the workspace", buffer.name));
    if (takesResults && std::holds_alternative<CallerResult>(buffer.owner) &&
        memoryOf(number).undefined > 0)
      report(fmt::format("no launch writes {}, which a run owes", buffer.name));
  }
  for (auto [buffer, before] : llvm::zip_equal(fieldBuffers(), newest)) {
    if (names.memoryOf(buffer) == before)
      continue;
    const Memory &memory = memoryOf(buffer);
    forEachElement(buffer, [&, buffer = buffer](int64_t element) {
      if (memory.elements[element].pass == pass)
        return true;
      report(fmt::format("{} is not copied back", name(buffer, element)));
      return false;
    });
  }
}

// ---- accesses ---------------------------------------------------------------------------------

void MemoryAudit::beginLaunch(const Launch &begun) {
  ++launches;
  launch = &begun;
}

std::vector<bool> MemoryAudit::safeToLoad() const {
  const Kernel &kernel = program.kernels[launch->kernel];
  std::vector<bool> safe;
  for (unsigned buffer : launch->buffers) {
    const bool isWritten =
        llvm::any_of(llvm::zip_equal(launch->buffers, kernel.arrays), [&](const auto &pair) {
          const auto &[other, argument] = pair;
          return names.memoryOf(other) == names.memoryOf(buffer) && argument.access != Access::Read;
        });
    safe.push_back(isConst(buffer) || (!isWritten && memoryOf(buffer).undefined == 0));
  }
  return safe;
}

void MemoryAudit::take(const WarpRequest &request, int thread) {
  const unsigned buffer = launch->buffers[request.array];
  Memory &memory = memories[names.memoryOf(buffer)];
  if (isConst(buffer))
    return;
  const int64_t toFirst = elementAt(buffer, {0, 0, 0}) - places[buffer].origin;
  for (const LaneRun &run : request.runs)
    for (unsigned lane = 0; lane < run.count; ++lane)
      for (unsigned part = 0; part < request.width; ++part) {
        const int64_t number = run.element + run.stride * lane + part + toFirst;
        if (number < 0 || number >= int64_t(memory.elements.size()))
          return report(fmt::format("leaves the memory of {}", program.buffers[buffer].name));
        if (request.isStore)
          store(memory, buffer, number, thread + run.lane + lane);
        else
          load(memory, buffer, number, thread + run.lane + lane);
      }
}

void MemoryAudit::load(Memory &memory, unsigned buffer, int64_t number, int thread) {
  Element &element = memory.elements[number];
  if (element.launch == kNever)
    report(fmt::format("reads {}, which nothing wrote", name(buffer, number)));
  if (element.launch == launches)
    report(fmt::format("reads {} after it is written in the same launch", name(buffer, number)));
  const bool isOnly = element.readingLaunch != launches || element.reader == thread;
  element.reader = isOnly ? thread : kSeveral;
  element.readingLaunch = launches;
}

void MemoryAudit::store(Memory &memory, unsigned buffer, int64_t number, int thread) {
  Element &element = memory.elements[number];
  if (element.readingLaunch == launches && element.reader != thread)
    report(fmt::format("writes {}, which another thread reads", name(buffer, number)));
  if (element.pass == pass)
    report(fmt::format("writes {} a second time", name(buffer, number)));
  memory.undefined -= element.launch == kNever;
  element.pass = pass;
  element.launch = launches;
}
