// MemoryAudit: what the threads of a run do to the memory behind a Program's buffers, element by
// element, and the first thing wrong with it (ir/verify/KernelAudit.h lists what may be).
//
// Blocks of a launch have no order, nor have their threads, whatever barriers they pass: two
// threads of one launch that touch an element, one of them writing, are at fault.
#pragma once

#include "ir/kernel/PlanRun.h"
#include "ir/walk/WalkLaunch.h"
#include "ir/walk/WalkRequest.h"

namespace stencilc {

/// How the rows of all buffers lie.
struct AuditRows {
  int64_t origin = 0;   ///< elements by which point 0 follows a 128-byte line
  int64_t multiple = 1; ///< to which rows are filled up
};

class MemoryAudit {
public:
  /// `names` follows the plan and must outlive this.
  MemoryAudit(const Program &program, const RunNumbers &numbers, const AuditRows &rows,
              const PlanRun &names);

  /// Per buffer of the program.
  llvm::ArrayRef<ArrayLayout> layouts() const { return places; }

  void beginPass() { ++pass; }
  void endPass(const Pass &made);
  /// `takesResults`: the caller asked for the numbers of reductions.
  void endRun(bool takesResults);
  void beginLaunch(const Launch &launch);
  /// Per Kernel::arrays of the launch: loads of it can be nothing but right.
  std::vector<bool> safeToLoad() const;
  /// The lanes of a request belong to threads `thread`, `thread` + 1, ... of the launch, lane 0
  /// being the first.
  void take(const WarpRequest &request, int thread);

  std::string fault; ///< the first: "writes u_next[3, 0] a second time"

private:
  static constexpr unsigned kNever = ~0u;
  static constexpr int kSeveral = -1;
  /// What happened to one element.
  struct Element {
    unsigned pass = 0;        ///< the last one that stored to it
    unsigned launch = kNever; ///< likewise; 0: the caller
    unsigned readingLaunch = 0;
    int reader = kSeveral; ///< its thread in that launch
  };
  struct Memory {
    std::vector<Element> elements;
    size_t undefined = 0;  ///< elements that nothing has stored to
    bool isNewest = false; ///< it began as the newest level of a field
  };

  bool isConst(unsigned buffer) const;
  std::vector<unsigned> fieldBuffers() const;
  const Memory &memoryOf(unsigned buffer) const { return memories[names.memoryOf(buffer)]; }
  /// The number of an element, the first ghost point being 0.
  int64_t elementAt(unsigned buffer, llvm::ArrayRef<int64_t> point) const;
  /// "u_next[3, 0]", with indices that count from point 0.
  std::string name(unsigned buffer, int64_t element) const;
  /// False once `visit(element)` is, for the elements of a box of points, in order.
  template <class Visit>
  bool forEachElement(unsigned buffer, llvm::ArrayRef<int64_t> begin, llvm::ArrayRef<int64_t> end,
                      Visit visit) const;
  template <class Visit> bool forEachElement(unsigned buffer, Visit visit) const;
  void checkOwed(const Owed &owed);
  void load(Memory &memory, unsigned buffer, int64_t number, int thread);
  void store(Memory &memory, unsigned buffer, int64_t number, int thread);
  void report(std::string seen);

  const Program &program;
  const RunNumbers numbers; ///< of the run's first pass
  const PlanRun &names;
  std::vector<ArrayLayout> places; ///< per buffer
  std::vector<Memory> memories;    ///< one per buffer of the program; const arrays have none
  std::vector<unsigned> newest;    ///< memories that fieldBuffers() stand for after a pass
  const Launch *launch = nullptr;
  unsigned pass = 1, launches = 0;
};

} // namespace stencilc
