// InterfacePrinter: the functions of the C interface around heat_run: defaults, memory layout, the
// checks a run starts with, and the texts of statuses.
#pragma once

#include "codegen/print/FileNames.h"
#include "codegen/print/Helpers.h"

namespace stencilc {

/// check(): refuses arguments that a run could not honour; before it, how the workspace is laid
/// out. Stands in the unnamed namespace.
std::string printCheck(const Program &program, const FileNames &file, HelperSet &helpers);
/// heat_args_default, heat_layout, heat_workspace_bytes and heat_strerror, which tells
/// `onlyExtents` where these alone are taken.
std::string printInterface(const Program &program, llvm::ArrayRef<int64_t> onlyExtents);

} // namespace stencilc
