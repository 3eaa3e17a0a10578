// The geometric model: the kernels that a constant of it was chosen on, and the schedules that were
// timed since.
#include "test/costmodel/GeometricSetting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace geometric {

namespace {

/// Of predicted speeds against measured ones.
struct Errors {
  double sum = 0, worst = 0;
  unsigned count = 0;

  double mean() const { return sum / count; }
  void add(const std::string &what, double measured, double predicted) {
    const double error = predicted / measured - 1;
    std::printf("  %s: %.0f measured, predicted %+.1f %%\n", what.c_str(), measured, 100 * error);
    sum += std::abs(error);
    worst = std::max(worst, std::abs(error));
    ++count;
  }
};

ScalarType typeNamed(llvm::StringRef name) {
  return name == "f32" ? ScalarType::F32 : ScalarType::F64;
}

std::unique_ptr<llvm::MemoryBuffer> contents(const char *file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    llvm::report_fatal_error(llvm::Twine("cannot read ") + file);
  return std::move(*buffer);
}

} // namespace

// Some of the constants were chosen on these at first, and then again on many other kernels.
TEST(Geometric, HandWrittenKernelsOnAnH200) {
  const auto buffer = contents(PLAIN_KERNELS);
  const DeviceProfile device = h200();
  Errors errors;
  llvm::SmallVector<llvm::StringRef, 16> lines;
  buffer->getBuffer().split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef, 4> columns;
    line.split(columns, ',');
    if (line.starts_with("#") || columns[0] == "type")
      continue;
    const std::string schedule = columns[1].str();
    const int64_t extent = std::stoll(columns[2].str());
    const ScalarType real = typeNamed(columns[0]);
    const Setting setting{
        .schedule = schedule.c_str(), .real = real, .extents = {extent, extent, extent}};
    const double speed = 2 * sizeInBytes(real) * points(setting) / predicted(setting, device).total;
    errors.add(line.str(), std::stod(columns[3].str()),
               100 * speed / device.geometric->dramBandwidth);
  }
  ASSERT_EQ(errors.count, 8u);
  EXPECT_LT(errors.mean(), 0.035);
  EXPECT_LT(errors.worst, 0.105);
}

// No constant was chosen on these. Blocks of one row load each row three times from the L2, which
// takes them longer than is forecast.
TEST(Geometric, EmittedKernelsOnAnH200) {
  const DeviceProfile device = h200();
  Errors errors, ofOneRow;
  const llvm::json::Value results =
      llvm::cantFail(llvm::json::parse(contents(TIMED_KERNELS)->getBuffer()));
  // Kernels did not wait for the one before yet, so that the promise (`plain`) made no difference.
  ASSERT_LT(*results.getAsObject()->getString("date"), "2026-11-25");
  for (const llvm::json::Value &entry : *results.getAsObject()->getArray("times")) {
    const llvm::json::Object &row = *entry.getAsObject();
    ASSERT_EQ(row.getString("stencil"), "su_7pt1");
    std::string schedule = row.getString("schedule")->str();
    if (const size_t plain = schedule.find("/plain"); plain != std::string::npos)
      schedule.erase(plain);
    const llvm::StringRef type = *row.getString("precision");
    const int64_t extent = *row.getInteger("extent");
    const Setting setting{
        .schedule = schedule.c_str(), .real = typeNamed(type), .extents = {extent, extent, extent}};
    Errors &own = llvm::StringRef(schedule).contains("/256x1x1") ? ofOneRow : errors;
    own.add(type.str() + " " + schedule, *row.getNumber("gstencil_per_s"),
            points(setting) / predicted(setting, device).total / 1e9);
  }
  ASSERT_GE(errors.count + ofOneRow.count, 42u);
  std::printf("  mean %.1f %%, worst %.1f and %.1f %%\n", 100 * errors.mean(), 100 * errors.worst,
              100 * ofOneRow.worst);
  EXPECT_LT(errors.mean(), 0.035);
  EXPECT_LT(errors.worst, 0.1);
  EXPECT_LT(ofOneRow.worst, 0.13);
}

} // namespace geometric
