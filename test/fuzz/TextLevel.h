// The second level: the meaning of a random program against its printed text, compiled and run on
// the CPU.
#pragma once

#include "test/fuzz/TextRun.h"

namespace stencilc::fuzz {

/// Cases that are compiled by one command into one shared object. Compiling goes on while the
/// caller makes the next batch.
class TextBatch {
public:
  /// Writes every form of the cases into `folder` and starts the compiler. All cases are legal.
  TextBatch(std::vector<Case> cases, std::string folder);
  /// What each case failed with. Waits for the compiler, and runs the programs.
  std::vector<std::optional<Failure>> finish();

  const std::vector<Case> &tested() const { return cases; }

private:
  struct Entry {
    Stencil stencil;
    std::vector<TextForm> forms;
    std::optional<Failure> failure;
  };
  void startCompiler();
  void run(size_t number, void *library);

  std::vector<Case> cases;
  std::string folder;
  std::vector<Entry> entries;
  int compiler = 0; ///< process
};

/// One case alone.
std::optional<Failure> testThroughText(const Case &tested, const std::string &folder);

} // namespace stencilc::fuzz
