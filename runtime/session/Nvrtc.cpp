#include "runtime/session/Nvrtc.h"

#include "runtime/session/NvrtcPlaces.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

namespace stencilc::session {

struct Nvrtc::Functions {
  int (*nvrtcVersion)(int *major, int *minor);
  const char *(*nvrtcGetErrorString)(int status);
  int (*nvrtcCreateProgram)(void **program, const char *source, const char *name, int headers,
                            const char *const *texts, const char *const *names);
  int (*nvrtcDestroyProgram)(void **program);
  int (*nvrtcAddNameExpression)(void *program, const char *name);
  int (*nvrtcCompileProgram)(void *program, int count, const char *const *options);
  int (*nvrtcGetLoweredName)(void *program, const char *name, const char **lowered);
  int (*nvrtcGetProgramLogSize)(void *program, size_t *bytes);
  int (*nvrtcGetProgramLog)(void *program, char *text);
  int (*nvrtcGetCUBINSize)(void *program, size_t *bytes);
  int (*nvrtcGetCUBIN)(void *program, char *bytes);

  /// False where the library lacks one.
  bool findIn(const SharedLibrary &library) {
    return library.find("nvrtcVersion", nvrtcVersion) &&
           library.find("nvrtcGetErrorString", nvrtcGetErrorString) &&
           library.find("nvrtcCreateProgram", nvrtcCreateProgram) &&
           library.find("nvrtcDestroyProgram", nvrtcDestroyProgram) &&
           library.find("nvrtcAddNameExpression", nvrtcAddNameExpression) &&
           library.find("nvrtcCompileProgram", nvrtcCompileProgram) &&
           library.find("nvrtcGetLoweredName", nvrtcGetLoweredName) &&
           library.find("nvrtcGetProgramLogSize", nvrtcGetProgramLogSize) &&
           library.find("nvrtcGetProgramLog", nvrtcGetProgramLog) &&
           library.find("nvrtcGetCUBINSize", nvrtcGetCUBINSize) &&
           library.find("nvrtcGetCUBIN", nvrtcGetCUBIN);
  }
};

Expected<Nvrtc> Nvrtc::open() {
  const char *named = std::getenv("STENCILC_NVRTC");
  const std::vector<std::string> places = named ? std::vector<std::string>{named} : nvrtcPlaces();
  Functions functions;
  for (const std::string &place : places) {
    const Expected<SharedLibrary> library = SharedLibrary::open(place);
    if (!library || !functions.findIn(*library))
      continue;
    Nvrtc nvrtc;
    nvrtc.functions = std::make_shared<const Functions>(functions);
    int major = 0, minor = 0;
    functions.nvrtcVersion(&major, &minor);
    nvrtc.number = std::to_string(major) + "." + std::to_string(minor);
    nvrtc.includes = headerFolders(place);
    return nvrtc;
  }
  return Fault{"there is no NVRTC, which compiles kernels: " +
               (named ? std::string(named) + " cannot be loaded; " : std::string()) +
               "`pip install nvidia-cuda-nvrtc-cu12`, or name a toolkit with CUDA_HOME"};
}

// ---- compiling --------------------------------------------------------------------------------

/// A program of NVRTC, given back with this.
struct Nvrtc::Program {
  const Functions &call;
  void *handle = nullptr;

  explicit Program(const Functions &functions) : call(functions) {}
  Program(const Program &) = delete;
  ~Program() {
    if (handle)
      call.nvrtcDestroyProgram(&handle);
  }

  std::string log() const {
    size_t bytes = 0;
    if (!handle || call.nvrtcGetProgramLogSize(handle, &bytes) != 0)
      return "";
    std::string text(bytes, '\0');
    call.nvrtcGetProgramLog(handle, text.data());
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }
};

/// Reads what the assembler says of each kernel (`--ptxas-options=-v`) into the kernel's facts.
static void readAssemblerLog(const std::string &log, std::vector<CompiledKernel> &kernels) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  static const std::regex spills("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
  static const std::regex registers("Used (\\d+) registers");
  static const std::regex shared("(\\d+) bytes smem");
  CompiledKernel *kernel = nullptr;
  std::istringstream lines(log);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, entry)) {
      const auto named = std::find_if(kernels.begin(), kernels.end(),
                                      [&](const auto &each) { return each.symbol == found[1]; });
      kernel = named == kernels.end() ? nullptr : &*named;
    }
    if (!kernel)
      continue;
    if (std::regex_search(line, found, spills)) {
      kernel->spillStoreBytes = std::stoi(found[1]);
      kernel->spillLoadBytes = std::stoi(found[2]);
    }
    if (std::regex_search(line, found, registers))
      kernel->registers = std::stoi(found[1]);
    if (std::regex_search(line, found, shared))
      kernel->sharedBytes = std::stoi(found[1]);
  }
}

Expected<Cubin> Nvrtc::compile(const std::string &source, const std::string &fileName,
                               const std::string &architecture,
                               const std::vector<std::string> &kernels,
                               const std::vector<std::string> &options) const {
  const Functions &call = *functions;
  Program program(call);
  const auto failed = [&](const char *function, int status) {
    std::string text = std::string(function) + ": " + call.nvrtcGetErrorString(status);
    if (const std::string log = program.log(); !log.empty())
      text += "\n" + log;
    return Fault{text.substr(0, text.find_last_not_of('\n') + 1)};
  };
  if (int status = call.nvrtcCreateProgram(&program.handle, source.c_str(), fileName.c_str(), 0,
                                           nullptr, nullptr))
    return failed("nvrtcCreateProgram", status);
  // Nothing in the file launches its kernels here: they are kept by name.
  for (const std::string &kernel : kernels)
    if (int status = call.nvrtcAddNameExpression(program.handle, kernel.c_str()))
      return failed("nvrtcAddNameExpression", status);
  std::vector<std::string> all = {"--gpu-architecture=" + architecture, "--std=c++17",
                                  "--ptxas-options=-v"};
  for (const std::string &folder : includes)
    all.push_back("--include-path=" + folder);
  all.insert(all.end(), options.begin(), options.end());
  std::vector<const char *> words;
  for (const std::string &option : all)
    words.push_back(option.c_str());
  if (int status = call.nvrtcCompileProgram(program.handle, int(words.size()), words.data()))
    return failed("nvrtcCompileProgram", status);

  Cubin cubin;
  for (const std::string &kernel : kernels) {
    const char *lowered = nullptr;
    if (int status = call.nvrtcGetLoweredName(program.handle, kernel.c_str(), &lowered))
      return failed("nvrtcGetLoweredName", status);
    cubin.kernels.push_back({kernel, lowered});
  }
  readAssemblerLog(program.log(), cubin.kernels);
  size_t bytes = 0;
  if (int status = call.nvrtcGetCUBINSize(program.handle, &bytes))
    return failed("nvrtcGetCUBINSize", status);
  cubin.bytes.resize(bytes);
  if (int status = call.nvrtcGetCUBIN(program.handle, cubin.bytes.data()))
    return failed("nvrtcGetCUBIN", status);
  return cubin;
}

} // namespace stencilc::session
