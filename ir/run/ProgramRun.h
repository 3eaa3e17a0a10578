// ProgramRun: performs the launches of a Program step by step on the CPU, as ir/kernel/Program.h
// says.
#pragma once

#include "ir/run/BlockExecutor.h"
#include "ir/run/KernelInterpreter.h"

namespace stencilc {

class ProgramRun {
public:
  /// Makes the Target buffers and evaluates the uniforms. `observer` may be null; the others are
  /// only referred to. The extents of `state` are at least the program's minimum and not 0.
  ProgramRun(const Program &program, State &state, const InterpretOptions &options,
             AccessObserver *observer = nullptr);

  /// One step: the launches, then the rotation of the buffers. After an error the state is
  /// undefined.
  llvm::Error step(bool isFirst);

  /// The grid that stands behind a buffer now.
  Grid &grid(const BufferRef &buffer);

private:
  /// Integers of one launch, per axis.
  struct Shape {
    std::array<int64_t, kMaxRank> first, end;
    std::array<int64_t, kMaxRank> blocks; ///< per axis; 0: nothing to launch
  };

  double evaluateUniform(const Value &value) const;
  int64_t evaluateExtents(const Index &index) const;
  Shape shapeOf(const Launch &launch);
  /// How far `first` of the contiguous axis moves down to start a memory line.
  int64_t alignment(const Launch &launch, const Shape &shape);
  BlockExecutor::Arguments argumentsOf(const Launch &launch, const Shape &shape);
  llvm::Error launchDevice(const Launch &launch);
  llvm::Error launchSlab(const Launch &launch, const Shape &slab);
  llvm::Error launchHost(const Launch &launch);
  void rotate();

  const Program &program;
  State &state;
  InterpretOptions options;
  AccessObserver *observer;
  std::vector<Grid> targets; ///< per array: its Target buffer; empty where it has none
  std::vector<double> uniforms;
};

} // namespace stencilc
