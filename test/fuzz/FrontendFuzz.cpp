// stencilc-fuzz-frontend: any bytes at all as a .stn file. Nothing may crash, overflow or run on.
//
// One execution takes one input as far as it gets:
// 1. lexer, parser, meaning; most inputs end there, with their errors;
//    What has the form of a stencil is laid out: nothing but blanks changes, and nothing the second
//    time. Its tree, printed, parses to the same tree, whatever it means;
// 2. an accepted one is printed as a Stencil, for people and, if it is no larger than kMaxExprs and
//    kMaxReach, as a text that means the same Stencil. A tree seen before ends here: all would
//    repeat itself;
// 3. of those, one in kChosenOneIn is lowered as usual, unless that is refused, and its header and
//    main are printed; and if it is as small as that, schedules are chosen for host and device
//    among few candidates: lowered, verified, counted, predicted; and the best printed.
//
// Made for libFuzzer (`./dev fuzz`), with TokenMutations.cpp; in other builds ReplayFiles.cpp runs
// it over files. A first line `//-D k=0.5` stands for that option of the command line.
#include "codegen/lower/Lower.h"
#include "codegen/print/Print.h"
#include "frontend/driver/ChoiceOptions.h"
#include "frontend/language/Format.h"
#include "frontend/language/Frontend.h"
#include "frontend/language/Parser.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/stencil/StencilSource.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cctype>
#include <cstdlib>

using namespace llvm;
using namespace stencilc;

namespace {

// Below these an execution takes milliseconds; what is larger ends with the front end.
constexpr size_t kMaxExprs = 200;
constexpr int kMaxReach = 6;
/// Lowering and choosing take a hundred times as long as the front end: one accepted tree in so
/// many, by its hash, gets there.
constexpr unsigned kChosenOneIn = 8;

[[noreturn]] void fail(const Twine &what, StringRef text) {
  errs() << "stencilc-fuzz-frontend: " << what << "\n" << text << "\n";
  std::abort();
}

DiagnosticEngine engineFor(StringRef text) {
  return DiagnosticEngine(MemoryBuffer::getMemBufferCopy(text, "fuzz.stn"), nulls());
}

FrontendOptions optionsFrom(StringRef text) {
  FrontendOptions options;
  options.real = text.size() % 2 ? ScalarType::F32 : ScalarType::F64;
  if (text.consume_front("//-D ")) {
    auto [name, value] = text.take_until([](char c) { return c == '\n'; }).split('=');
    options.defines.emplace_back(name.str(), value.str());
  }
  return options;
}

uint64_t hashOf(StringRef ast, const FrontendOptions &options) {
  std::string whole = (ast + spelling(options.real)).str();
  for (const auto &[name, value] : options.defines)
    whole += "\n" + name + "=" + value;
  return xxh3_64bits(whole);
}

/// The tree printed as text parses to the same tree.
void checkRoundTrip(StringRef ast) {
  DiagnosticEngine diagnostics = engineFor(ast);
  const std::optional<ast::File> file = parseFile(diagnostics);
  if (!file || diagnostics.hasErrors())
    fail("the printed tree is refused", ast);
  std::string again;
  raw_string_ostream out(again);
  print(out, *file);
  if (again != ast)
    fail("the printed tree parses to another", ast);
}

std::string withoutBlanks(StringRef text) {
  std::string result;
  copy_if(text, std::back_inserter(result),
          [](char c) { return !isspace(static_cast<unsigned char>(c)); });
  return result;
}

void checkFormat(StringRef text) {
  DiagnosticEngine diagnostics = engineFor(text);
  const std::optional<std::string> once = format(diagnostics);
  if (!once)
    return;
  text.consume_front("\xef\xbb\xbf");
  if (withoutBlanks(*once) != withoutBlanks(text))
    fail("more than blanks changed by its layout", text);
  DiagnosticEngine laidOut = engineFor(*once);
  if (format(laidOut) != once)
    fail("the text laid out is laid out otherwise", *once);
}

bool isSmall(const Stencil &stencil) {
  size_t exprs = 0;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      exprs += update.formula.exprs.size();
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    for (const auto &widths : reach(stencil, array))
      for (int width : widths)
        if (width > kMaxReach)
          return false;
  return exprs <= kMaxExprs && stencil.arrays.size() <= 20;
}

/// The stencil printed as text is that stencil.
void checkText(const Stencil &stencil) {
  std::string text;
  raw_string_ostream out(text);
  printSource(out, stencil);
  DiagnosticEngine diagnostics = engineFor(text);
  const std::optional<Stencil> again = analyse(diagnostics, {});
  if (!again)
    fail("the stencil's text is refused", text);
  if (auto what = difference(stencil, *again))
    fail("the stencil's text means another: " + *what, text);
}

/// Of few candidates: one block shape and one chunk per variant and flag.
CommandLine fewCandidates(unsigned rank) {
  static constexpr std::array blocks = {"--block=64", "--block=32x4", "--block=32x4x2"};
  return cantFail(parseCommandLine({"fuzz.stn", blocks[rank - 1], "--chunk=8"}));
}

void checkChoice(const Stencil &stencil, const CommandLine &line,
                 const std::optional<Situation> &situation) {
  const Constraints constraints = cantFail(constraintsOf(stencil, line));
  Expected<Choice> choice = choose(stencil, constraints, situation);
  if (choice) {
    printSource(nulls(), choice->program, {"0", stencil.file, "", {}}, "fuzz.h",
                FloatMode::Contract);
    return;
  }
  Error error = choice.takeError();
  if (error.isA<VerifierFailure>())
    fail(toString(std::move(error)), stencil.name);
  consumeError(std::move(error)); // refused with a reason
}

void compile(const Stencil &stencil, uint64_t hash) {
  print(nulls(), stencil);
  if (isSmall(stencil))
    checkText(stencil);
  if (hash % kChosenOneIn != 0)
    return;
  if (Expected<VerifiedProgram> program = lower(stencil, defaultSchedule(stencil)); !program) {
    Error error = program.takeError();
    if (error.isA<VerifierFailure>())
      fail(toString(std::move(error)), stencil.name);
    return consumeError(std::move(error)); // refused with a reason
  }
  printHeader(nulls(), signatureOf(stencil), {"0", stencil.file, "", {}});
  printMain(nulls(), stencil, Target::Device, {"0", stencil.file, "", {}}, "fuzz.h");
  if (!isSmall(stencil))
    return;
  static const DeviceProfile kepler = cantFail(loadDeviceProfile("k20"));
  static const DeviceProfile hopper = cantFail(loadDeviceProfile("h200"));
  static const CommandLine host = cantFail(parseCommandLine({"fuzz.stn", "--target=host"}));
  checkChoice(stencil, host, std::nullopt);
  const CommandLine line = fewCandidates(stencil.rank());
  const bool isOld = hash / kChosenOneIn % 2 == 0;
  Expected<Situation> situation = situationOf(stencil, line, isOld ? kepler : hopper);
  if (!situation)
    return consumeError(situation.takeError());
  situation->threads = 1;
  checkChoice(stencil, line, *situation);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static DenseSet<uint64_t> seen; ///< hashes of trees
  const StringRef text(reinterpret_cast<const char *>(data), size);
  const FrontendOptions options = optionsFrom(text);
  checkFormat(text);
  DiagnosticEngine diagnostics = engineFor(text);
  std::string ast;
  raw_string_ostream out(ast);
  const std::optional<Stencil> stencil = analyse(diagnostics, options, &out);
  if (!ast.empty())
    checkRoundTrip(ast);
  if (!stencil)
    return 0;
  const uint64_t hash = hashOf(ast, options);
  if (seen.insert(hash >> 1).second) // the set keeps two numbers to itself
    compile(*stencil, hash);
  return 0;
}
