#include "test/mutation/KernelChecks.h"

#include "ir/run/KernelInterpreter.h"
#include "ir/verify/KernelAudit.h"
#include "ir/verify/KernelVerifier.h"
#include "test/ir/UncheckedProgramFactory.h"
#include "test/programs/HandBuilt.h"

#include <bit>
#include <cmath>
#include <set>

using namespace stencilc;
using namespace stencilc::mutation;

/// One word for a message of the audit or the interpreter.
static std::string wordFor(llvm::StringRef message) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
      {"outside its box", "bounds"},
      {"leaves the memory", "bounds"},
      {"is accessed at", "tile"},
      {"before it has a value", "undefined"},
      {"before it is stored", "undefined"},
      {"before its copy has arrived", "undefined"},
      {"while a copy to it is under way", "race"},
      {"which nothing wrote", "undefined"},
      {"no launch writes", "unwritten"},
      {"in the workspace", "moved"},
      {"is not copied back", "moved"},
      {"a second time", "twice"},
      {"which another thread reads", "race"},
      {"after it is written in the same launch", "race"},
      {"with no barrier between", "race"},
      {"reach a barrier", "barrier"},
      {"reach a shuffle", "shuffle"},
      {"wait at a barrier", "barrier"},
      {"reaches a barrier", "barrier"},
      {"below the least extent", "status"},
      {"leaves the grid along", "status"},
      {"too few for", "status"}};
  for (const auto &[part, word] : words)
    if (message.contains(part))
      return word.str();
  llvm::report_fatal_error("no word for: " + message);
}

std::string mutation::verifierFinds(const Program &program) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  if (verified)
    return "";
  const std::string message = llvm::toString(verified.takeError());
  return llvm::StringRef(message).split(':').first.str();
}

/// True if a run of the program on these extents does anything.
static bool mayRun(const Program &program, llvm::ArrayRef<int64_t> extents) {
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (extent == 0 || extent < program.signature.minimumExtent[axis])
      return false;
  return true;
}

/// The program; and if it asks whether rows are aligned, as it runs where they are.
static std::vector<Program> formsOf(const Program &program) {
  if (!asksForAlignment(program))
    return {program};
  return {program, takingRowsForAligned(program)};
}

std::string mutation::auditFinds(const Subject &subject, const Program &program) {
  std::set<std::pair<std::vector<int64_t>, int>> audited; // the audit runs steps of its own
  for (const Program &form : formsOf(program)) {
    audited.clear();
    for (const fuzz::Case &tested : subject.cases)
      if (mayRun(program, tested.extents) && audited.insert({tested.extents, tested.phase}).second)
        if (llvm::Error error = audit(form, tested.extents, tested.phase))
          return wordFor(llvm::toString(std::move(error)));
  }
  return "";
}

static std::string runFinds(const Stencil &stencil, const VerifiedProgram &program,
                            const fuzz::Case &tested, const fuzz::Reference &reference) {
  InterpretOptions options;
  options.phase = tested.phase;
  options.maxGridYZ = tested.maxGridYZ;
  State seen = reference.start;
  if (llvm::Error error = interpret(program, seen, tested.steps, options)) {
    const std::string word = wordFor(llvm::toString(std::move(error)));
    return reference.isRefused && word == "status" ? "" : word;
  }
  if (reference.isRefused)
    return "status";
  if (const auto where = fuzz::difference(stencil, reference.expected, seen))
    return llvm::StringRef(*where).contains("is nan") ? "NaN" : "value";
  for (auto [number, expected] : llvm::zip_equal(seen.results, reference.numbers))
    if (std::bit_cast<uint64_t>(number) != std::bit_cast<uint64_t>(expected))
      return std::isnan(number) ? "NaN" : "value";
  return "";
}

std::string mutation::runFinds(const Subject &subject, const Program &program) {
  for (Program &form : formsOf(program)) {
    const VerifiedProgram unchecked = UncheckedProgramFactory::make(std::move(form));
    for (auto [tested, reference] : llvm::zip_equal(subject.cases, subject.references))
      if (std::string word = ::runFinds(subject.stencil, unchecked, tested, reference);
          !word.empty())
        return word;
  }
  return "";
}
