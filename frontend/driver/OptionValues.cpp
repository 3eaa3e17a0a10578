#include "frontend/driver/OptionValues.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace stencilc {

Error unknownWord(StringRef option, StringRef value, StringRef words) {
  return usage("`{}{}` is not known; it takes {}", option.str(), value.str(), words.str());
}

Expected<int64_t> parseCount(StringRef what, StringRef text, int64_t least) {
  int64_t value;
  if (text.getAsInteger(10, value) || value < least)
    return usage("{} is `{}`; it takes a whole number from {} on", what.str(), text.str(), least);
  return value;
}

Expected<int> parseSmallCount(StringRef what, StringRef text) {
  Expected<int64_t> value = parseCount(what, text, 1);
  if (value && *value > 65535)
    return usage("{} is `{}`; it takes at most 65535", what.str(), text.str());
  if (!value)
    return value.takeError();
  return static_cast<int>(*value);
}

Expected<std::pair<std::string, std::string>> parsePair(StringRef option, StringRef text,
                                                        StringRef form) {
  const auto [name, value] = text.split('=');
  if (name.empty() || value.empty())
    return usage("{} has `{}`; it takes {}", option.str(), text.str(), form.str());
  return std::pair(name.str(), value.str());
}

static Expected<std::vector<int64_t>> parseSizeRange(StringRef text) {
  constexpr int64_t kMostRows = 10000;
  SmallVector<StringRef, 3> words;
  text.split(words, ':');
  SmallVector<int64_t, 3> numbers;
  for (StringRef word : words) {
    Expected<int64_t> number = parseCount("a number in --sweep=size", word, 1);
    if (!number)
      return number.takeError();
    numbers.push_back(*number);
  }
  if (numbers.size() != 3 || numbers[1] < numbers[0] ||
      (numbers[1] - numbers[0]) / numbers[2] >= kMostRows)
    return usage("--sweep=size has `{}`; it takes from:to:step, rising, as in 64:512:16, and at "
                 "most {} sizes",
                 text.str(), kMostRows);
  std::vector<int64_t> sizes;
  for (int64_t row = 0; row <= (numbers[1] - numbers[0]) / numbers[2]; ++row)
    sizes.push_back(numbers[0] + row * numbers[2]);
  return sizes;
}

Expected<SweepOptions> parseSweep(StringRef text) {
  SweepOptions sweep;
  for (StringRef word : split(text, ',')) {
    const auto [name, range] = word.split(':');
    const auto part = StringSwitch<std::optional<SweepPart>>(name)
                          .Case("variant", SweepPart::Variant)
                          .Case("block", SweepPart::Block)
                          .Case("chunk", SweepPart::Chunk)
                          .Case("size", SweepPart::Size)
                          .Case("gpu", SweepPart::Gpu)
                          .Default(std::nullopt);
    if (!part || (!range.empty() && part != SweepPart::Size))
      return unknownWord("--sweep=", word,
                         "variant, block, chunk, gpu, size or size:from:to:step, with commas");
    sweep.parts.push_back(*part);
    if (range.empty())
      continue;
    Expected<std::vector<int64_t>> sizes = parseSizeRange(range);
    if (!sizes)
      return sizes.takeError();
    sweep.sizes.insert(sweep.sizes.end(), sizes->begin(), sizes->end());
  }
  return sweep;
}

} // namespace stencilc
