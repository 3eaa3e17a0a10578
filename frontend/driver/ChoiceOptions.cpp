#include "frontend/driver/ChoiceOptions.h"

#include "codegen/variants/Aliases.h"

#include "fmt/format.h"
#include "ir/stencil/StencilAreas.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace stencilc {

Expected<Constraints> constraintsOf(const Stencil &stencil, const CommandLine &line) {
  const ScheduleOptions &options = line.schedule;
  Constraints constraints;
  constraints.block = options.block;
  constraints.chunk = options.chunk;
  constraints.fuse = options.fuse;
  constraints.unoptimized = options.unoptimized;
  if (options.text) {
    Expected<Schedule> whole = parseSchedule(*options.text, stencil.rank());
    if (!whole)
      return make_error<UsageError>("--schedule: " + toString(whole.takeError()));
    constraints.whole = std::move(*whole);
  }
  if (options.block.size() > stencil.rank())
    return make_error<UsageError>(fmt::format("--block={} has more numbers than `{}` has axes",
                                              fmt::join(options.block, "x"), stencil.name));
  const auto isForHost = [](const Variant &variant) { return variant.target == Target::Host; };
  if (options.variant) {
    constraints.variant = findVariant(*options.variant);
    if (const Alias *alias = findAlias(*options.variant)) {
      constraints.whole = alias->scheduleFor(stencil);
      force(*constraints.whole, constraints);
    } else if (!constraints.variant)
      return make_error<UsageError>(
          fmt::format("there is no variant `{}`; see stencilc --list-variants", *options.variant));
  } else if (line.host) {
    constraints.variant = find_if(variants(), isForHost);
  }
  const Variant *variant =
      constraints.whole ? findVariant(constraints.whole->variant) : constraints.variant;
  if (line.host && variant && !isForHost(*variant))
    return make_error<UsageError>(fmt::format(
        "variant `{}` runs on the device; leave out --target=host", variant->name.str()));
  return constraints;
}

Error checkPointCount(ArrayRef<int64_t> extents) {
  constexpr double kMostPoints = int64_t(1) << 40;
  if (std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>()) <= kMostPoints)
    return Error::success();
  return make_error<UsageError>(fmt::format(
      "--size asks for {} points; predictions are made for at most 2^40", fmt::join(extents, "*")));
}

Expected<Situation> situationOf(const Stencil &stencil, const CommandLine &line,
                                const DeviceProfile &device) {
  constexpr std::array<int64_t, kMaxRank> byRank = {int64_t(1) << 27, 8192, 512};
  auto extents = line.extentsOf(stencil, byRank[stencil.rank() - 1]);
  if (!extents)
    return extents.takeError();
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (const int64_t least = minimumExtent(stencil, axis);
        (*extents)[axis] > 0 && (*extents)[axis] < least)
      return make_error<UsageError>(fmt::format("--size {} is {}; `{}` takes 0 or at least {}, for "
                                                "its periodic boundary",
                                                stencil.axes[axis], (*extents)[axis], stencil.name,
                                                least));
  if (Error error = checkPointCount(*extents))
    return error;
  Situation situation{&device, std::move(*extents), line.model.options};
  if (line.asksSteps)
    situation.steps = line.steps;
  if (line.schedule.tryAll)
    situation.mostLowered = situation.mostFused = std::numeric_limits<size_t>::max();
  return situation;
}

} // namespace stencilc
