// Progress: a line on the terminal that says how far a long run is.
#pragma once

#include "runtime/standalone/Until.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

/// POSIX's own. Its header has macros, which no stencil could then have as names.
extern "C" int isatty(int file) noexcept;

/// Nothing is shown where nobody looks: then runs are made in one piece.
class Progress {
public:
  Progress(int64_t steps, double points, bool isShown)
      : steps(steps), points(points), isShown(isShown) {}

  static bool isWatched() { return isatty(2) != 0; }

  /// Steps to make before it is told again, about a quarter of a second of them.
  int64_t piece() const {
    constexpr double kSeconds = 0.25;
    if (!isShown)
      return std::numeric_limits<int64_t>::max();
    return made == 0 || seconds <= 0 ? 1 : std::max<int64_t>(1, int64_t(kSeconds * made / seconds));
  }

  /// After `some` more steps, which took so long.
  void tell(int64_t some, double took, const std::vector<Number> &numbers) {
    constexpr double kLong = 1;
    made += some;
    seconds += took;
    if (!isShown || seconds < kLong || made == 0)
      return;
    isLineThere = true;
    std::fprintf(stderr, "\r%3.0f %%  %.3f GStencil/s  %.0f s left", 100.0 * made / steps,
                 points * made / seconds * 1e-9, seconds / made * (steps - made));
    for (const Number &number : numbers)
      std::fprintf(stderr, "  %s = %.3g", number.name.c_str(), number.value);
    std::fprintf(stderr, "\033[K");
  }

  /// Takes the line away.
  void end() const {
    if (isLineThere)
      std::fprintf(stderr, "\r\033[K");
  }

private:
  int64_t steps;
  double points;
  bool isShown, isLineThere = false;
  int64_t made = 0;
  double seconds = 0;
};
