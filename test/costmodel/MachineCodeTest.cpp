// How often warps wait for loads, read from machine code that is made by hand here. Code of nvcc is
// read by machine_code.test.
#include "costmodel/compiled/MachineCode.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

constexpr uint64_t kAlways = 7 << 12, kNoBarrier = uint64_t(7) << 46;

/// A kernel's instructions, 16 bytes each, low half first.
struct Text {
  bool hasWideOffsets = true; ///< as from compute capability 9.0 on
  std::vector<uint64_t> halves = {};

  size_t size() const { return halves.size() / 2; }
  void add(uint64_t low, uint64_t high) { halves.insert(halves.end(), {low, high}); }
  void load(unsigned barrier) { add(0x981 | kAlways, uint64_t(barrier) << 46); }
  void await(unsigned barrier) { add(0x221 | kAlways, kNoBarrier | uint64_t(1) << (52 + barrier)); }
  void store() { add(0x986 | kAlways, kNoBarrier); }
  void call() { add(0x944 | kAlways, kNoBarrier); }
  void exit(uint64_t predicate = kAlways) { add(0x94d | predicate, kNoBarrier); }
  void branch(size_t to) {
    const int64_t words = 4 * (int64_t(to) - int64_t(size()) - 1), offset = 4 * words;
    if (hasWideOffsets) {
      const uint64_t field = uint64_t(words) >> 8;
      add(0x947 | kAlways | (words & 0xff) << 16 | field << 34,
          kNoBarrier | (field >> 30 & 0x3ffff));
    } else {
      add(0x947 | kAlways | uint64_t(offset) << 32,
          kNoBarrier | (uint64_t(offset) >> 32 & 0x3ffff));
    }
  }
  /// What follows the last subroutine.
  Text &end() {
    branch(size());
    return *this;
  }
};

std::string cubinOf(const Text &text) {
  const std::string names("\0.text.kernel\0", 14);
  const uint64_t bytes = text.halves.size() * sizeof(uint64_t);
  llvm::ELF::Elf64_Shdr none = {}, code = {}, strings = {};
  code.sh_name = 1;
  code.sh_offset = sizeof(llvm::ELF::Elf64_Ehdr);
  code.sh_size = bytes;
  strings.sh_offset = code.sh_offset + bytes;
  strings.sh_size = names.size();
  llvm::ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_shoff = strings.sh_offset + names.size();
  header.e_shentsize = sizeof(llvm::ELF::Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  std::string cubin;
  const auto append = [&](const void *data, size_t size) {
    cubin.append(static_cast<const char *>(data), size);
  };
  append(&header, sizeof(header));
  append(text.halves.data(), bytes);
  cubin += names;
  for (const llvm::ELF::Elf64_Shdr *section : {&none, &code, &strings})
    append(section, sizeof(*section));
  return cubin;
}

LoadWaits waitsOf(const Text &text) {
  const std::map<std::string, LoadWaits> found = readLoadWaits(cubinOf(text));
  EXPECT_EQ(found.count("kernel"), 1u);
  return found.empty() ? LoadWaits{-1, -1} : found.begin()->second;
}

TEST(MachineCode, WaitsOnceForLoadsThatAreIssuedTogether) {
  Text text;
  text.load(0);
  text.load(1);
  text.load(0);
  text.await(0);
  text.await(1);
  text.store();
  text.exit();
  EXPECT_EQ(waitsOf(text.end()).phases, 1);
  EXPECT_EQ(waitsOf(text).stores, 0); // in no loop
}

TEST(MachineCode, WaitsAgainForWhatIsLoadedAfterAWait) {
  Text text;
  text.load(0);
  text.await(0);
  text.load(1);
  text.await(0); // of long ago
  text.await(1);
  text.exit();
  EXPECT_EQ(waitsOf(text.end()).phases, 2);
}

TEST(MachineCode, EndsWithTheExitOfAllThreads) {
  Text text;
  text.exit(/*predicate=*/0);
  text.load(0);
  text.await(0);
  text.exit();
  text.load(1); // a subroutine
  text.await(1);
  EXPECT_EQ(waitsOf(text.end()).phases, 1);
}

TEST(MachineCode, TakesThePassOfTheLoopThatStores) {
  for (bool wide : {false, true}) {
    Text text{wide};
    text.load(0);
    text.await(0);
    const size_t begin = text.size();
    for (unsigned turn = 0; turn < 2; ++turn) {
      text.load(turn);
      text.await(turn);
      text.store();
    }
    text.branch(begin);
    text.exit();
    const LoadWaits waits = waitsOf(text.end());
    EXPECT_EQ(waits.phases, 2) << wide;
    EXPECT_EQ(waits.stores, 2) << wide;
  }
}

/// What one pass loads for the next is under way while that waits for its own.
TEST(MachineCode, CarriesLoadsFromPassToPass) {
  Text text;
  const size_t begin = text.size();
  text.load(0);
  text.await(1);
  text.await(0);
  text.store();
  text.load(1);
  text.branch(begin);
  text.exit();
  EXPECT_EQ(waitsOf(text.end()).phases, 1);
}

TEST(MachineCode, LeapsWhatCallsForRareOperands) {
  for (size_t leapt : {4, 60}) {
    Text text;
    text.branch(text.size() + 1 + leapt);
    text.load(0);
    text.await(0);
    text.call();
    while (text.size() < 1 + leapt)
      text.await(5);
    text.load(1);
    text.await(1);
    text.exit();
    EXPECT_EQ(waitsOf(text.end()).phases, leapt < 40 ? 1 : 2);
  }
}

TEST(MachineCode, SaysNothingOfWhatItDoesNotUnderstand) {
  EXPECT_TRUE(readLoadWaits("").empty());
  EXPECT_TRUE(readLoadWaits("/tmp/kernel.so").empty());
  Text text;
  text.load(0);
  text.exit();
  EXPECT_TRUE(readLoadWaits(cubinOf(text)).empty()); // no branch to itself
  text.branch(0);
  EXPECT_TRUE(readLoadWaits(cubinOf(text)).empty());
  const std::string whole = cubinOf(Text(text).end());
  ASSERT_EQ(readLoadWaits(whole).size(), 1u);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(readLoadWaits(llvm::StringRef(whole).take_front(size)).empty()) << size;
}

} // namespace
