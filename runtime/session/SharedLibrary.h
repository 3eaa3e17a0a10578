// SharedLibrary: a library that is opened while the program runs, so that it need not be there.
#pragma once

#include "runtime/session/Expected.h"

#include <memory>

namespace stencilc::session {

class SharedLibrary {
public:
  /// `name` is a path, or a name that the system's loader finds. The fault is the loader's text.
  static Expected<SharedLibrary> open(const std::string &name);

  /// Fills `function` with the library's; false if it has none of this name.
  template <class Function> bool find(const char *name, Function *&function) const {
    function = reinterpret_cast<Function *>(address(name));
    return function != nullptr;
  }
  const std::string &path() const { return name; }

private:
  void *address(const char *function) const;

  std::string name;
  std::shared_ptr<void> handle;
};

} // namespace stencilc::session
