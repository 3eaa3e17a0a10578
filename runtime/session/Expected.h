// Expected: a value, or in words why there is none.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace stencilc::session {

/// Why something could not be done; it reads as one line, but for the log of a compiler.
struct Fault {
  std::string message;
};

template <class T> class Expected {
public:
  Expected(T value) : held(std::move(value)) {}
  Expected(Fault fault) : held(std::move(fault)) {}

  explicit operator bool() const { return std::holds_alternative<T>(held); }
  T &operator*() { return std::get<T>(held); }
  const T &operator*() const { return std::get<T>(held); }
  T *operator->() { return &std::get<T>(held); }
  const T *operator->() const { return &std::get<T>(held); }
  /// Of one that holds no value.
  Fault fault() const { return std::get<Fault>(held); }

private:
  std::variant<T, Fault> held;
};

} // namespace stencilc::session
