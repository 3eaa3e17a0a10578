// Run: buffers for the arrays, timed runs, and what is told of them.
#pragma once

#include "runtime/standalone/Flags.h"
#include "runtime/standalone/Points.h"
#include "runtime/standalone/Until.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <vector>

/// Ends the program when the host has no memory left for a copy of the arrays.
[[noreturn]] inline void endWithoutMemory() {
  std::fprintf(stderr, "not enough memory on the host: choose smaller extents\n");
  std::exit(1);
}

/// Makes a buffer for one level of an array and points at its point (0,0,0).
template <class T, class P> bool reserve(Memory &memory, const Points<T> &points, P **origin) {
  T *buffer = static_cast<T *>(memory.allocate(points.values.size() * sizeof(T)));
  *origin = buffer ? buffer + points.layout.lead : nullptr;
  return buffer;
}

/// The same, with the points in it.
template <class T, class P> bool place(Memory &memory, const Points<T> &points, P **origin) {
  T *buffer = nullptr;
  const bool done =
      reserve(memory, points, &buffer) &&
      upload(buffer - points.layout.lead, points.values.data(), points.values.size() * sizeof(T));
  *origin = buffer;
  return done;
}

/// Brings the points back and writes them to a .npy file. Does nothing without a path.
template <class T> bool save(const std::string &path, const T *origin, Points<T> &points) {
  return path.empty() || (download(points.values.data(), origin - points.layout.lead,
                                   points.values.size() * sizeof(T)) &&
                          store(path, points));
}

/// Makes a place for each number that a run leaves.
inline bool placeNumbers(Memory &memory, std::vector<Number> &numbers) {
  for (Number &number : numbers) {
    number.place = static_cast<double *>(memory.allocate(sizeof(double)));
    if (!number.place)
      return false;
  }
  return true;
}

/// Brings the numbers back.
inline bool takeNumbers(std::vector<Number> &numbers) {
  for (Number &number : numbers)
    if (!download(&number.value, number.place, sizeof(double)))
      return false;
  return true;
}

inline void printNumbers(const std::vector<Number> &numbers) {
  for (const Number &number : numbers)
    std::printf("%s = %s\n", number.name.c_str(), realText(number.value).c_str());
}

/// Advances by `steps` steps, `every` at a time, until the condition holds: calls run(steps) and
/// takes the numbers that it leaves. Gives the steps that were made; none if a run fails.
template <class RunSteps>
std::optional<int64_t> advanceUntil(const Until &until, int64_t steps, int64_t every,
                                    std::vector<Number> &numbers, RunSteps run) {
  int64_t made = 0;
  do {
    const int64_t some = until.isAsked() && every > 0 ? std::min(every, steps - made) : steps;
    if (!run(some) || !takeNumbers(numbers))
      return std::nullopt;
    made += some;
  } while (made < steps && !until.holds(numbers));
  return made;
}

/// Prints the time of a step: of the first run, or the median of `repeat` further ones, which go
/// on from where it ended.
template <class Advance>
bool report(double first, int64_t repeat, int64_t steps, double points, Advance advance) {
  std::vector<double> seconds;
  while (static_cast<int64_t>(seconds.size()) < repeat) {
    const std::optional<double> time = timeOf(advance);
    if (!time)
      return false;
    seconds.push_back(*time);
  }
  std::sort(seconds.begin(), seconds.end());
  const double run = seconds.empty() ? first : seconds[seconds.size() / 2];
  if (steps > 0 && run > 0)
    std::printf("%.6f ms a step, %.3f GStencil/s (%s of %lld steps)\n", run / steps * 1e3,
                points * steps / run * 1e-9,
                seconds.empty() ? "first run" : "median of repeated runs",
                static_cast<long long>(steps));
  return true;
}
