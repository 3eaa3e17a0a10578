#include "codegen/lower/StageArrays.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

StageArrays::StageArrays(KernelBuilder &kernel, const Program &program, const Stage &stage,
                         bool readOnlyPath)
    : program(program), isMade(program.buffers.size()) {
  std::vector<bool> isRead(program.buffers.size()), isReadNew(program.buffers.size());
  for (const Update &update : stage.updates) {
    isMade[buffer(update.array, TimeLevel::Next)] = true;
    forEachRead(update.formula, [&](const Read &read) {
      isRead[buffer(read.array, read.level)] = true;
      if (read.level == TimeLevel::Next)
        isReadNew[buffer(read.array, read.level)] = true;
    });
  }
  const auto addArgument = [&](unsigned number, Access access) {
    numbers.push_back(number);
    const unsigned argument = kernel.bind(number, access, readOnlyPath && access == Access::Read);
    kernel.kernel.arrays[argument].isReadElsewhere =
        access == Access::ReadWrite && isReadNew[number];
  };
  for (unsigned number = 0; number < isRead.size(); ++number)
    if (isRead[number])
      addArgument(number, isMade[number] ? Access::ReadWrite : Access::Read);
  for (unsigned number = 0; number < isMade.size(); ++number)
    if (isMade[number] && !isRead[number])
      addArgument(number, Access::Write);
}

unsigned StageArrays::buffer(unsigned array, TimeLevel level) const {
  const SignatureArray &declared = program.signature.arrays[array];
  if (declared.kind == ArrayKind::Temp)
    return bufferOfTemp(program.buffers, array);
  return bufferOf(program.signature, array,
                  level == TimeLevel::Next ? targetLevel(declared) : level);
}

unsigned StageArrays::argument(unsigned array, TimeLevel level) const {
  const auto found = llvm::find(numbers, buffer(array, level));
  assert(found != numbers.end() && "the stage reads or makes it");
  return found - numbers.begin();
}

bool StageArrays::isOverwritten(const Read &read) const {
  return read.level != TimeLevel::Next && isMade[buffer(read.array, read.level)];
}
