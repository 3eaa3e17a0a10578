#include "ir/kernel/Schedule.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

bool Schedule::hasFlag(llvm::StringRef flag) const { return llvm::is_contained(flags, flag.str()); }

/// The host target's schedules have no block.
static bool isHost(llvm::StringRef variant) { return variant == "host"; }

std::string toString(const Schedule &schedule) {
  std::string text = schedule.variant;
  for (unsigned dimension = 0; dimension < schedule.rank; ++dimension)
    text += fmt::format("{}{}", dimension == 0 ? "/" : "x", schedule.block[dimension]);
  if (schedule.chunk != 1)
    text += fmt::format("/c{}", schedule.chunk);
  if (schedule.fuse != 1)
    text += fmt::format("/t{}", schedule.fuse);
  if (schedule.pointsPerThread != std::array{1, 1})
    text += fmt::format("/v{}x{}", schedule.pointsPerThread[0], schedule.pointsPerThread[1]);
  if (schedule.prefetch != 0)
    text += fmt::format("/p{}", schedule.prefetch);
  if (schedule.band != 0)
    text += fmt::format("/b{}", schedule.band);
  if (schedule.residency != 0)
    text += fmt::format("/r{}", schedule.residency);
  for (const std::string &flag : schedule.flags)
    text += "/" + flag;
  return text;
}

static llvm::Error error(llvm::StringRef part, llvm::StringRef expected) {
  return llvm::createStringError(fmt::format("schedule part `{}` is not understood: expected {}",
                                             std::string_view(part), std::string_view(expected)));
}

/// Far above any use, far below what could overflow a product.
constexpr int kLargestNumber = 1 << 20;
/// As a block has threads at most, each of its sides has.
constexpr int kLargestSide = cuda::kMaxThreadsPerBlock;

static bool readNumber(llvm::StringRef text, int least, int most, int &number) {
  return llvm::all_of(text, llvm::isDigit) && !text.getAsInteger(10, number) && number >= least &&
         number <= most;
}

/// Numbers joined by `x`: exactly as many as `numbers` has places.
static bool readShape(llvm::StringRef text, int most, llvm::MutableArrayRef<int> numbers) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, 'x');
  return parts.size() == numbers.size() &&
         llvm::all_of(llvm::zip_equal(parts, numbers), [&](auto pair) {
           return readNumber(std::get<0>(pair), 1, most, std::get<1>(pair));
         });
}

static bool isWord(llvm::StringRef text) {
  return !text.empty() && llvm::isAlpha(text[0]) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
}

/// A letter and a number, as opposed to a flag.
static bool isSetting(llvm::StringRef part) {
  return part.size() > 1 && llvm::StringRef("ctvpbr").contains(part[0]) && llvm::isDigit(part[1]);
}

static bool readSetting(llvm::StringRef part, Schedule &schedule) {
  const llvm::StringRef value = part.drop_front();
  switch (part[0]) {
  case 'c':
    return readNumber(value, 1, kLargestNumber, schedule.chunk);
  case 't':
    return readNumber(value, 1, kLargestNumber, schedule.fuse);
  case 'v':
    return readShape(value, kLargestSide, schedule.pointsPerThread);
  case 'p':
    return readNumber(value, 0, kLargestNumber, schedule.prefetch);
  case 'b':
    return readNumber(value, 0, kLargestNumber, schedule.band);
  default:
    return readNumber(value, 0, kLargestNumber, schedule.residency);
  }
}

llvm::Expected<Schedule> parseSchedule(llvm::StringRef text, unsigned rank) {
  llvm::SmallVector<llvm::StringRef, 8> list;
  text.split(list, '/');
  llvm::ArrayRef<llvm::StringRef> parts = list;

  Schedule schedule;
  if (!isWord(parts.front()))
    return error(parts.front(), "the name of a variant, as in `baseline/32x4x1`");
  schedule.variant = parts.front().str();
  parts = parts.drop_front();
  schedule.rank = isHost(schedule.variant) ? 0 : rank;

  if (!isHost(schedule.variant)) {
    const llvm::StringRef shape = parts.empty() ? "" : parts.front();
    if (!readShape(shape, kLargestSide, llvm::MutableArrayRef(schedule.block).take_front(rank)))
      return error(shape, fmt::format("the block shape after the variant: {} (x first, one number "
                                      "per axis, 1 to {} each)",
                                      rank == 1   ? "`256`"
                                      : rank == 2 ? "`32x8`"
                                                  : "`32x4x1`",
                                      kLargestSide));
    parts = parts.drop_front();

    llvm::StringRef open = "ctvpbr"; // what may still come, in this order
    while (!parts.empty() && isSetting(parts.front())) {
      const llvm::StringRef part = parts.front();
      const size_t place = open.find(part[0]);
      if (place == llvm::StringRef::npos || !readSetting(part, schedule))
        return error(part,
                     "cN, tN, vXxY, pN, bN, rN, each at most once and in this order, then flags");
      open = open.drop_front(place + 1);
      parts = parts.drop_front();
    }
  }

  for (llvm::StringRef part : parts) {
    if (!isWord(part) || isSetting(part))
      return error(part, isHost(schedule.variant)
                             ? "only flags after `host`"
                             : "cN, tN, vXxY, pN, bN, rN in this order, then flags");
    schedule.flags.push_back(part.str());
  }
  llvm::sort(schedule.flags);
  schedule.flags.erase(llvm::unique(schedule.flags), schedule.flags.end());
  return schedule;
}

} // namespace stencilc
