#include "codegen/lower/StageArrays.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

StageArrays::StageArrays(KernelBuilder &kernel, const Program &program, const Stage &stage,
                         bool readOnlyPath)
    : signature(program.signature), isMade(program.buffers.size()) {
  std::vector<bool> isRead(program.buffers.size());
  for (const Update &update : stage.updates) {
    isMade[buffer(update.array, TimeLevel::Next)] = true;
    forEachRead(update.formula,
                [&](const Read &read) { isRead[buffer(read.array, read.level)] = true; });
  }
  const auto addArgument = [&](unsigned number, Access access) {
    numbers.push_back(number);
    kernel.array(program.buffers[number], access, readOnlyPath && access == Access::Read);
  };
  for (unsigned number = 0; number < isRead.size(); ++number)
    if (isRead[number])
      addArgument(number, isMade[number] ? Access::ReadWrite : Access::Read);
  for (unsigned number = 0; number < isMade.size(); ++number)
    if (isMade[number] && !isRead[number])
      addArgument(number, Access::Write);
}

unsigned StageArrays::buffer(unsigned array, TimeLevel level) const {
  return bufferOf(signature, array,
                  level == TimeLevel::Next ? targetLevel(signature.arrays[array]) : level);
}

unsigned StageArrays::argument(unsigned array, TimeLevel level) const {
  const auto found = llvm::find(numbers, buffer(array, level));
  assert(found != numbers.end() && "the stage reads or makes it");
  return found - numbers.begin();
}

bool StageArrays::isOverwritten(const Read &read) const {
  return isMade[buffer(read.array, read.level)];
}
