// stencilc-waits CUBIN...: how often kernels wait for loads, as their machine code says.
//
// A line for each kernel of a cubin: file, symbol, phases and stores of MachineCode.h. For
// test/gpu/waits.py.
#include "costmodel/compiled/MachineCode.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace stencilc;

int main(int argc, char **argv) {
  for (int number = 1; number < argc; ++number) {
    const auto buffer = llvm::MemoryBuffer::getFile(argv[number], /*IsText=*/false, false);
    if (!buffer) {
      llvm::errs() << argv[number] << ": " << buffer.getError().message() << '\n';
      return 1;
    }
    for (const auto &[symbol, waits] : readLoadWaits((*buffer)->getBuffer()))
      llvm::outs() << fmt::format("{},{},{:g},{}\n", argv[number], symbol, waits.phases,
                                  waits.stores);
  }
}
