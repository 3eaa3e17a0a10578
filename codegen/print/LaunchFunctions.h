// LaunchFunctions: a function of the emitted text for each way to launch a device kernel on a box.
#pragma once

#include "codegen/print/KernelPrinter.h"

namespace stencilc {

/// What the arguments of a kernel are called where it is launched.
struct ArgumentNames {
  std::vector<std::string> arrays, uniforms;
  std::vector<std::string> first, end; ///< per axis, of the box
  GridPrefixes grid;
  std::vector<std::string> numbers; ///< per integer argument; those of the box are not used
};

/// The arguments of the launch's kernel, in their order.
std::vector<std::string> kernelArguments(const Program &program, const Launch &launch,
                                         const PrintedKernel &printed, const ArgumentNames &names);

/// True if an integer argument comes from the box of its launch.
bool isOfBox(const IntegerBinding &binding);

class LaunchFunctions {
public:
  LaunchFunctions(const Program &program, llvm::ArrayRef<PrintedKernel> kernels,
                  const FileNames &file, HelperSet &helpers);

  /// They stand in the unnamed namespace, after the helpers.
  const std::string &definitions() const { return text; }

  struct Function {
    const Launch *launch; ///< the first that it serves
    std::string name;
    /// Whether its first arguments are the heat_args and the Workspace.
    bool takesGrid = false, takesRoom = false;
  };
  /// The function that serves a launch of the program.
  const Function &of(const Launch &launch) const;

private:
  struct Names;

  std::string define(Function &function);
  std::string firstBlock(const Launch &launch, const Names &own, ExpressionPrinter &address);
  std::vector<std::string> parameters(const Function &function, const Names &own) const;
  std::string gridLoops(const Launch &launch, const Names &own, const std::string &call);
  std::string sideName(const Launch &launch, unsigned dimension, int length) const;

  const Program &program;
  const Signature &signature;
  llvm::ArrayRef<PrintedKernel> kernels;
  const FileNames &file;
  HelperSet &helpers;
  const unsigned rank;
  std::vector<Function> functions;
  std::string text;
};

} // namespace stencilc
