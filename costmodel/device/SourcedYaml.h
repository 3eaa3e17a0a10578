// SourcedYaml: how one value of a device profile, with its source, reads from YAML and prints:
// `{ value: 132, source: "..." }`. What a value cannot be is complained of where it stands.
#pragma once

#include "costmodel/device/ProfileMembers.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/YAMLTraits.h"

namespace stencilc {

/// A floating-point number that prints with as many digits as it needs to read back the same.
struct Exact {
  double number = 0;
};

/// Words that always print in quotes: LLVM leaves commas bare, which part entries between braces.
struct Quoted {
  std::string words;
};

/// Maps every member; a section must be there unless its type is optional.
template <class T> void mapMembers(llvm::yaml::IO &io, T &part) {
  forEachMember(part, [&](const char *key, auto &member, Range range = kAny) {
    if constexpr (requires { member.source; })
      io.mapRequired(key, member, range);
    else if constexpr (requires { member.has_value(); })
      io.mapOptional(key, member);
    else
      io.mapRequired(key, member);
  });
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

template <class T> struct MappingContextTraits<stencilc::Sourced<T>, stencilc::Range> {
  static void mapping(IO &io, stencilc::Sourced<T> &number, stencilc::Range &) {
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

  static std::string validate(IO &, stencilc::Sourced<T> &number, stencilc::Range &range) {
    if (StringRef(number.source).trim().empty())
      return "the source is empty";
    if constexpr (std::is_arithmetic_v<T>) {
      const double value = double(number.value);
      if (!(value >= range.least && value <= range.most)) // NaN is in no range
        return fmt::format("the value must be from {:g} to {:g}", range.least, range.most);
    }
    return "";
  }
};

} // namespace llvm::yaml
