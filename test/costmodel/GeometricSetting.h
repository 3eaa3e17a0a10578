// Forecasts by the geometric model of examples, for its tests.
#pragma once

#include "costmodel/model/Prediction.h"
#include "test/Examples.h"
#include "test/costmodel/LoweredAsUsual.h"

namespace geometric {

using namespace stencilc;

struct Setting {
  const char *example = "7pt1.stn", *schedule;
  ScalarType real = ScalarType::F64;
  std::vector<int64_t> extents = {512, 512, 512};
  std::optional<int> registers = {};
};

inline Prediction predicted(const Setting &setting, const DeviceProfile &device) {
  const Stencil stencil = example(setting.example, setting.real);
  const VerifiedProgram program = loweredAsUsual(stencil, setting.schedule);
  return llvm::cantFail(predict(llvm::cantFail(countProgram(program, setting.extents)), device,
                                {Model::Geometric, setting.registers}));
}

inline DeviceProfile h200() { return llvm::cantFail(loadDeviceProfile("h200")); }

/// The same device with another value in its code table.
inline DeviceProfile with(CodeNumber number, double value, DeviceProfile device = h200()) {
  CodeTable table = device.codeTable();
  table.numbers[unsigned(number)].value = value;
  device.code.value.table = std::make_shared<const CodeTable>(table);
  return device;
}

inline double points(const Setting &setting) {
  double product = 1;
  for (int64_t extent : setting.extents)
    product *= extent;
  return product;
}

} // namespace geometric
