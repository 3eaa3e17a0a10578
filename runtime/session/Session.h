// Session: one GPU to work with, by way of the driver: its primary context and one stream.
//
//   Expected<Session> session = Session::open(0);
//   Expected<Nvrtc> nvrtc = Nvrtc::open();
//   Expected<Cubin> cubin = nvrtc->compile(text, "heat.cu", session->facts().architecture(),
//   names); Expected<Module> module = session->load(*cubin);
//
// All work goes to the stream, in order; the copies between host and device wait for it. What a
// call gives is a fault: its text says which function of the driver failed, and why. A session
// outlives its modules, buffers, events and graphs.
#pragma once

#include "runtime/session/Driver.h"
#include "runtime/session/Nvrtc.h"

#include <array>

namespace stencilc::session {

class Session;

/// A function of a module, with what the driver knows of it.
struct Kernel {
  std::string name; ///< as in the source
  void *function = nullptr;
  int registers = 0;   ///< of a thread
  int localBytes = 0;  ///< of a thread: spills, and arrays that are in no register
  int sharedBytes = 0; ///< of a block's static tiles
};

/// Kernels on the device; unloaded with the object.
class Module {
public:
  /// In the order of the cubin's.
  const std::vector<Kernel> &kernels() const { return all; }
  const Kernel *find(const std::string &name) const;

private:
  friend class Session;
  std::shared_ptr<void> module;
  std::vector<Kernel> all;
};

/// Memory on the device, given back with the object.
class Buffer {
public:
  uint64_t address() const { return memory ? *memory : 0; }
  size_t bytes() const { return size; }

private:
  friend class Session;
  std::shared_ptr<uint64_t> memory;
  size_t size = 0;
};

/// A point in the order of the stream's work.
class Event {
private:
  friend class Session;
  std::shared_ptr<void> event;
};

struct Launch {
  const Kernel *kernel = nullptr;
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1}; ///< x first
  unsigned dynamicSharedBytes = 0;
  /// A pointer to each argument of the kernel: to a uint64_t that is an address, an int, ...
  std::vector<const void *> arguments = {};
};

/// Launches that the device starts one after another by itself.
class Graph {
private:
  friend class Session;
  std::shared_ptr<void> executable;
};

class Session {
public:
  /// Opens the driver and a GPU by its number.
  static Expected<Session> open(int device = 0);

  const DeviceFacts &facts() const { return shared->facts; }

  Expected<Module> load(const Cubin &cubin) const;

  /// Of no bytes too.
  Expected<Buffer> allocate(size_t bytes) const;
  /// Bytes that the device has left.
  Expected<size_t> freeBytes() const;
  std::optional<Fault> copyIn(uint64_t to, const void *from, size_t bytes) const;
  std::optional<Fault> copyOut(void *to, uint64_t from, size_t bytes) const;
  std::optional<Fault> copy(uint64_t to, uint64_t from, size_t bytes) const;
  /// Every byte.
  std::optional<Fault> fill(uint64_t to, unsigned char value, size_t bytes) const;

  std::optional<Fault> launch(const Launch &launch) const;
  Expected<Graph> capture(const std::vector<Launch> &launches) const;
  std::optional<Fault> launch(const Graph &graph) const;
  Expected<Event> makeEvent() const;
  std::optional<Fault> record(const Event &event) const;
  /// Waits for `end`; both were recorded.
  Expected<double> secondsBetween(const Event &begin, const Event &end) const;
  std::optional<Fault> synchronize() const;

private:
  struct Shared {
    Driver driver;
    DeviceFacts facts;
    int device = 0;
    void *context = nullptr, *stream = nullptr;

    ~Shared();
  };
  std::shared_ptr<Shared> shared;
};

} // namespace stencilc::session
