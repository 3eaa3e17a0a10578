#include "frontend/lift/LiftOptions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace stencilc::lift {

/// Names between commas; those between the brackets of a template belong to the name.
static std::vector<std::string> namesIn(StringRef text) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (char letter : text) {
    depth += (letter == '<') - (letter == '>');
    if (letter == ',' && depth == 0)
      names.emplace_back();
    else
      names.back() += letter;
  }
  return names;
}

Expected<LiftOptions> parseLiftOptions(ArrayRef<const char *> arguments) {
  LiftOptions options;
  for (size_t number = 0; number < arguments.size(); ++number) {
    StringRef argument = arguments[number];
    const auto valueOf = [&](StringRef option) -> Expected<std::string> {
      if (argument.size() > option.size())
        return argument.substr(option.size()).str();
      if (number + 1 == arguments.size())
        return createStringError("`" + option.str() + "` needs a value");
      return std::string(arguments[++number]);
    };
    if (argument == "--") {
      options.flags.assign(arguments.begin() + number + 1, arguments.end());
      break;
    }
    if (argument == "--help" || argument == "-h") {
      options.wantsHelp = true;
      return options;
    }
    if (argument == "--version") {
      options.wantsVersion = true;
      return options;
    }
    if (argument == "--check") {
      options.check = true;
    } else if (argument == "--emit=wrapper") {
      options.wantsWrapper = true;
    } else if (argument == "--keep") {
      options.keep = true;
    } else if (argument == "--emit=stn") {
      options.wantsWrapper = false;
    } else if (argument.consume_front("--function=")) {
      options.functions = namesIn(argument);
    } else if (argument.starts_with("-o") || argument.starts_with("-p")) {
      const bool isOutput = argument[1] == 'o';
      auto value = valueOf(isOutput ? "-o" : "-p");
      if (!value)
        return value.takeError();
      (isOutput ? options.output : options.database) = std::move(*value);
    } else if (argument.starts_with("-") && argument != "-") {
      return createStringError("`" + argument.str() +
                               "` is not understood; flags for the compiler "
                               "come behind `--`");
    } else if (options.input.empty()) {
      options.input = argument.str();
    } else
      return createStringError("there are two inputs: `" + options.input + "` and `" +
                               argument.str() + "`");
  }
  if (options.functions.size() > 1 && !options.check)
    return createStringError("one function at a time is written; --check takes several");
  if (options.keep && !options.wantsWrapper)
    return createStringError("--keep is for --emit=wrapper");
  if (options.input.empty())
    return createStringError("there is no input; try --help");
  return options;
}

void printLiftHelp(raw_ostream &out) {
  out << "stencilc-lift FILE.c [options] [-- compile flags]\n"
         "Reads loops in C or C++ and writes the stencil that they are, or says why they are "
         "none.\n"
         "\n"
         "  -o FILE            where to write (default: standard output)\n"
         "  --function=NAME    the function to lift, if the file has several; --check takes "
         "NAME,NAME,...\n"
         "  --emit=wrapper     write the C++ that gives the stencil the function's own prototype\n"
         "  --keep             the wrapper keeps arrays on the device from call to call\n"
         "  --check            compile and run both, and compare bit for bit\n"
         "  -p FOLDER          take the flags from the compilation database there\n"
         "  --help, --version\n";
}

} // namespace stencilc::lift
