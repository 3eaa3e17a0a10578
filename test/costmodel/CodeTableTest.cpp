// Tables of compiled code: what a file says, and what it may not say.
#include "costmodel/device/CodeTable.h"
#include "costmodel/device/DeviceProfile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace code_table {
namespace {

std::string textOf(const char *path) {
  return cantFail(errorOrToExpected(MemoryBuffer::getFile(path)))->getBuffer().str();
}

std::string complaint(const std::string &yaml) {
  Expected<CodeTable> table = parseCodeTable({yaml, "toy.yaml"});
  return table ? "" : toString(table.takeError());
}

/// The table that ships, with its only `from` exchanged for `to`.
std::string edited(StringRef from, StringRef to) {
  std::string text = textOf(SM90_TABLE);
  const size_t place = text.find(from.str());
  EXPECT_NE(place, std::string::npos) << from.str();
  EXPECT_EQ(text.find(from.str(), place + 1), std::string::npos) << from.str();
  return text.replace(place, from.size(), to.str());
}

size_t lineOf(StringRef what) {
  const std::string text = textOf(SM90_TABLE);
  return StringRef(text).take_front(text.find(what.str())).count('\n') + 1;
}

} // namespace

TEST(CodeTable, ReadsEveryValueWithItsSource) {
  const CodeTable table = cantFail(parseCodeTable({textOf(SM90_TABLE), "toy.yaml"}));
  EXPECT_EQ(table.file, "toy.yaml");
  EXPECT_EQ(table.name, "sm90");
  EXPECT_EQ(table.computeCapability, 9.0);
  EXPECT_EQ(table[CodeMix::DivisionF64][Pipe::Fp64], 8);
  EXPECT_EQ(table[CodeMix::DivisionF64].all(), 16);
  EXPECT_EQ(table[mixOf(Builtin::Exp, ScalarType::F64)][Pipe::Integer], 24);
  EXPECT_EQ(table[mixOf(Builtin::Floor, ScalarType::F32)][Pipe::Special], 1);
  EXPECT_EQ(table[CodeNumber::AliveInLoop], 0.65);
  EXPECT_EQ(table[CodeNumber::PromisedInMarch], 36);
  const std::vector<SourcedValue> values = valuesOf(table);
  ASSERT_EQ(values.size(), kCodeMixes + kCodeNumbers);
  EXPECT_EQ(values[unsigned(mixOf(Builtin::Floor, ScalarType::F64))].key, "floor-f64");
  EXPECT_EQ(values[kCodeMixes + unsigned(CodeNumber::CarriedRow)].key, "carried-row");
  EXPECT_EQ(values[kCodeMixes + unsigned(CodeNumber::CarriedRow)].section, "registers");
  EXPECT_TRUE(values[unsigned(CodeMix::Periodic)].calibrated);
  EXPECT_FALSE(values[unsigned(CodeMix::Mirror)].calibrated);
}

TEST(CodeTable, EveryKeyIsNeeded) {
  const std::string text = textOf(SM90_TABLE);
  unsigned keys = 0;
  for (StringRef rest = text; !rest.empty(); rest = rest.drop_front(rest.find('\n') + 1)) {
    const StringRef line = rest.take_front(rest.find('\n') + 1);
    const StringRef key = line.trim().split(':').first;
    if (!line.contains("source: "))
      continue;
    const size_t place = line.data() - StringRef(text).data();
    const std::string said = complaint(std::string(text).erase(place, line.size()));
    // The only key of a section, without which that is empty.
    const bool isAlone = StringRef(text).take_front(place).ends_with(":\n") &&
                         !StringRef(text).drop_front(place + line.size()).starts_with("  ");
    EXPECT_TRUE(StringRef(said).contains(isAlone ? "not a mapping"
                                                 : "missing required key '" + key.str() + "'"))
        << key.str() << ": " << said;
    ++keys;
  }
  EXPECT_EQ(keys, 1 + kCodeMixes + kCodeNumbers);
}

TEST(CodeTable, RefusesWhatItDoesNotKnowAndWhatCannotBe) {
  const auto at = [](StringRef key, unsigned column) {
    return "toy.yaml:" + std::to_string(lineOf(key)) + ":" + std::to_string(column) + ": ";
  };
  EXPECT_EQ(complaint(edited("  role: {", "  rule: { source: x }\n  role: {")),
            at("  role: {", 3) + "unknown key 'rule'");
  EXPECT_EQ(complaint(edited("role: { integer: 1", "role: { int: 1")),
            at("  role: {", 11) + "unknown key 'int'");
  EXPECT_EQ(complaint(edited("role: { integer: 1", "role: { integer: one")),
            at("  role: {", 20) + "invalid number");
  for (StringRef number : {"-1", "1e5", "nan", "inf"})
    EXPECT_EQ(complaint(edited("role: { integer: 1", "role: { integer: " + number.str())),
              at("  role: {", 11) + "`integer` must be from 0 to 10000");
  EXPECT_EQ(complaint(edited("most-turns: { value: 4", "most-turns: { value: 1")),
            at("  most-turns: {", 17) + "the value must be from 2 to 64");
  EXPECT_EQ(complaint(edited("compute-capability: { value: 9, source: \"nvcc -arch=sm_90\" }",
                             "compute-capability: { value: 9, source: ' ' }")),
            at("compute-capability:", 23) + "the source is empty");
  EXPECT_EQ(complaint(textOf(SM90_TABLE) + "---\n" + textOf(SM90_TABLE)),
            "toy.yaml: a second document follows the table");
  EXPECT_EQ(complaint("name: toy\n" + std::string(100000, '[')),
            "toy.yaml:2: nests deeper than a table does");
  EXPECT_EQ(complaint(""), "toy.yaml: is empty");
}

TEST(CodeTable, AProfileNamesOneThatShipsOrAFile) {
  const std::string toy = textOf(TOY_GPU);
  const auto naming = [&](const std::string &table) {
    std::string text = toy;
    const size_t place = text.find("value: sm90");
    text.replace(place, StringRef("value: sm90").size(), "value: " + table);
    return parseDeviceProfile({text, "toy.yaml"});
  };
  EXPECT_EQ(cantFail(naming("SM90")).codeTable().name, "sm90");
  EXPECT_EQ(cantFail(naming(SM90_TABLE)).codeTable().file, SM90_TABLE);
  EXPECT_EQ(toString(naming("sm89").takeError()),
            "toy.yaml:8:15: there is no code table `sm89`; known are sm90, or give a FILE.yaml");
  EXPECT_EQ(toString(naming("no/such.yaml").takeError()),
            "toy.yaml:8:15: cannot read `no/such.yaml`: No such file or directory");
  EXPECT_TRUE(StringRef(toString(naming(TOY_GPU).takeError())).contains("toy-gpu.yaml"));
}

TEST(CodeTable, IsCalibratedForDevicesOfItsArchitecture) {
  unsigned of = 0;
  for (const ShippedFile &file : shippedFiles()) {
    if (!file.name.ends_with(".yaml"))
      continue;
    const DeviceProfile device = cantFail(parseDeviceProfile({file.text, file.name}));
    EXPECT_EQ(device.code.calibrated(),
              device.computeCapability == device.codeTable().computeCapability)
        << file.name.str();
    of += device.code.calibrated();
  }
  EXPECT_EQ(of, 2u); // h100, h200
}

} // namespace code_table
