// Run: buffers for the arrays, timed runs, and what is told of them.
#pragma once

#include "runtime/standalone/Flags.h"
#include "runtime/standalone/Points.h"
#include "runtime/standalone/Progress.h"
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

/// Says how a run ended that had a condition; false if its number is none.
inline bool printEnd(const Until &until, const std::vector<Number> &numbers, int64_t steps) {
  std::printf("%lld steps\n", static_cast<long long>(steps));
  if (until.hasNumber(numbers))
    return true;
  std::fprintf(stderr,
               "--until: %s is no finite number: the values have grown without bound, or are "
               "no numbers any more\n",
               numbers[until.number].name.c_str());
  return false;
}

/// u.npy -> u_000100.npy
inline std::string numbered(const std::string &path, int64_t step) {
  if (path.empty())
    return path;
  const size_t end = std::min(path.rfind(".npy"), path.size());
  const std::string digits = std::to_string(step);
  return path.substr(0, end) + "_" + std::string(6 - std::min<size_t>(6, digits.size()), '0') +
         digits + path.substr(end);
}

/// What a run is stopped for on its way; 0: never.
struct Stops {
  int64_t steps = 0; ///< in all
  int64_t look = 0;  ///< so often at the condition
  int64_t save = 0;  ///< so often to write files
};

/// What was made, and how long it took without looks and files.
struct Made {
  int64_t steps = 0;
  double seconds = 0;
};

/// Advances until the condition holds or can no longer be asked, or all steps are made: calls
/// run(steps), takes the numbers that it leaves, and calls saveAll(steps made). None if one of them
/// fails.
template <class RunSteps, class SaveAll>
std::optional<Made> advanceBy(const Stops &stops, const Until &until, std::vector<Number> &numbers,
                              Progress &progress, RunSteps run, SaveAll saveAll) {
  Made made;
  const auto isTimeFor = [&](int64_t every) { return every > 0 && made.steps % every == 0; };
  bool isOver = false;
  do {
    int64_t some = std::min(stops.steps - made.steps, progress.piece());
    for (const int64_t every : {until.isAsked() ? stops.look : 0, stops.save})
      if (every > 0)
        some = std::min(some, every - made.steps % every);
    const std::optional<double> seconds = timeOf([&] { return run(some); });
    if (!seconds || !takeNumbers(numbers))
      return std::nullopt;
    made.steps += some;
    made.seconds += *seconds;
    isOver = made.steps >= stops.steps || (until.isAsked() && isTimeFor(stops.look) &&
                                           (until.holds(numbers) || !until.hasNumber(numbers)));
    progress.tell(some, *seconds, numbers);
    if (isTimeFor(stops.save) && !saveAll(made.steps))
      return std::nullopt;
  } while (!isOver);
  progress.end();
  return made;
}

/// Prints the time of a step: of the first run, or the median of `repeat` further ones of as many
/// steps, which go on from where it ended.
template <class Again> bool report(const Made &first, int64_t repeat, double points, Again again) {
  std::vector<double> seconds;
  while (static_cast<int64_t>(seconds.size()) < repeat) {
    const std::optional<double> time = timeOf(again);
    if (!time)
      return false;
    seconds.push_back(*time);
  }
  std::sort(seconds.begin(), seconds.end());
  const double run = seconds.empty() ? first.seconds : seconds[seconds.size() / 2];
  if (first.steps > 0 && run > 0)
    std::printf("%.6f ms a step, %.3f GStencil/s (%s of %lld steps)\n", run / first.steps * 1e3,
                points * first.steps / run * 1e-9,
                seconds.empty() ? "first run" : "median of repeated runs",
                static_cast<long long>(first.steps));
  return true;
}
