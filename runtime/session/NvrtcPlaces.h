// NvrtcPlaces: where NVRTC and the headers of its toolkit may be.
#pragma once

#include <string>
#include <vector>

namespace stencilc::session {

/// Libraries to try, best first.
std::vector<std::string> nvrtcPlaces();

/// Folders with headers of CUDA beside a library.
std::vector<std::string> headerFolders(const std::string &library);

} // namespace stencilc::session
