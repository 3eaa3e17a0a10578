#include "codegen/lower/NextInWorkspace.h"

#include "codegen/lower/Renumbering.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

void stencilc::bringHome(Program &program, llvm::ArrayRef<LevelAway> levels) {
  std::vector<LevelAway> copied;
  for (const LevelAway &away : levels)
    if (away.level != TimeLevel::Next)
      copied.push_back(away);
  std::vector<Launch> copies = copiesBack(program, copied);
  auto copy = copies.begin();
  for (const LevelAway &away : levels) {
    const unsigned name = bufferOf(program.signature, away.field, away.level);
    When isAway{Away{name}, {}, {}};
    if (away.level != TimeLevel::Next)
      isAway.then.push_back({std::move(*copy++)});
    isAway.then.push_back({Rename{{{name, away.home}, {away.home, name}}}});
    program.plan.epilogue.push_back({When{HasPoints{}, {{std::move(isAway)}}, {}}});
  }
}

std::vector<unsigned> stencilc::fieldsBeside(const Stencil &stencil, const Program &program) {
  std::vector<unsigned> fields;
  for (auto [number, array] : llvm::enumerate(program.signature.arrays))
    if (array.hasNext && !needsNextBuffer(stencil, number))
      fields.push_back(number);
  return fields;
}

void stencilc::makeInWorkspace(Program &program, llvm::ArrayRef<unsigned> fields) {
  std::vector<LevelAway> levels;
  std::vector<bool> isOurs(program.buffers.size());
  for (unsigned field : fields) {
    const unsigned next = bufferOf(program.signature, field, TimeLevel::Next);
    levels.push_back({field, TimeLevel::Current, next});
    isOurs[next] = true;
  }
  bringHome(program, levels);
  for (auto [buffer, isOur] : llvm::zip_equal(program.buffers, isOurs))
    if (isOur)
      buffer.owner = WorkspaceMemory{};
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
