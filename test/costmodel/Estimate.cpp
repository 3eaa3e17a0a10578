// stencilc-estimate FILE.stn f32|f64 SCHEDULE...: what the cost model expects of compiled code.
//
// A line for each kernel that a step launches where rows are aligned and whole: kernel, schedule,
// threads, residency, registers wanted and needed, stores in the text, instructions by pipe of all
// statements outside loops, and by pipe of one turn of the loop, all 0 without one. For compiled.py
// and registers.py.
#include "codegen/lower/Lower.h"
#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/PatchWords.h"
#include "costmodel/compiled/Residency.h"
#include "costmodel/compiled/Stores.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "frontend/language/Frontend.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace stencilc;

/// `times`: a loop around it is unrolled.
static void addBody(const Body &body, const InstructionEstimate &estimate, InstructionMix &outside,
                    InstructionMix &turn, double times) {
  for (const Statement &statement : body) {
    outside.add(estimate.once(statement), times);
    if (const auto *branch = std::get_if<If>(&statement.node)) {
      addBody(branch->then, estimate, outside, turn, times);
      addBody(branch->otherwise, estimate, outside, turn, times);
    }
    if (const auto *loop = std::get_if<For>(&statement.node)) {
      turn.add(estimate.turn(statement), times);
      const bool isUnrolled = loop->kind == LoopKind::Unroll;
      addBody(loop->body, estimate, isUnrolled ? outside : turn, turn,
              isUnrolled ? times * unrolledTripCount(*loop) : times);
    }
  }
}

static void print(const Schedule &schedule, const Kernel &kernel) {
  const InstructionEstimate estimate(kernel, usualCodeTable());
  const RegisterEstimate registers = estimateRegisters(kernel, usualCodeTable());
  InstructionMix outside = estimate.entry(), turn;
  addBody(kernel.body, estimate, outside, turn, 1);
  llvm::outs() << kernel.name << ',' << toString(schedule) << ',' << kernel.threads() << ','
               << schedule.residency << ',' << registers.wanted << ',' << registers.needed << ','
               << storesInText(kernel.body);
  for (const InstructionMix &mix : {outside, turn})
    for (double count : mix.count)
      llvm::outs() << llvm::format(",%.3f", count);
  llvm::outs() << '\n';
}

/// What a pass of the most steps launches where rows are aligned and whole, and frames are copied.
static std::vector<const Launch *> launchesOf(const Plan &plan) {
  const Pass &most = *llvm::max_element(
      plan.passes, [](const Pass &one, const Pass &other) { return one.steps < other.steps; });
  return launchesWhere(most.actions, [](const Condition &condition) {
    return std::holds_alternative<Aligned>(condition) ||
           std::holds_alternative<WholePieces>(condition) ||
           std::holds_alternative<ShortAddresses>(condition);
  });
}

int main(int argc, char **argv) {
  if (argc < 4) {
    llvm::errs() << "usage: " << argv[0] << " FILE.stn f32|f64 SCHEDULE...\n";
    return 2;
  }
  auto buffer = llvm::MemoryBuffer::getFile(argv[1]);
  if (!buffer) {
    llvm::errs() << argv[1] << ": " << buffer.getError().message() << '\n';
    return 1;
  }
  const bool isSingle = llvm::StringRef(argv[2]) == "f32";
  DiagnosticEngine diagnostics(std::move(*buffer), llvm::errs());
  std::optional<Stencil> stencil =
      analyse(diagnostics, {isSingle ? ScalarType::F32 : ScalarType::F64, {}});
  if (!stencil)
    return 1;
  llvm::ExitOnError check("stencilc-estimate: ");
  for (const char *text : llvm::ArrayRef(argv + 3, argc - 3)) {
    Schedule schedule = check(parseSchedule(text, stencil->rank()));
    if (schedule.residency == 0)
      schedule.residency = usualResidency(*stencil, schedule, usualCodeTable());
    VerifiedProgram program = check(lower(*stencil, schedule));
    for (const Launch *launch : launchesOf(program->plan))
      print(schedule, program->kernels[launch->kernel]);
  }
}
