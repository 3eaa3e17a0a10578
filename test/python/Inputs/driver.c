// Stands in for libcuda.so.1 where there is no GPU: enough of it to start, to hold memory, and to
// fail. FAKE_FAILS names the function that does; memory from 2^40 on is that of device 1.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100 };

static int allocated;
int fake_allocated(void) { return allocated; }

static int fails(const char *function) {
  const char *named = getenv("FAKE_FAILS");
  return named && !strcmp(named, function);
}

int cuInit(unsigned flags) { return fails("cuInit") ? kNoDevice : flags; }
int cuGetErrorString(int status, const char **text) {
  *text = status == kNoDevice     ? "no CUDA-capable device is detected"
          : status == kOutOfMemory ? "out of memory"
                                   : "invalid argument";
  return 0;
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal < 2 ? 0 : kInvalidValue;
}
int cuDeviceGetAttribute(int *value, int what, int device) {
  *value = what == 75 ? 9 : 0;
  return device < 2 ? 0 : kInvalidValue;
}
int cuDriverGetVersion(int *version) { return (*version = 12000) - 12000; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = (void *)(intptr_t)(device + 1);
  return 0;
}
int cuCtxPushCurrent_v2(void *context) { return context ? 0 : kInvalidValue; }
int cuCtxPopCurrent_v2(void **context) { return context ? 0 : kInvalidValue; }
int cuPointerGetAttribute(int *value, int what, uint64_t address) {
  *value = address >> 40;
  return what == 9 && *value < 2 ? 0 : kInvalidValue;
}
int cuMemAlloc_v2(uint64_t *address, size_t size) {
  if (fails("cuMemAlloc_v2"))
    return kOutOfMemory;
  *address = (++allocated, 4096) + size % 2;
  return 0;
}
int cuMemFree_v2(uint64_t address) {
  --allocated;
  return address ? 0 : kInvalidValue;
}
