#include "frontend/measure/DeviceProgram.h"

#include "codegen/print/TileDeclarations.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace stencilc {

std::string sourceOf(const VerifiedProgram &program, FloatMode mode) {
  std::string text;
  raw_string_ostream out(text);
  printSource(out, program, {}, program->signature.name + ".h", mode);
  return text;
}

std::vector<std::string> kernelNames(const Program &program) {
  std::vector<std::string> names;
  for (const Kernel &kernel : program.kernels)
    names.push_back(kernel.name);
  return names;
}

Expected<DeviceProgram> DeviceProgram::compile(const VerifiedProgram &program, FloatMode mode,
                                               const session::Session &session,
                                               const session::Nvrtc &nvrtc,
                                               const std::vector<std::string> &options) {
  const auto cubin = nvrtc.compile(sourceOf(program, mode), program->signature.name + ".cu",
                                   session.facts().architecture(), kernelNames(*program), options);
  if (!cubin)
    return errorOf(cubin.fault());
  auto module = session.load(*cubin);
  if (!module)
    return errorOf(module.fault());
  return DeviceProgram(program, session, std::move(*module));
}

Error DeviceProgram::start(ArrayRef<RecordedLaunch> launches) const {
  for (const RecordedLaunch &recorded : launches) {
    const Kernel &kernel = (*program)->kernels[recorded.kernel];
    session::Launch launch;
    launch.kernel = &module.kernels()[recorded.kernel];
    launch.grid = recorded.blocks;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      launch.block[dimension] = kernel.block[dimension];
    launch.dynamicSharedBytes = dynamicSharedBytes(kernel);
    for (const uint64_t &word : recorded.arguments)
      launch.arguments.push_back(&word);
    if (auto fault = session.launch(launch))
      return errorOf(*fault);
  }
  return Error::success();
}

} // namespace stencilc
