// PlanPrinter: the statements of heat_run that follow the plan of a Program.
#pragma once

#include "codegen/print/LaunchFunctions.h"

namespace stencilc {

/// What heat_run calls the numbers of the grid.
inline const GridPrefixes kGridOfRun = {"", "state.", "room."};

class PlanPrinter {
public:
  /// `pointers` names what stands for each of Program::buffers, `uniforms` each of
  /// Program::uniforms. `functions` launch device kernels; null on the host.
  PlanPrinter(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
              std::vector<std::string> pointers, llvm::ArrayRef<std::string> uniforms,
              const LaunchFunctions *functions, ExpressionPrinter &expressions);

  /// A line of code and its comment, or none.
  using CommentedLine = std::pair<std::string, std::string>;
  /// The line that declares the state, prologue, passes, epilogue.
  std::string print(const CommentedLine &state);

private:
  std::string passes();
  std::string isLongEnough(const Pass &pass);
  std::string body(const Pass &pass);
  std::string actions(const Actions &actions, size_t indent);
  /// The actions, and the return if one of their launches failed.
  std::string checked(const Actions &list, size_t indent);
  std::string launch(const Launch &launch, size_t indent);
  std::string deviceLaunch(const Launch &launch, size_t indent);
  std::string hostCall(const Launch &launch, size_t indent);
  std::string rename(const Rename &rename, size_t indent);
  std::string when(const When &when, size_t indent);
  std::string condition(const Condition &condition);
  std::string isAligned(const Aligned &aligned);
  std::string isAway(const Away &away);
  std::string factor(const Index &index);
  std::string elementsOf(const Buffer &list);
  std::vector<std::string> numbers(const Launch &launch);
  std::string corner(llvm::ArrayRef<Index> indices);

  const Program &program;
  const Signature &signature;
  llvm::ArrayRef<PrintedKernel> kernels;
  const std::vector<std::string> pointers;
  llvm::ArrayRef<std::string> uniforms;
  const LaunchFunctions *functions;
  ExpressionPrinter &expressions;
  const bool hasOneKind; ///< every pass makes one step
  bool asksForPass = false;
};

} // namespace stencilc
