#include "runtime/session/NvrtcPlaces.h"

#include <cstdlib>
#include <filesystem>
#include <glob.h>
#include <sstream>

namespace stencilc::session {

namespace {

std::vector<std::string> matches(const std::string &pattern) {
  glob_t found = {};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// The toolkit of nvcc on the PATH.
std::string toolkitOnPath() {
  std::istringstream folders(variable("PATH"));
  std::error_code missing;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::filesystem::path nvcc = folder + "/nvcc"; exists(nvcc, missing))
      return canonical(nvcc, missing).parent_path().parent_path().string();
  return "";
}

/// Folders that Python's packages are installed in.
std::vector<std::string> packageFolders() {
  std::vector<std::string> folders;
  for (const std::string &root :
       {variable("VIRTUAL_ENV"), variable("HOME") + "/.local", std::string("/usr/local")})
    if (!root.empty())
      for (const char *name : {"site-packages", "dist-packages"})
        folders.push_back(root + "/lib/python3*/" + name);
  folders.push_back("/usr/lib/python3/dist-packages");
  return folders;
}

} // namespace

std::vector<std::string> nvrtcPlaces() {
  std::vector<std::string> patterns;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string toolkit = variable(name); !toolkit.empty())
      patterns.push_back(toolkit + "/lib*");
  for (const std::string &folder : packageFolders())
    patterns.push_back(folder + "/nvidia/*/lib");
  if (const std::string toolkit = toolkitOnPath(); !toolkit.empty())
    patterns.push_back(toolkit + "/lib*");
  patterns.push_back("/usr/local/cuda/lib*");
  std::vector<std::string> places;
  for (const std::string &pattern : patterns)
    for (const std::string &path : matches(pattern + "/libnvrtc.so*"))
      places.push_back(path);
  for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    places.push_back(name);
  return places;
}

std::vector<std::string> headerFolders(const std::string &library) {
  std::error_code missing;
  const std::filesystem::path file = std::filesystem::canonical(library, missing);
  if (missing)
    return {};
  // A toolkit has them beside its lib, a wheel in another package, toolkits of Linux in targets/.
  const std::string home = file.parent_path().parent_path().string();
  std::vector<std::string> folders;
  for (const std::string &pattern :
       {home + "/include", home + "/targets/*/include", home + "/../cuda_runtime/include"})
    for (const std::string &folder : matches(pattern))
      if (std::filesystem::exists(folder + "/cuda_runtime.h", missing))
        folders.push_back(folder);
  return folders;
}

} // namespace stencilc::session
