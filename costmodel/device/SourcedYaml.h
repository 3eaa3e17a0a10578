// SourcedYaml: how one value with its source reads from YAML and prints: `{ value: 132, source:
// "..." }`; and how a whole file of them is read. What a value cannot be is complained of where it
// stands.
#pragma once

#include "costmodel/device/Sourced.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
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

/// The entry `source:`, of whatever is between the braces.
inline void mapSource(llvm::yaml::IO &io, std::string &source) {
  Quoted quoted{source};
  io.mapRequired("source", quoted);
  source = quoted.words;
}

/// What a value read cannot be; a type may have an overload of its own.
template <class T> std::string problemOf(T &read, const ValueRange &range) {
  if constexpr (std::is_arithmetic_v<T>) {
    const double value = double(read);
    if (!(value >= range.least && value <= range.most)) // NaN is in no range
      return fmt::format("the value must be from {:g} to {:g}", range.least, range.most);
  }
  return "";
}

/// Reads the only document of a file into `root`; `what` is the word for what it is.
template <class T> llvm::Error readYaml(llvm::MemoryBufferRef text, llvm::StringRef what, T &root);

// For it: complaints of nesting deeper than any such file has, since the YAML reader calls itself
// for each level; and the first complaint of that reader, whose context is a std::string.
llvm::Error checkDepth(llvm::MemoryBufferRef text, llvm::StringRef what);
void keepFirst(const llvm::SMDiagnostic &diagnostic, void *context);

template <class T> llvm::Error readYaml(llvm::MemoryBufferRef text, llvm::StringRef what, T &root) {
  if (llvm::Error error = checkDepth(text, what))
    return error;
  std::string complaint;
  llvm::yaml::Input input(text, /*Ctxt=*/nullptr, keepFirst, &complaint);
  input >> root;
  const std::string name = text.getBufferIdentifier().str();
  if (!input.error() && complaint.empty() && input.nextDocument())
    complaint = fmt::format("{}: a second document follows the {}", name, what.str());
  if (input.error() && complaint.empty())
    complaint = name + ": is empty";
  return complaint.empty() ? llvm::Error::success() : llvm::createStringError(complaint);
}

/// Everything with its source, as YAML that reads back the same.
template <class T> void printYaml(llvm::raw_ostream &out, const T &root) {
  llvm::yaml::Output output(out, /*Ctxt=*/nullptr, /*WrapColumn=*/0);
  T copy = root; // the traits read and write, so they ask for what can change
  output << copy;
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

template <class T> struct MappingContextTraits<stencilc::Sourced<T>, stencilc::ValueRange> {
  static void mapping(IO &io, stencilc::Sourced<T> &number, stencilc::ValueRange &) {
    if constexpr (std::is_same_v<T, double>) {
      stencilc::Exact exact{number.value};
      io.mapRequired("value", exact);
      number.value = exact.number;
    } else {
      io.mapRequired("value", number.value);
    }
    stencilc::mapSource(io, number.source);
  }

  static std::string validate(IO &, stencilc::Sourced<T> &number, stencilc::ValueRange &range) {
    if (StringRef(number.source).trim().empty())
      return "the source is empty";
    return problemOf(number.value, range);
  }
};

} // namespace llvm::yaml
