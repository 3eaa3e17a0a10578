// Flags: the command line of a stand-alone program, `--name=value` each.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A flag and where its value goes. Whole numbers are never negative but where a flag says so; the
/// least of all stands for none.
struct Flag {
  std::string name, help;
  std::variant<int64_t *, float *, double *, std::string *> target;
  bool mayBeNegative = false;
};

/// Stores the value; false if the text is no such number.
inline bool setFlag(const Flag &flag, const char *text) {
  if (auto *const *word = std::get_if<std::string *>(&flag.target)) {
    **word = text;
    return true;
  }
  char *end = nullptr;
  errno = 0;
  if (auto *const *number = std::get_if<int64_t *>(&flag.target)) {
    **number = std::strtoll(text, &end, 10);
    return end != text && *end == 0 && errno == 0 && (**number >= 0 || flag.mayBeNegative);
  }
  const double value = std::strtod(text, &end);
  if (auto *const *real = std::get_if<float *>(&flag.target))
    **real = static_cast<float>(value);
  if (auto *const *real = std::get_if<double *>(&flag.target))
    **real = value;
  return end != text && *end == 0;
}

/// The shortest text that reads back as the number.
inline std::string realText(double value) {
  if (std::isnan(value))
    return "nan"; // some libraries print its sign
  char text[32];
  int digits = 1;
  do
    std::snprintf(text, sizeof text, "%.*g", digits, value);
  while (std::strtod(text, nullptr) != value && ++digits <= 17);
  return text;
}

/// The value before any flag is read, for `--help`.
inline std::string defaultText(const Flag &flag) {
  if (auto *const *number = std::get_if<int64_t *>(&flag.target))
    return **number == INT64_MIN ? "needed" : std::to_string(**number);
  if (auto *const *real = std::get_if<float *>(&flag.target))
    return std::isnan(**real) ? "needed" : realText(**real);
  if (auto *const *real = std::get_if<double *>(&flag.target))
    return std::isnan(**real) ? "needed" : realText(**real);
  return "";
}

/// Sets all flags of the command line. Gives the exit code where the program is to end: 0 after
/// `--help`, 2 after a word that is not understood.
inline std::optional<int> parseFlags(int argc, char **argv, const char *about,
                                     const std::vector<Flag> &flags) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0) {
      std::printf("%s\n\n", about);
      for (const Flag &flag : flags) {
        const std::string value = defaultText(flag);
        std::printf("  --%-12s  %s%s%s%s\n", (flag.name + "=").c_str(), flag.help.c_str(),
                    value.empty() ? "" : " (", value.c_str(), value.empty() ? "" : ")");
      }
      return 0;
    }
  }
  for (int i = 1; i < argc; ++i) {
    const Flag *found = nullptr;
    const char *value = nullptr;
    for (const Flag &flag : flags) {
      const std::string start = "--" + flag.name + "=";
      if (std::strncmp(argv[i], start.c_str(), start.size()) == 0) {
        found = &flag;
        value = argv[i] + start.size();
      }
    }
    if (!found || !setFlag(*found, value)) {
      std::fprintf(stderr, "%s: `%s` is not understood; --help lists all flags\n", argv[0],
                   argv[i]);
      return 2;
    }
  }
  return std::nullopt;
}
