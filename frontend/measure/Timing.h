// Timing: how long the steps of a Program take on a device.
#pragma once

#include "frontend/measure/DeviceProgram.h"

namespace stencilc {

/// The arrays that all Programs of a stencil are timed on, and room for their workspaces.
class TimingArrays {
public:
  static llvm::Expected<TimingArrays> allocate(const session::Session &session, size_t callerBytes,
                                               size_t workspaceBytes);

  /// The addresses of a Program's buffers.
  std::vector<uint64_t> addressesOf(const Program &program, const DeviceGrid &grid) const;
  /// Random numbers from 0.5 to 1.5 in all of the caller's.
  llvm::Error fill(const Program &program, const DeviceGrid &grid) const;

private:
  TimingArrays(const session::Session &session, session::Buffer callers, session::Buffer workspace)
      : session(session), callers(std::move(callers)), workspace(std::move(workspace)) {}
  template <class T> llvm::Error fill(uint64_t address, size_t bytes) const;

  session::Session session;
  session::Buffer callers, workspace;
};

/// The steps of a long run of a Program, to be made over and over.
class TimedSteps {
public:
  /// How many steps the run has that is looked at.
  static int64_t stepsOf(const Program &program, llvm::ArrayRef<int64_t> extents);

  static llvm::Expected<TimedSteps> prepare(const VerifiedProgram &program, DeviceProgram compiled,
                                            const session::Session &session, const DeviceGrid &grid,
                                            llvm::ArrayRef<uint64_t> addresses, int64_t firstStep);

  /// Makes what a run starts with, then steps for as long as clocks take to rise.
  llvm::Error warmUp();
  /// Seconds of a step, of one span.
  llvm::Expected<double> time();

private:
  TimedSteps(DeviceProgram compiled, const session::Session &session, session::Event begin,
             session::Event end)
      : compiled(std::move(compiled)), session(session), begin(begin), end(end) {}
  llvm::Expected<double> span(int64_t rounds);

  DeviceProgram compiled;
  session::Session session;
  session::Event begin, end;
  std::vector<RecordedLaunch> start, steady;
  int64_t steadySteps = 0;
  int64_t rounds = 1; ///< of `steady` in a span
};

} // namespace stencilc
