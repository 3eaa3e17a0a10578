// SourcedYaml: how one value of a device profile, with its source, reads from YAML and prints:
// `{ value: 132, source: "..." }`. What a value cannot be is complained of where it stands.
#pragma once

#include "costmodel/device/DeviceProfile.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/YAMLTraits.h"

#include <cmath>

namespace stencilc {

/// A floating-point number that prints with as many digits as it needs to read back the same.
struct Exact {
  double number = 0;
};

/// Words that always print in quotes: LLVM leaves commas bare, which part entries between braces.
struct Quoted {
  std::string words;
};

enum class Sign { Positive, NonNegative };

/// What reading has found on its way, and the section it is in; the context of the YAML reader.
struct Reading {
  std::vector<std::string> uncalibrated;
  std::string section;

  static Reading &of(llvm::yaml::IO &io) { return *static_cast<Reading *>(io.getContext()); }
};

template <class T>
void mapValue(llvm::yaml::IO &io, const char *key, Sourced<T> &number, Sign sign = Sign::Positive) {
  io.mapRequired(key, number, sign);
  if (!number.calibrated())
    Reading::of(io).uncalibrated.push_back(Reading::of(io).section + key);
}

/// A section must be there unless its type is optional.
template <class T> void mapSection(llvm::yaml::IO &io, const char *key, T &section) {
  Reading::of(io).section = fmt::format("{}: ", key);
  if constexpr (requires { section.has_value(); })
    io.mapOptional(key, section);
  else
    io.mapRequired(key, section);
}

} // namespace stencilc

namespace llvm::yaml {

template <> struct ScalarTraits<stencilc::Exact> {
  static void output(const stencilc::Exact &exact, void *, raw_ostream &out) {
    const std::string rounded = fmt::format("{:g}", exact.number);
    double back = 0;
    const bool enough = to_float(rounded, back) && back == exact.number;
    out << (enough ? rounded : fmt::format("{}", exact.number));
  }
  static StringRef input(StringRef text, void *, stencilc::Exact &exact) {
    return to_float(text, exact.number) ? "" : "invalid number";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct ScalarTraits<stencilc::Quoted> {
  static void output(const stencilc::Quoted &quoted, void *, raw_ostream &out) {
    out << quoted.words;
  }
  static StringRef input(StringRef text, void *, stencilc::Quoted &quoted) {
    quoted.words = text.str();
    return "";
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::Double; }
};

template <class T> struct MappingTraits<stencilc::Sourced<T>> {
  static const bool flow = true;
};

template <class T> struct MappingContextTraits<stencilc::Sourced<T>, stencilc::Sign> {
  static void mapping(IO &io, stencilc::Sourced<T> &number, stencilc::Sign &) {
    if constexpr (std::is_same_v<T, double>) {
      stencilc::Exact exact{number.value};
      io.mapRequired("value", exact);
      number.value = exact.number;
    } else {
      io.mapRequired("value", number.value);
    }
    stencilc::Quoted source{number.source};
    io.mapRequired("source", source);
    number.source = source.words;
  }

  static std::string validate(IO &, stencilc::Sourced<T> &number, stencilc::Sign &sign) {
    if (StringRef(number.source).trim().empty())
      return "the source is empty";
    if constexpr (std::is_arithmetic_v<T>) {
      if (!std::isfinite(double(number.value)))
        return "the value must be finite";
      if (number.value < 0 && sign == stencilc::Sign::NonNegative)
        return "the value must not be below zero";
      if (number.value <= 0 && sign == stencilc::Sign::Positive)
        return "the value must be above zero";
    }
    return "";
  }
};

} // namespace llvm::yaml
