// Stands in for NVRTC where kernels are run by test/harness: compiles them with the C++ compiler of
// this machine into a shared library, whose path is the cubin.
//
// Environment variables let it fail, or err:
//   FAKE_FAILS      the function that fails
//   FAKE_REFUSES    a source with this text does not compile
//   FAKE_ERRS       <text>=>A=>B: in a source with the text, A is read as B
//   FAKE_SPILLS     a source with this text spills 24 bytes
//   FAKE_REGISTERS  of a thread, in place of 32
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

enum { kOutOfMemory = 1, kInvalidInput = 3, kCompilation = 6, kUnknownName = 7 };

struct Program {
  std::string source, log, path;
  std::vector<std::string> kernels;
};

/// Libraries that were made, removed when the process ends.
struct Made {
  std::vector<std::string> paths;
  ~Made() {
    for (const std::string &path : paths)
      std::remove(path.c_str());
  }
} made;

std::string setting(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}
bool fails(const char *function) { return setting("FAKE_FAILS") == function; }
bool isIn(const std::string &source, const std::string &text) {
  return !text.empty() && source.find(text) != std::string::npos;
}

void replaceAll(std::string &text, const std::string &old, const std::string &by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
    text.replace(at, old.size(), by);
}

void err(std::string &source) {
  const std::string rule = setting("FAKE_ERRS");
  const size_t first = rule.find("=>"), second = rule.find("=>", first + 2);
  if (second != std::string::npos && isIn(source, rule.substr(0, first)))
    replaceAll(source, rule.substr(first + 2, second - first - 2), rule.substr(second + 2));
}

/// What the driver calls: a function beside each kernel that launches it.
std::string trampolines(const std::vector<std::string> &kernels) {
  std::string text = R"(
#include <type_traits>
#include <utility>
namespace {
template <class... P, size_t... I>
cudaError_t run(const cudaLaunchConfig_t *config, void (*kernel)(P...), void **arguments,
                std::index_sequence<I...>) {
  return cudaLaunchKernelEx(config, kernel, *static_cast<std::remove_cv_t<P> *>(arguments[I])...);
}
template <class... P>
cudaError_t run(const cudaLaunchConfig_t *config, void (*kernel)(P...), void **arguments) {
  return run(config, kernel, arguments, std::index_sequence_for<P...>());
}
}
)";
  for (const std::string &kernel : kernels)
    text += "extern \"C\" cudaError_t stand_in_" + kernel +
            "(const cudaLaunchConfig_t *config, void **arguments) { return run(config, " + kernel +
            ", arguments); }\n";
  return text;
}

} // namespace

extern "C" {

int nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
const char *nvrtcGetErrorString(int status) {
  return status == kOutOfMemory    ? "NVRTC_ERROR_OUT_OF_MEMORY"
         : status == kInvalidInput ? "NVRTC_ERROR_INVALID_INPUT"
         : status == kCompilation  ? "NVRTC_ERROR_COMPILATION"
                                   : "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
}
int nvrtcCreateProgram(void **program, const char *source, const char *, int, const char *const *,
                       const char *const *) {
  if (fails("nvrtcCreateProgram"))
    return kOutOfMemory;
  *program = new Program{source, "", "", {}};
  return 0;
}
int nvrtcDestroyProgram(void **program) {
  delete static_cast<Program *>(*program);
  return 0;
}
int nvrtcAddNameExpression(void *program, const char *name) {
  static_cast<Program *>(program)->kernels.push_back(name);
  return fails("nvrtcAddNameExpression") ? kInvalidInput : 0;
}

int nvrtcCompileProgram(void *handle, int, const char *const *) {
  Program &program = *static_cast<Program *>(handle);
  if (fails("nvrtcCompileProgram") || isIn(program.source, setting("FAKE_REFUSES"))) {
    program.log = "heat.cu(7): error: refused, as was asked for\n";
    return kCompilation;
  }
  std::string source = program.source;
  err(source);
  // The C library of the host has its own name for it.
  replaceAll(source, "typedef long long int64_t;\n", "");
  char path[] = "/tmp/stand-in-XXXXXX.so";
  const int file = mkstemps(path, 3);
  if (file < 0)
    return kOutOfMemory;
  close(file);
  program.path = path;
  made.paths.push_back(path);
  const std::string text = program.path + ".cpp", log = program.path + ".log";
  std::ofstream(text) << source << trampolines(program.kernels);
  const std::string command =
      STAND_IN_COMPILER
      " -x c++ -std=c++20 -O1 -w -fPIC -shared -ffp-contract=off -D__CUDACC_RTC__ -I " STAND_IN_ROOT
      "/test/harness -include cuda_runtime.h " +
      text + " -o " + program.path + " 2> " + log;
  const bool failed = std::system(command.c_str()) != 0;
  std::ifstream said(log);
  std::getline(said, program.log, '\0');
  std::remove(text.c_str());
  std::remove(log.c_str());
  if (failed)
    return kCompilation;
  const std::string registers = setting("FAKE_REGISTERS");
  const char *spilled = isIn(program.source, setting("FAKE_SPILLS")) ? "24" : "0";
  for (const std::string &kernel : program.kernels)
    program.log += "ptxas info    : Compiling entry function '" + kernel +
                   "' for 'sm_90'\nptxas         .     0 bytes stack frame, " + spilled +
                   " bytes spill stores, " + spilled + " bytes spill loads\nptxas info    : Used " +
                   (registers.empty() ? "32" : registers) +
                   " registers, used 0 barriers, 4096 bytes smem\n";
  return 0;
}

int nvrtcGetLoweredName(void *handle, const char *name, const char **lowered) {
  if (fails("nvrtcGetLoweredName"))
    return kUnknownName;
  static std::set<std::string> names;
  *lowered = names.insert(name).first->c_str();
  return handle ? 0 : kInvalidInput;
}
int nvrtcGetProgramLogSize(void *program, size_t *bytes) {
  *bytes = static_cast<Program *>(program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void *program, char *text) {
  std::strcpy(text, static_cast<Program *>(program)->log.c_str());
  return 0;
}
int nvrtcGetCUBINSize(void *program, size_t *bytes) {
  *bytes = static_cast<Program *>(program)->path.size() + 1;
  return fails("nvrtcGetCUBINSize") ? kInvalidInput : 0;
}
int nvrtcGetCUBIN(void *program, char *bytes) {
  if (fails("nvrtcGetCUBIN"))
    return kInvalidInput;
  std::strcpy(bytes, static_cast<Program *>(program)->path.c_str());
  return 0;
}

} // extern "C"
