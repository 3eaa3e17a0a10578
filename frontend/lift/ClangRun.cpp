#include "frontend/lift/ClangRun.h"

#include "frontend/lift/Source.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clang::tooling;

namespace stencilc::lift {

namespace {
using Visit = function_ref<void(clang::ASTContext &)>;

class VisitingConsumer : public clang::ASTConsumer {
public:
  explicit VisitingConsumer(Visit visit) : visit(visit) {}
  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!context.getDiagnostics().hasErrorOccurred())
      visit(context);
  }

private:
  Visit visit;
};

class VisitingAction : public clang::ASTFrontendAction {
public:
  explicit VisitingAction(Visit visit) : visit(visit) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        StringRef) override {
    return std::make_unique<VisitingConsumer>(visit);
  }

private:
  Visit visit;
};

class VisitingFactory : public FrontendActionFactory {
public:
  explicit VisitingFactory(Visit visit) : visit(visit) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<VisitingAction>(visit);
  }

private:
  Visit visit;
};

/// Listens for names that a fragment uses and does not declare.
class UndeclaredNames : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (diagnostic.getID() != clang::diag::err_undeclared_var_use &&
        diagnostic.getID() != clang::diag::err_undeclared_var_use_suggest)
      return;
    std::string name;
    if (diagnostic.getArgKind(0) == clang::DiagnosticsEngine::ak_declarationname)
      name = clang::DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0)).getAsString();
    else if (diagnostic.getArgKind(0) == clang::DiagnosticsEngine::ak_identifierinfo)
      name = diagnostic.getArgIdentifier(0)->getName().str();
    if (!name.empty() && !is_contained(names, name))
      names.push_back(name);
  }

  std::vector<std::string> names;
};

/// A header that Clang does not bring, for programs that time themselves with it. One that is there
/// comes first.
constexpr llvm::StringLiteral kHeaders = "/stencilc-lift", kOpenMP = "/stencilc-lift/omp.h";
constexpr llvm::StringLiteral kOpenMPText = R"(#pragma once
#ifdef __cplusplus
extern "C" {
#endif
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
void omp_set_num_threads(int);
#ifdef __cplusplus
}
#endif
)";

/// Clang's own headers, whether or not clang itself is installed. OpenMP and OpenACC stay off, so
/// that their pragmas are passed over.
CommandLineArguments adjusted(const CommandLineArguments &given, StringRef) {
  CommandLineArguments arguments;
  for (const std::string &argument : given)
    if (!StringRef(argument).starts_with("-fopenmp") && argument != "-fopenacc")
      arguments.push_back(argument);
  arguments.insert(arguments.begin() + 1,
                   {"-resource-dir=" STENCILC_CLANG_RESOURCES, "-w", "-fsyntax-only",
                    "-fparse-all-comments", "-idirafter", kHeaders.str()});
  return arguments;
}

/// The fragment as a function of what it does not declare. Of each turn only the first name counts:
/// Clang passes over the rest of a declaration that it does not understand.
std::string wholeText(const CompilationDatabase &compilation, const std::string &path,
                      StringRef text) {
  constexpr unsigned kTurns = 40;
  const std::string name = fragmentName(path);
  std::vector<std::string> variables;
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    const std::string wrapped = wrapFragment(text, name, variables);
    UndeclaredNames undeclared;
    ClangTool tool(compilation, {path});
    tool.setPrintErrorMessage(false);
    tool.setDiagnosticConsumer(&undeclared);
    tool.appendArgumentsAdjuster(adjusted);
    // Without carets Clang does not count the errors aloud either.
    tool.appendArgumentsAdjuster(getInsertArgumentAdjuster("-fno-caret-diagnostics"));
    tool.mapVirtualFile(path, wrapped);
    tool.mapVirtualFile(kOpenMP, kOpenMPText);
    VisitingFactory factory([](clang::ASTContext &) {});
    tool.run(&factory);
    if (undeclared.names.empty())
      break;
    variables.push_back(undeclared.names[0]);
  }
  return wrapFragment(text, name, variables);
}
} // namespace

Expected<std::unique_ptr<CompilationDatabase>>
compilationOf(const std::string &path, const std::string &databaseFolder,
              const std::vector<std::string> &flags) {
  if (databaseFolder.empty())
    return std::make_unique<FixedCompilationDatabase>(".", flags);
  std::string message;
  std::unique_ptr<CompilationDatabase> database =
      CompilationDatabase::loadFromDirectory(databaseFolder, message);
  if (!database)
    return createStringError(message);
  if (database->getCompileCommands(path).empty())
    return createStringError("the compilation database of `" + databaseFolder +
                             "` does not know `" + path + "`");
  return database;
}

bool runClang(const CompilationDatabase &compilation, const std::string &path, Visit visit) {
  ClangTool tool(compilation, {path});
  tool.setPrintErrorMessage(false);
  tool.appendArgumentsAdjuster(adjusted);
  tool.mapVirtualFile(kOpenMP, kOpenMPText);
  std::string whole;
  if (const auto text = MemoryBuffer::getFile(path); text && isFragment((*text)->getBuffer())) {
    whole = wholeText(compilation, path, (*text)->getBuffer());
    tool.mapVirtualFile(path, whole);
  }
  VisitingFactory factory(visit);
  return tool.run(&factory) == 0;
}

} // namespace stencilc::lift
