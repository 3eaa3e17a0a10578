// MachineCode: how often warps wait for loads in the code that a compiler made of kernels.
//
// From compute capability 7.0 on an instruction has 16 bytes and says what it waits for: a load
// marks one of six barriers, and whatever needs what was loaded names that barrier in a mask (Jia,
// Maggioni, Staiger & Scarpazza: Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking, 2018, section 2). Where branches go was read off code by nvcc 13.0.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>

namespace stencilc {

struct LoadWaits {
  /// How often a warp waits for loads from global memory, one after the other, if all come equally
  /// late and all else takes no time: in a pass of the loop that stores most, which begins with
  /// what the pass before has left under way, or in the whole kernel where no loop stores.
  double phases = 0;
  int stores = 0; ///< to global memory, in the text of that pass; 0: no loop stores
};

/// Of a cubin's kernels, by symbol. Code that is not understood is left out: that of earlier
/// devices, or what is no cubin.
std::map<std::string, LoadWaits> readLoadWaits(llvm::StringRef cubin);

} // namespace stencilc
