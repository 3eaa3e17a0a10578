// ClangRun: has Clang read a source file, a bare fragment among them.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace stencilc::lift {

/// How the file is compiled: the flags given, or those of a compilation database.
llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
compilationOf(const std::string &path, const std::string &databaseFolder,
              const std::vector<std::string> &flags);

/// Calls `visit` with the syntax tree, if the file has no errors. Errors are printed as Clang does.
/// False if the file has errors, or `visit` has reported some.
bool runClang(const clang::tooling::CompilationDatabase &compilation, const std::string &path,
              llvm::function_ref<void(clang::ASTContext &)> visit);

} // namespace stencilc::lift
