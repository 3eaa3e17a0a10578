#include "codegen/lower/NextInWorkspace.h"

#include "codegen/lower/FrameCopy.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

/// Gives the buffers that a plan names other numbers.
class Renumbering {
public:
  explicit Renumbering(std::vector<unsigned> numbers) : numbers(std::move(numbers)) {}

  void apply(Plan &plan) const {
    apply(plan.prologue);
    for (Pass &pass : plan.passes) {
      apply(pass.actions);
      for (Owed &owed : pass.owed)
        change(owed.buffer);
    }
    apply(plan.epilogue);
  }

private:
  void change(unsigned &buffer) const { buffer = numbers[buffer]; }

  void apply(Actions &actions) const {
    for (Action &action : actions)
      std::visit([&](auto &node) { apply(node); }, action.node);
  }
  void apply(Launch &launch) const {
    for (unsigned &buffer : launch.buffers)
      change(buffer);
    for (IntegerBinding &binding : launch.integers)
      if (auto *elements = std::get_if<ElementsOf>(&binding))
        change(elements->buffer);
  }
  void apply(Rename &rename) const {
    for (auto &[first, second] : rename.pairs) {
      change(first);
      change(second);
    }
  }
  void apply(When &when) const {
    std::visit([&](auto &condition) { apply(condition); }, when.condition);
    apply(when.then);
    apply(when.otherwise);
  }
  void apply(FirstPasses &) const {}
  void apply(Aligned &aligned) const {
    for (unsigned &buffer : aligned.buffers)
      change(buffer);
  }
  void apply(Away &away) const { change(away.buffer); }
  void apply(Wanted &wanted) const { change(wanted.buffer); }
  void apply(HasPoints &) const {}
  void apply(WholePieces &) const {}

  std::vector<unsigned> numbers; ///< by old number
};

} // namespace

std::vector<unsigned> stencilc::fieldsBeside(const Stencil &stencil, const Program &program) {
  std::vector<unsigned> fields;
  for (auto [number, array] : llvm::enumerate(program.signature.arrays))
    if (array.hasNext && !needsNextBuffer(stencil, number))
      fields.push_back(number);
  return fields;
}

void stencilc::makeInWorkspace(Program &program, llvm::ArrayRef<unsigned> fields) {
  const std::vector<Launch> copies = copiesBack(program, fields);
  std::vector<bool> isOurs(program.buffers.size());
  for (auto [field, copy] : llvm::zip_equal(fields, copies)) {
    const unsigned now = bufferOf(program.signature, field),
                   next = bufferOf(program.signature, field, TimeLevel::Next);
    When isAway{Away{now}, {{copy}, {Rename{{{now, next}, {next, now}}}}}, {}};
    program.plan.epilogue.push_back({When{HasPoints{}, {{std::move(isAway)}}, {}}});
    program.buffers[next].owner = WorkspaceMemory{};
    isOurs[next] = true;
  }
  for (unsigned field : fields)
    program.signature.arrays[field].hasNext = false;

  // The caller's buffers come first.
  std::vector<unsigned> numbers(program.buffers.size());
  std::vector<Buffer> buffers;
  for (bool takesOurs : {false, true})
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      if (isOurs[number] == takesOurs) {
        numbers[number] = buffers.size();
        buffers.push_back(buffer);
      }
  program.buffers = std::move(buffers);
  Renumbering(std::move(numbers)).apply(program.plan);
}
