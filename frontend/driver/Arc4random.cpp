// arc4random for the carried binary: Debian's LLVM takes it from glibc 2.36, which the machines
// that have only CUDA may not have. It names temporary files, nothing more.
#include <cstdint>
#include <sys/random.h>

extern "C" uint32_t arc4random() {
  uint32_t value = 0;
  // A request this small is neither cut short nor interrupted; without a source 0 will do, because
  // a temporary name that exists already is tried again.
  (void)!getrandom(&value, sizeof value, 0);
  return value;
}
