#include "codegen/lower/StageArrays.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

StageArrays::StageArrays(KernelBuilder &kernel, const Program &program, const Stage &stage,
                         bool readOnlyPath)
    : program(program) {
  std::vector<Read> reads;
  std::vector<unsigned> made;
  for (const Update &update : stage.updates) {
    made.push_back(update.array);
    forEachRead(update.formula, [&](const Read &read) { reads.push_back(read); });
  }
  addArguments(kernel, reads, made, readOnlyPath);
}

StageArrays::StageArrays(KernelBuilder &kernel, const Program &program, const Stencil &stencil)
    : program(program) {
  std::vector<Read> reads;
  std::vector<unsigned> made;
  forEachUpdate(stencil, [&](const Update &update) {
    if (stencil.arrays[update.array].kind == ArrayKind::Field) {
      made.push_back(update.array);
      reads.push_back({update.array, TimeLevel::Current, {}});
    }
    forEachRead(update.formula, [&](const Read &read) {
      if (stencil.arrays[read.array].kind == ArrayKind::Const)
        reads.push_back(read);
    });
  });
  addArguments(kernel, reads, made, /*readOnlyPath=*/false);
}

void StageArrays::addArguments(KernelBuilder &kernel, llvm::ArrayRef<Read> reads,
                               llvm::ArrayRef<unsigned> made, bool readOnlyPath) {
  isMade.resize(program.buffers.size());
  std::vector<bool> isRead(program.buffers.size()), isReadNew(program.buffers.size());
  for (unsigned array : made)
    isMade[buffer(array, TimeLevel::Next)] = true;
  for (const Read &read : reads) {
    isRead[buffer(read.array, read.level)] = true;
    if (read.level == TimeLevel::Next)
      isReadNew[buffer(read.array, read.level)] = true;
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
