#include "test/trace/TracedPrograms.h"

#include "codegen/lower/Lower.h"
#include "ir/walk/WalkRequest.h"
#include "test/fuzz/Call.h"
#include "test/harness/Arrays.h"

#include "llvm/ADT/STLExtras.h"

#include <memory>

namespace stencilc::trace {
namespace {

using harness::GuardedArray;

const Banner kBanner = {"0", "traced.stn", "trace-tests", {}};

TracedText compile(llvm::ArrayRef<PrintedProgram> programs) {
  const std::string folder = emptyFolder();
  std::vector<fuzz::TextForm> forms;
  std::vector<std::string> files = {"calls.cpp"};
  for (const PrintedProgram &printed : programs) {
    std::string header;
    llvm::raw_string_ostream out(header);
    printHeader(out, printed.form.signature, kBanner);
    writeFile(folder + "/" + printed.form.name + ".h", header);
    writeFile(folder + "/" + printed.form.source, printed.text);
    forms.push_back(printed.form);
    files.push_back(printed.form.source);
  }
  std::string calls;
  llvm::raw_string_ostream out(calls);
  printCalls(out, forms);
  writeFile(folder + "/calls.cpp", calls);
  return TracedText(folder, files);
}

/// Values of each array over time: enough for one pass.
constexpr int64_t kValues = 16;

/// The memory of a run, of any contents: no address depends on a value.
struct Memory {
  Memory(const Signature &signature, const Placement &placement);

  std::vector<int64_t> strides;                       ///< of arrays with all axes
  std::vector<ArrayLayout> layouts;                   ///< per buffer of the caller
  std::vector<std::unique_ptr<GuardedArray>> buffers; ///< in the order of callerBuffers()
};

harness::ArrayLayout shapeOf(const Buffer &array, llvm::ArrayRef<int64_t> extents) {
  harness::ArrayLayout shape;
  shape.elementBytes = sizeInBytes(array.type);
  if (array.isOverTime) {
    shape.extents = {kValues};
    shape.low = shape.high = {0};
  }
  for (unsigned axis : array.axes) {
    shape.extents.push_back(extents[axis]);
    shape.low.push_back(array.ghost[axis][Low]);
    shape.high.push_back(array.ghost[axis][High]);
  }
  return shape;
}

Memory::Memory(const Signature &signature, const Placement &placement) {
  const unsigned rank = signature.rank();
  std::vector<int64_t> low(rank), high(rank); // the widest ghosts of all: strides are common
  for (const SignatureArray &array : signature.arrays)
    if (array.axes.size() == rank)
      for (unsigned axis = 0; axis < rank; ++axis) {
        low[axis] = std::max<int64_t>(low[axis], array.ghost[axis][Low]);
        high[axis] = std::max<int64_t>(high[axis], array.ghost[axis][High]);
      }
  strides = harness::denseStrides(placement.extents, low, high, placement.pitch);

  for (const Buffer &array : callerBuffers(signature)) {
    harness::ArrayLayout shape = shapeOf(array, placement.extents);
    shape.strides = array.axes.size() == rank
                        ? strides
                        : harness::denseStrides(shape.extents, shape.low, shape.high);
    int64_t fromFirstGhost = 0;
    for (auto [width, stride] : llvm::zip_equal(shape.low, shape.strides))
      fromFirstGhost += width * stride;
    shape.padding =
        euclideanRemainder(placement.phase - fromFirstGhost, kLineBytes / shape.elementBytes);
    ArrayLayout &layout = layouts.emplace_back();
    llvm::copy(shape.strides, layout.stride.begin());
    layout.origin = placement.phase;
    buffers.push_back(std::make_unique<GuardedArray>(std::move(shape)));
  }
}

/// Calls the program with the buffers. What it says if it refuses them; else empty.
std::string call(fuzz::CallFunction *function, const Signature &signature,
                 const Placement &placement, const Memory &memory, int64_t steps) {
  std::vector<void *> origins;
  for (const auto &buffer : memory.buffers)
    origins.push_back(buffer->origin());
  const llvm::SmallVector<bool> isGiven(signature.params.size(), false);
  fuzz::Call call = {};
  call.extents = placement.extents.data();
  call.strides = memory.strides.data();
  call.buffers = origins.data();
  const std::vector<int64_t> values(signature.arrays.size(), kValues);
  call.values = values.data();
  call.isGiven = isGiven.data();
  call.steps = steps;
  call.allocate = [](size_t) -> void * { return nullptr; };
  return function(call) == fuzz::Outcome::Ok ? "" : call.message;
}

} // namespace

PrintedProgram printProgram(Stencil stencil, const Schedule &schedule, const std::string &name) {
  stencil.name = name;
  VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
  const bool isHost = program->target == Target::Host;
  fuzz::TextForm form = {.name = name,
                         .source = name + (isHost ? ".cpp" : ".cu"),
                         .schedule = toString(program->schedule),
                         .target = program->target,
                         .signature = program->signature};
  std::string text;
  llvm::raw_string_ostream out(text);
  printSource(out, program, kBanner, name + ".h", FloatMode::Contract);
  return {std::move(program), std::move(form), std::move(text)};
}

TracedPrograms::TracedPrograms(std::vector<PrintedProgram> newPrograms)
    : programs(std::move(newPrograms)), text(compile(programs)) {}

TracedStep TracedPrograms::run(size_t number, const Placement &placement) {
  const auto &[program, form, source] = programs[number];
  const Memory memory(form.signature, placement);
  TracedStep step;
  AccessLog log;
  std::vector<uintptr_t> begin, pointZero;
  for (const auto &buffer : memory.buffers) {
    log.watch(buffer->accessible());
    begin.push_back(reinterpret_cast<uintptr_t>(buffer->accessible().data()));
    pointZero.push_back(reinterpret_cast<uintptr_t>(buffer->origin()));
  }
  if (form.target == Target::Host)
    log.watchHost();
  auto *function = reinterpret_cast<fuzz::CallFunction *>(text.symbol(callName(form)));
  step.message =
      call(function, form.signature, placement, memory, program->plan.passes.front().steps);
  step.walked = walkStep(*program, placement.extents, memory.layouts);
  step.logged = loggedStep(*program, log.accesses, begin, pointZero);
  step.accesses = std::move(log.accesses);
  return step;
}

bool TracedPrograms::tellsRequests(size_t number) const {
  const std::string &variant = programs[number].program->schedule.variant;
  return variant != "shm" && variant != "temporal";
}

std::string TracedPrograms::difference(size_t number, const TracedStep &step) {
  return trace::difference(*programs[number].program, step.walked, step.logged,
                           tellsRequests(number),
                           [&](uintptr_t instruction) { return lineOf(instruction); });
}

} // namespace stencilc::trace
