#include "frontend/measure/ValueCheck.h"

#include "codegen/lower/Lower.h"
#include "ir/stencil/StencilInterpreter.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <random>

using namespace llvm;

namespace stencilc {

namespace {

/// Odd extents of several blocks, so that edges and remainders are met.
std::vector<int64_t> smallExtents(const Stencil &stencil, int mostFused) {
  static const std::vector<std::vector<int64_t>> byRank = {{1037}, {61, 141}, {23, 37, 141}};
  std::vector<int64_t> extents = byRank[stencil.rank() - 1];
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    const int reach = int(minimumExtent(stencil, axis)) + 8 * mostFused;
    extents[axis] = std::max<int64_t>(extents[axis], reach);
  }
  return extents;
}

/// The step that runs start at: 0 unless an array over time is read before that.
int64_t firstStepOf(const Signature &signature) {
  int64_t first = 0;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime)
      first = std::max<int64_t>(first, -array.overTime->first);
  return first;
}

void fillRandomly(State &state) {
  std::mt19937_64 random(1);
  for (std::vector<Grid> *grids : {&state.current, &state.previous})
    for (Grid &grid : *grids)
      for (double &value : grid.values) {
        value = 0.5 + double(random() >> 11) / double(uint64_t(1) << 53);
        if (grid.type == ScalarType::F32)
          value = float(value);
      }
}

/// Whether a GPU rounds one of the functions otherwise than the reference.
bool callsTranscendentals(const Stencil &stencil) {
  bool found = false;
  forEachFormula(stencil, [&](const Formula &formula) {
    for (const Expr &expr : formula.exprs)
      if (const auto *call = std::get_if<CallExpr>(&expr.node))
        found |= isTranscendental(call->function);
  });
  return found;
}

/// Moves the elements of a grid to or from the bytes of a buffer.
template <class Move> void forEachElement(const Grid &grid, const BufferPlace &place, Move move) {
  std::vector<int64_t> begin, end;
  for (size_t axis = 0; axis < grid.extents.size(); ++axis) {
    begin.push_back(-grid.low[axis]);
    end.push_back(grid.extents[axis] + grid.high[axis]);
  }
  const size_t size = sizeInBytes(grid.type);
  forEachPoint(begin, end, [&](ArrayRef<int64_t> point) {
    move(grid.position(point), size * place.layout.element(point));
  });
}

std::string bytesOf(const Grid &grid, const BufferPlace &place) {
  std::string bytes(place.bytes, '\xff'); // numbers that are none
  forEachElement(grid, place, [&](size_t element, size_t at) {
    const double wide = grid.values[element];
    const float narrow = float(wide);
    if (grid.type == ScalarType::F32)
      std::memcpy(&bytes[at], &narrow, sizeof narrow);
    else
      std::memcpy(&bytes[at], &wide, sizeof wide);
  });
  return bytes;
}

void takeBytes(Grid &grid, const BufferPlace &place, const std::string &bytes) {
  forEachElement(grid, place, [&](size_t element, size_t at) {
    double wide = 0;
    float narrow = 0;
    if (grid.type == ScalarType::F32) {
      std::memcpy(&narrow, &bytes[at], sizeof narrow);
      wide = narrow;
    } else {
      std::memcpy(&wide, &bytes[at], sizeof wide);
    }
    grid.values[element] = wide;
  });
}

/// Where the state keeps a buffer's values; null where it keeps none.
Grid *keptIn(State &state, const Buffer &buffer) {
  const auto *owner = std::get_if<CallerMemory>(&buffer.owner);
  if (!owner || owner->level == TimeLevel::Next)
    return nullptr;
  return &(owner->level == TimeLevel::Current ? state.current : state.previous)[owner->array];
}

Error differs(const Stencil &stencil, const State &given, const State &expected) {
  const auto compare = [&](const std::string &name, const Grid &own, const Grid &right) -> Error {
    const auto where = firstDifference(own, right);
    if (!where)
      return Error::success();
    std::string place;
    for (size_t axis = 0; axis < where->size(); ++axis)
      place += fmt::format("{} {}={}", axis == 0 ? " at" : "", stencil.axes[axis], (*where)[axis]);
    return createStringError(fmt::format("`{}` is {}{}, and the reference has {}", name,
                                         own.at(*where), place, right.at(*where)));
  };
  for (unsigned number = 0; number < stencil.arrays.size(); ++number) {
    const Array &array = stencil.arrays[number];
    if (array.kind != ArrayKind::Field)
      continue;
    if (Error error = compare(array.name, given.current[number], expected.current[number]))
      return error;
    if (readsPrevious(stencil, number))
      if (Error error =
              compare(array.name + "_prev", given.previous[number], expected.previous[number]))
        return error;
  }
  for (const auto &[reduction, own, right] :
       zip_equal(stencil.reductions, given.results, expected.results))
    if (Error error = compare(reduction.name, Grid(ScalarType::F64, {}, {}, {}, own),
                              Grid(ScalarType::F64, {}, {}, {}, right)))
      return error;
  return Error::success();
}

} // namespace

Expected<ValueCheck> ValueCheck::prepare(const Stencil &stencil, FloatMode mode, int mostFused,
                                         const session::Session &session,
                                         const session::Nvrtc &nvrtc) {
  ValueCheck check;
  check.stencil = &stencil;
  check.mode = mode;
  check.session = &session;
  check.nvrtc = &nvrtc;
  check.steps = 2 * mostFused + 1;
  const Signature signature = signatureOf(stencil);
  const std::vector<int64_t> extents = smallExtents(stencil, mostFused);
  const std::vector<double> params = usualParams(signature, extents);
  std::vector<std::pair<std::string, double>> named;
  for (auto [param, value] : zip_equal(signature.params, params))
    named.emplace_back(param.name,
                       param.defaultValue || param.type == ScalarType::Int ? value : 0.5);
  const int64_t first = firstStepOf(signature);
  int64_t last = 0;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime)
      last = std::max<int64_t>(last, array.overTime->last);
  Expected<State> state = initialState(stencil, extents, named, first + check.steps + last);
  if (!state)
    return state.takeError();
  check.before = std::move(*state);
  check.before.step = first;
  fillRandomly(check.before);
  if (callsTranscendentals(stencil)) {
    Expected<VerifiedProgram> usual = lower(stencil, defaultSchedule(stencil));
    if (!usual)
      return usual.takeError();
    Expected<State> after = check.runOnDevice(*usual);
    if (!after)
      return after.takeError();
    check.after = std::move(*after);
    return check;
  }
  check.after = check.before;
  if (Error error = interpret(stencil, check.after, check.steps))
    return error;
  Expected<std::vector<double>> results = reduce(stencil, check.after);
  if (!results)
    return results.takeError();
  check.after.results = std::move(*results);
  return check;
}

Expected<State> ValueCheck::runOnDevice(const VerifiedProgram &program) const {
  State state = before;
  Expected<DeviceProgram> compiled =
      DeviceProgram::compile(program, mode, *session, *nvrtc, {"--fmad=false"});
  if (!compiled)
    return compiled.takeError();
  int64_t timeSteps = 0;
  for (const auto &[grid, array] : zip_first(state.current, program->signature.arrays))
    if (array.overTime)
      timeSteps = grid.extents.front();
  const DeviceGrid grid = placeBuffers(*program, state.extents, timeSteps);
  std::vector<session::Buffer> memories;
  std::vector<uint64_t> addresses;
  for (auto [buffer, place] : zip_equal(program->buffers, grid.places)) {
    auto memory = session->allocate(place.bytes);
    if (!memory)
      return errorOf(memory.fault());
    const Grid *kept = keptIn(state, buffer);
    const std::string bytes = kept ? bytesOf(*kept, place) : std::string(place.bytes, '\xff');
    if (auto fault = session->copyIn(memory->address(), bytes.data(), bytes.size()))
      return errorOf(*fault);
    addresses.push_back(memory->address());
    memories.push_back(std::move(*memory));
  }
  LaunchRecorder recorder(program, grid, addresses, state.params, state.step);
  if (Error error = recorder.run(state.extents, steps))
    return error;
  if (Error error = compiled->start(recorder.launches))
    return error;
  state.results.resize(program->signature.results.size());
  for (auto [number, buffer] : enumerate(program->buffers)) {
    const unsigned memory = recorder.memoryOf(number);
    std::string bytes(grid.places[memory].bytes, '\0');
    if (auto fault = session->copyOut(bytes.data(), addresses[memory], bytes.size()))
      return errorOf(*fault);
    if (Grid *kept = keptIn(state, buffer))
      takeBytes(*kept, grid.places[memory], bytes);
    else if (const auto *result = std::get_if<CallerResult>(&buffer.owner))
      std::memcpy(&state.results[result->result], bytes.data(), sizeof(double));
  }
  return state;
}

Error ValueCheck::check(const VerifiedProgram &program) const {
  Expected<State> given = runOnDevice(program);
  if (!given)
    return given.takeError();
  return differs(*stencil, *given, after);
}

} // namespace stencilc
