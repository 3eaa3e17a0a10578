#include "runtime/session/SharedLibrary.h"

#include <dlfcn.h>

namespace stencilc::session {

Expected<SharedLibrary> SharedLibrary::open(const std::string &name) {
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Fault{dlerror()};
  SharedLibrary library;
  library.name = name;
  // It stays loaded: CUDA's libraries have threads of their own.
  library.handle = std::shared_ptr<void>(handle, [](void *) {});
  return library;
}

void *SharedLibrary::address(const char *function) const { return dlsym(handle.get(), function); }

} // namespace stencilc::session
