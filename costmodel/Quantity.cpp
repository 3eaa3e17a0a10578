#include "costmodel/Quantity.h"

#include "fmt/format.h"
#include "llvm/ADT/ArrayRef.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

struct Unit {
  double size;
  const char *name;
};

constexpr double kKibi = 1024, kMebi = kKibi * kKibi, kGibi = kMebi * kKibi;

constexpr Unit kTimes[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
constexpr Unit kBytes[] = {{kGibi, "GiB"}, {kMebi, "MiB"}, {kKibi, "KiB"}, {1, "B"}};

/// The largest unit of which there is one once rounded; units from the largest on.
const Unit &fitting(double value, int digits, ArrayRef<Unit> units) {
  const double almostOne = 1 - 0.5 * std::pow(10.0, -digits);
  for (const Unit &unit : units)
    if (value >= unit.size * almostOne)
      return unit;
  return value == 0 ? units.front() : units.back();
}

std::string in(const Unit &unit, double value, int digits) {
  return significant(value / unit.size, digits) + " " + unit.name;
}

} // namespace

std::string significant(double value, int digits) {
  if (value == 0)
    return "0";
  const int lead = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const double unit = std::pow(10.0, lead + 1 - digits);
  // Rounding may carry into one more digit before the point (9.97 -> 10): count the places anew.
  const double rounded = std::round(value / unit) * unit;
  const int places =
      digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(rounded)) + 1e-9));
  return fmt::format("{:.{}f}", rounded, std::max(0, places));
}

std::string timeText(double seconds, int digits) {
  return timeText(seconds, digits, std::abs(seconds));
}

std::string timeText(double seconds, int digits, double scale) {
  return in(fitting(scale, digits, kTimes), seconds, digits);
}

std::string bytesText(double bytes, int digits) {
  return in(fitting(bytes, digits, kBytes), bytes, digits);
}

std::string volumeText(double bytes) {
  return bytes >= kGibi ? fmt::format("{:.2f} GiB", bytes / kGibi)
                        : fmt::format("{:.1f} MiB", bytes / kMebi);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string counted(uint64_t number, const std::string &noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

} // namespace stencilc
