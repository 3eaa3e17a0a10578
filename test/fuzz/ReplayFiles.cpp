// Runs LLVMFuzzerTestOneInput over the files named, where libFuzzer is not there to do it.
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: stencilc-fuzz-frontend FILE...\n";
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    auto file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << argv[i] << ": " << file.getError().message() << "\n";
      return 1;
    }
    const llvm::StringRef text = (*file)->getBuffer();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    llvm::outs() << argv[i] << "\n";
  }
}
