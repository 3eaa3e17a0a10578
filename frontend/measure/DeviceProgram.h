// DeviceProgram: a Program compiled for the GPU that is there, and its launches made.
#pragma once

#include "frontend/measure/LaunchRecorder.h"
#include "runtime/session/Session.h"

namespace stencilc {

/// A fault of a session as an error.
inline llvm::Error errorOf(const session::Fault &fault) {
  return llvm::createStringError(fault.message);
}

/// The emitted text of a Program, without a banner: the same for the same kernels and launches.
std::string sourceOf(const VerifiedProgram &program, FloatMode mode);
std::vector<std::string> kernelNames(const Program &program);

class DeviceProgram {
public:
  /// `options` are NVRTC's. `program` outlives this.
  static llvm::Expected<DeviceProgram> compile(const VerifiedProgram &program, FloatMode mode,
                                               const session::Session &session,
                                               const session::Nvrtc &nvrtc,
                                               const std::vector<std::string> &options = {});

  /// Starts launches in their order, and waits for none.
  llvm::Error start(llvm::ArrayRef<RecordedLaunch> launches) const;

private:
  DeviceProgram(const VerifiedProgram &program, const session::Session &session,
                session::Module module)
      : program(&program), session(session), module(std::move(module)) {}

  const VerifiedProgram *program;
  session::Session session;
  session::Module module;
};

} // namespace stencilc
