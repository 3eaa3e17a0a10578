// Until: what ends a run early, a bound on a number that it leaves: `speed<1e-6`.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// A number that a run leaves where the program asks.
struct Number {
  std::string name;
  double *place = nullptr; ///< where the run leaves it
  double value = 0;        ///< brought back from there
};

struct Until {
  size_t number = 0; ///< that is asked, among all
  char sign = 0;     ///< '<' or '>'; 0: no condition
  bool orEqual = false;
  double bound = 0;

  bool isAsked() const { return sign != 0; }
  /// An infinity is the max of a state of NaNs, or has grown beyond all bounds: no run converges to
  /// it.
  bool hasNumber(const std::vector<Number> &numbers) const {
    return std::isfinite(numbers[number].value);
  }
  bool holds(const std::vector<Number> &numbers) const {
    const double value = numbers[number].value;
    return (sign == '<' ? value < bound : value > bound) || (orEqual && value == bound);
  }
};

/// Reads the condition; an empty text is none. Prints what is wrong.
inline bool parseUntil(const std::string &text, const std::vector<Number> &numbers, Until &until) {
  if (text.empty())
    return true;
  const size_t sign = text.find_first_of("<>");
  for (size_t number = 0; sign != std::string::npos && number < numbers.size(); ++number) {
    if (text.compare(0, sign, numbers[number].name) != 0)
      continue;
    until.number = number;
    until.sign = text[sign];
    until.orEqual = text[sign + 1] == '=';
    const char *const bound = text.c_str() + sign + 1 + until.orEqual;
    char *end = nullptr;
    until.bound = std::strtod(bound, &end);
    if (end != bound && *end == 0)
      return true;
  }
  std::fprintf(stderr, "--until=%s is not understood; it compares one of these with a number:",
               text.c_str());
  for (const Number &number : numbers)
    std::fprintf(stderr, " %s", number.name.c_str());
  std::fprintf(stderr, "\n");
  until.sign = 0;
  return false;
}
