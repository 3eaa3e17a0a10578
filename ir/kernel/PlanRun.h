// PlanRun: follows the plan of a Program, as ir/kernel/Plan.h says. Whoever performs the launches
// is told of each in its turn, and may ask what a buffer's name stands for then.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

class PlanRun {
public:
  virtual ~PlanRun() = default;

  /// All of a run on a grid; stops at the first error. Of no steps if an extent is 0.
  llvm::Error run(llvm::ArrayRef<int64_t> grid, int64_t steps);

  /// The number of the memory that a buffer's name stands for now. At first each buffer has its own
  /// number.
  unsigned memoryOf(unsigned buffer) const { return standsFor[buffer]; }

protected:
  explicit PlanRun(const Program &program);

  virtual llvm::Error perform(const Launch &launch) = 0;
  virtual bool isAligned(unsigned buffer, const Aligned &aligned) const = 0;
  virtual llvm::Error beginPass(const Pass &) { return llvm::Error::success(); }
  virtual llvm::Error endPass(const Pass &) { return llvm::Error::success(); }
  virtual llvm::Error endRun() { return llvm::Error::success(); }
  virtual bool wantsResults() const { return true; }
  virtual bool hasPoints() const { return true; }

  const Program &program;

private:
  llvm::Error follow(const Pass &pass);
  llvm::Error follow(const Actions &actions);
  void follow(const Rename &rename);
  bool holds(const Condition &condition) const;

  std::vector<unsigned> standsFor; ///< per buffer
  std::vector<int64_t> extents;    ///< of the run under way
  int64_t passesMade = 0;
};

} // namespace stencilc
