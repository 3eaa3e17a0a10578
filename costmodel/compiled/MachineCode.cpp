#include "costmodel/compiled/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <cstring>
#include <optional>
#include <vector>

using namespace llvm;
using namespace stencilc;

namespace {

/// The lowest nine bits of an instruction; those above say of what kinds its operands are.
enum Opcode : unsigned {
  CallAbsolute = 0x143,
  CallRelative = 0x144,
  Branch = 0x147,
  Exit = 0x14d,
  LoadGlobal = 0x181,
  StoreGlobal = 0x186,
};

constexpr unsigned kBarriers = 6;

struct Instruction {
  uint64_t low, high;

  unsigned opcode() const { return low & 0x1ff; }
  bool isPredicated() const { return (low >> 12 & 0xf) != 7; }
  /// That it marks until it has ended; kBarriers and above: none.
  unsigned barrier() const { return high >> 46 & 7; }
  bool waitsFor(unsigned barrier) const { return high >> (52 + barrier) & 1; }
};

/// From one instruction to another, by their numbers.
struct Jump {
  size_t from, to;
};

class Code {
public:
  explicit Code(std::vector<Instruction> text);
  bool isUnderstood() const { return understood; }
  LoadWaits waits() const;

private:
  using Range = std::pair<size_t, size_t>; ///< with the last one
  std::optional<size_t> target(size_t at) const;
  int storesIn(Range range) const;
  bool isRare(const Jump &leap) const;
  double phasesIn(Range range, bool isLoop) const;

  std::vector<Instruction> text;
  bool hasWideOffsets = true; ///< of branches, as from compute capability 9.0 on
  bool understood = false;
  std::vector<Jump> loops;
  std::vector<bool> leapt; ///< by instruction: it runs for rare operands only
};

/// A branch to itself follows the last subroutine, and tells which of both ways branches have.
Code::Code(std::vector<Instruction> code) : text(std::move(code)), leapt(text.size()) {
  size_t last = text.size();
  while (last-- > 0 && text[last].opcode() != Branch)
    ;
  if (last >= text.size()) // no branch
    return;
  if (target(last) != last)
    hasWideOffsets = false;
  understood = target(last) == last;
  for (size_t at = 0; at < last && understood; ++at)
    if (text[at].opcode() == Branch)
      if (const std::optional<size_t> to = target(at)) {
        const Jump jump = {at, *to};
        if (*to < at)
          loops.push_back(jump);
        else if (isRare(jump))
          std::fill(leapt.begin() + at + 1, leapt.begin() + *to, true);
      }
}

std::optional<size_t> Code::target(size_t at) const {
  const Instruction &branch = text[at];
  const uint64_t above = branch.high & 0x3ffff;
  const int64_t bytes =
      hasWideOffsets
          ? 4 * (SignExtend64<48>(above << 30 | branch.low >> 34) * 256 + (branch.low >> 16 & 0xff))
          : SignExtend64<50>(above << 32 | branch.low >> 32);
  const int64_t to = int64_t(at) + 1 + bytes / int64_t(sizeof(Instruction));
  return to >= 0 && to < int64_t(text.size()) ? std::optional<size_t>(to) : std::nullopt;
}

int Code::storesIn(Range range) const {
  return count_if(ArrayRef(text).slice(range.first, range.second - range.first + 1),
                  [](const Instruction &one) { return one.opcode() == StoreGlobal; });
}

/// A few instructions with a call among them are leapt unless an operand is out of the ordinary.
bool Code::isRare(const Jump &leap) const {
  constexpr size_t few = 40;
  return leap.to - leap.from < few && any_of(
                                          ArrayRef(text).slice(leap.from, leap.to - leap.from),
                                          [](const Instruction &one) {
                                            return one.opcode() == CallAbsolute ||
                                                   one.opcode() == CallRelative;
                                          });
}

double Code::phasesIn(Range range, bool isLoop) const {
  constexpr int toSettle = 4, passes = 4;
  double now = 0, begin = 0;
  std::array<double, kBarriers> due = {};
  for (int pass = 0; pass < (isLoop ? toSettle + passes : 1); ++pass) {
    if (pass == toSettle)
      begin = now;
    for (size_t at = range.first; at <= range.second; ++at) {
      if (leapt[at])
        continue;
      const Instruction &one = text[at];
      for (unsigned barrier = 0; barrier < kBarriers; ++barrier)
        if (one.waitsFor(barrier))
          now = std::max(now, due[barrier]);
      if (one.opcode() == LoadGlobal && one.barrier() < kBarriers)
        due[one.barrier()] = now + 1;
    }
  }
  return isLoop ? (now - begin) / passes : now;
}

LoadWaits Code::waits() const {
  Range most = {};
  LoadWaits found;
  for (const Jump &loop : loops)
    if (const int stores = storesIn({loop.to, loop.from}); stores > found.stores) {
      found.stores = stores;
      most = {loop.to, loop.from};
    }
  if (found.stores == 0) {
    // Subroutines, and padding, follow the exit that all threads take.
    const auto end = find_if(
        text, [](const Instruction &one) { return one.opcode() == Exit && !one.isPredicated(); });
    most = {0, std::min<size_t>(end - text.begin(), text.size() - 1)};
  }
  found.phases = phasesIn(most, found.stores > 0);
  return found;
}

/// Whether it lies within the bytes; copied because they may lie anywhere.
template <typename T> bool read(StringRef bytes, uint64_t at, T *into, size_t count = 1) {
  if (at > bytes.size() || count > (bytes.size() - at) / sizeof(T))
    return false;
  std::memcpy(into, bytes.data() + at, count * sizeof(T));
  return true;
}

} // namespace

std::map<std::string, LoadWaits> stencilc::readLoadWaits(StringRef cubin) {
  ELF::Elf64_Ehdr header;
  if (!read(cubin, 0, &header) || !header.checkMagic() ||
      header.getFileClass() != ELF::ELFCLASS64 || header.e_shentsize != sizeof(ELF::Elf64_Shdr))
    return {};
  std::vector<ELF::Elf64_Shdr> sections(header.e_shnum);
  if (!read(cubin, header.e_shoff, sections.data(), sections.size()) ||
      header.e_shstrndx >= sections.size())
    return {};
  const auto &ofNames = sections[header.e_shstrndx];
  const StringRef names = cubin.substr(ofNames.sh_offset, ofNames.sh_size);

  std::map<std::string, LoadWaits> found;
  for (const ELF::Elf64_Shdr &section : sections) {
    StringRef name = names.substr(section.sh_name).take_until([](char c) { return c == '\0'; });
    std::vector<Instruction> text(section.sh_size / sizeof(Instruction));
    if (!name.consume_front(".text.") || text.empty() ||
        !read(cubin, section.sh_offset, text.data(), text.size()))
      continue;
    if (const Code code(std::move(text)); code.isUnderstood())
      found[name.str()] = code.waits();
  }
  return found;
}
