// Mutated C through stencilc-lift: whatever the text, it is lifted or refused, in seconds.
//
//   stencilc-fuzz-lift [--seed=N] [--count=N] [--keep=FOLDER] FILE...
//
// Every mutant follows from its number and the files. A mutant that crashes, hangs, is reported by
// a sanitizer or lifts to a text that means something else ends the run of its child process, is
// kept, and counts as a finding.
#include "frontend/lift/CheckText.h"
#include "frontend/lift/ClangRun.h"
#include "frontend/lift/LiftedText.h"
#include "frontend/lift/Wrapper.h"
#include "test/fuzz/Random.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace stencilc;
using namespace stencilc::lift;
using stencilc::fuzz::Random;

namespace {

constexpr unsigned kSeconds = 20, kBatch = 200;

constexpr StringRef kPieces[] = {"+",
                                 "-",
                                 "*",
                                 "/",
                                 "%",
                                 "<",
                                 "<=",
                                 ">",
                                 "==",
                                 "!=",
                                 "&&",
                                 "||",
                                 "!",
                                 "&",
                                 "=",
                                 "+=",
                                 "++",
                                 "(",
                                 ")",
                                 "[",
                                 "]",
                                 "{",
                                 "}",
                                 ";",
                                 ",",
                                 "?",
                                 ":",
                                 "0",
                                 "1",
                                 "2",
                                 "-1",
                                 "2147483647",
                                 "0.5",
                                 "1e308",
                                 "3.0f",
                                 "continue;",
                                 "break;",
                                 "return;",
                                 "else",
                                 "int",
                                 "float",
                                 "double",
                                 "unsigned",
                                 "(float)",
                                 "(int)",
                                 "if (t > 0)",
                                 "% 2",
                                 "% n",
                                 "* 2",
                                 "[0]",
                                 "[i]",
                                 "[i - 1][j]",
                                 "i = i + 1;",
                                 "t",
                                 "i",
                                 "j",
                                 "k",
                                 "n",
                                 "void",
                                 "static",
                                 "const",
                                 "fabs(",
                                 "sizeof",
                                 "+ 1",
                                 "- 1",
                                 "? 0 : i",
                                 "(i + 1) % n",
                                 "for (int k = 0; k < 3; k++)",
                                 "0x7fffffffffffffff",
                                 "while (0)",
                                 "do",
                                 "goto x;",
                                 "x:",
                                 "restrict"};

/// Words, numbers, single signs and the blanks between them.
std::vector<StringRef> tokensOf(StringRef text) {
  std::vector<StringRef> tokens;
  while (!text.empty()) {
    const auto isWord = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
    size_t size = 1;
    if (isWord(text[0]))
      size = text.find_if_not(isWord);
    else if (isSpace(text[0]))
      size = text.find_if_not([](char c) { return isSpace(c); });
    size = std::min(size, text.size());
    tokens.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return tokens;
}

std::string mutated(ArrayRef<std::string> texts, Random &random) {
  const std::vector<StringRef> other = tokensOf(texts[random.below(texts.size())]);
  std::vector<StringRef> tokens = tokensOf(texts[random.below(texts.size())]);
  const unsigned changes = 1 + random.below(random.chance(70) ? 2 : 8);
  for (unsigned change = 0; change < changes && !tokens.empty(); ++change) {
    const size_t here = random.below(tokens.size());
    const size_t there = random.below(tokens.size());
    switch (random.below(7)) {
    case 0:
      tokens.erase(tokens.begin() + here);
      break;
    case 1:
      tokens[here] = kPieces[random.below(std::size(kPieces))];
      break;
    case 2:
      tokens.insert(tokens.begin() + here, kPieces[random.below(std::size(kPieces))]);
      break;
    case 3:
      std::swap(tokens[here], tokens[there]);
      break;
    case 4:
      tokens[here] = tokens[there];
      break;
    case 5:
      tokens[here] = other[random.below(other.size())];
      break;
    default: {
      // A piece of a text, as long as a statement.
      const size_t begin = random.below(other.size());
      const size_t size = std::min<size_t>(other.size() - begin, 1 + random.below(30));
      tokens.insert(tokens.begin() + here, other.begin() + begin, other.begin() + begin + size);
    }
    }
  }
  return join(tokens, "");
}

/// Functions of the file, at most so many.
std::vector<std::string> functionsIn(clang::ASTContext &context) {
  std::vector<std::string> names = {""};
  for (const clang::Decl *declared : context.getTranslationUnitDecl()->decls())
    if (const auto *function = dyn_cast<clang::FunctionDecl>(declared))
      if (function->doesThisDeclarationHaveABody() && names.size() < 4 &&
          context.getSourceManager().isInMainFile(function->getLocation()))
        names.push_back(function->getNameAsString());
  return names;
}

/// True unless a lifted text means something else than its stencil.
bool lifts(const std::string &path, ArrayRef<std::string> flags, unsigned &lifted) {
  const clang::tooling::FixedCompilationDatabase compilation(".", flags);
  bool isRight = true;
  (void)runClang(compilation, path, [&](clang::ASTContext &context) {
    for (const std::string &name : functionsIn(context))
      if (const auto found = understand(context, name)) {
        ++lifted;
        const std::string text = stencilc::lift::lift(found->lifted, found->tree.name, path);
        isRight &= whyDifferent(text, found->lifted.stencil).empty();
        for (const bool keeps : {false, true})
          consumeError(wrapperText(*found, "stencil.h", keeps).takeError());
        (void)originalText(*found, path);
      }
  });
  return isRight;
}

struct Shared {
  uint64_t number;
  unsigned lifted;
};
} // namespace

int main(int argc, char **argv) {
  uint64_t seed = 1, count = 1000;
  std::string keep = "lift-findings";
  std::vector<std::string> texts, flags = {"-w"};
  for (StringRef argument : ArrayRef(argv, argc).drop_front()) {
    if (argument.consume_front("--seed="))
      argument.getAsInteger(10, seed);
    else if (argument.consume_front("--count="))
      argument.getAsInteger(10, count);
    else if (argument.consume_front("--keep="))
      keep = argument.str();
    else if (const auto text = MemoryBuffer::getFile(argument)) {
      texts.push_back((*text)->getBuffer().str());
      const std::string folder = "-I" + sys::path::parent_path(argument).str();
      if (!is_contained(flags, folder))
        flags.push_back(folder);
    }
  }
  if (texts.empty())
    return errs() << "usage: stencilc-fuzz-lift [--seed=N] [--count=N] [--keep=FOLDER] FILE...\n",
           2;
  SmallString<128> folder;
  if (sys::fs::createUniqueDirectory("stencilc-fuzz-lift", folder))
    return 2;
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto textOf = [&](uint64_t number) {
    Random random(seed * 1'000'003 + number);
    return mutated(texts, random);
  };
  const auto suffixOf = [](StringRef text) {
    return text.contains("std::") || text.contains("template") ? ".cpp" : ".c";
  };
  const auto write = [](const Twine &path, StringRef text) {
    std::error_code error;
    raw_fd_ostream(path.str(), error) << text;
  };
  unsigned findings = 0;
  for (uint64_t next = 0; next < count;) {
    if (fork() == 0) {
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      const uint64_t end = std::min<uint64_t>(count, next + kBatch);
      for (shared->number = next; shared->number < end; ++shared->number) {
        const std::string text = textOf(shared->number);
        const std::string path = (folder + "/mutant" + suffixOf(text)).str();
        write(path, text);
        // Its own time, not that of a machine with other work.
        const itimerval limit = {{0, 0}, {kSeconds, 0}};
        ::setitimer(ITIMER_PROF, &limit, nullptr);
        if (!lifts(path, flags, shared->lifted))
          ::_exit(3);
      }
      ::_exit(0);
    }
    int status = 0;
    ::wait(&status);
    if (status != 0) {
      ++findings;
      (void)sys::fs::create_directories(keep);
      const std::string text = textOf(shared->number);
      const std::string path = keep + "/" + std::to_string(shared->number) + suffixOf(text);
      write(path, text);
      outs() << "finding: mutant " << shared->number << " of seed " << seed << ", status " << status
             << ", kept as " << path << "\n";
      outs().flush();
    }
    next = shared->number + (status != 0);
  }
  (void)sys::fs::remove_directories(folder);
  outs() << count << " mutants of seed " << seed << ", " << shared->lifted << " functions lifted, "
         << findings << " findings\n";
  return findings != 0;
}
