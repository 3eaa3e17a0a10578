// Nvrtc: CUDA's compiler as a library, opened while the program runs. It needs no GPU.
//
// It is the library that STENCILC_NVRTC names, or the first that can be loaded of: those of the
// toolkits CUDA_HOME and CUDA_PATH, those that pip installs, that of nvcc on the PATH, that of
// /usr/local/cuda, and what the system's loader finds.
#pragma once

#include "runtime/session/SharedLibrary.h"

#include <cstddef>
#include <vector>

namespace stencilc::session {

/// What the compiler says of a kernel.
struct CompiledKernel {
  std::string name;                            ///< as in the source
  std::string symbol;                          ///< in the cubin
  int registers = 0;                           ///< of a thread
  int spillStoreBytes = 0, spillLoadBytes = 0; ///< of a thread
  int sharedBytes = 0;                         ///< of a block's static tiles
};

struct Cubin {
  std::string bytes;
  std::vector<CompiledKernel> kernels; ///< in the order asked for
};

class Nvrtc {
public:
  static Expected<Nvrtc> open();

  /// "13.0"
  const std::string &version() const { return number; }

  /// Compiles a source for an architecture, "sm_90", and tells of its kernels of these names, which
  /// may stand in an unnamed namespace. A source that does not compile is a fault with the log.
  Expected<Cubin> compile(const std::string &source, const std::string &fileName,
                          const std::string &architecture, const std::vector<std::string> &kernels,
                          const std::vector<std::string> &options = {}) const;

private:
  struct Functions;
  struct Program;

  std::shared_ptr<const Functions> functions;
  std::string number;
  std::vector<std::string> includes; ///< folders of the toolkit's headers
};

} // namespace stencilc::session
