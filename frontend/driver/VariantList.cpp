#include "frontend/driver/VariantList.h"

#include "codegen/lower/PeeledPlanes.h"
#include "codegen/lower/ValuesOnce.h"
#include "codegen/variants/Aliases.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencilc;

/// Parts of a schedule, in their order.
static constexpr std::pair<const char *, const char *> kParts[] = {
    {"32x4x1", "threads of a block along x, y and z, as many as the stencil has axes"},
    {"c32", "a chunk: planes of the slowest axis that a thread marches through"},
    {"t2", "time steps that one launch makes"},
    {"v4x2", "points of a thread along x, in vectors, and along y"},
    {"p1", "planes, or chunks, that are loaded ahead of a march"},
    {"b4", "a band: blocks along y in a launch at most, of three axes"},
    {"r2", "blocks that an SM is promised to hold; without it as many as suit the registers"},
    {"share44x7",
     "on two axes: 44 blocks share the chunks of 7 tiles; a third number: of the outer ones"},
};

static void printLine(llvm::raw_ostream &out, llvm::StringRef name, llvm::StringRef meaning) {
  out << fmt::format("{:<12} {:<10} {}\n", "", name.str(), meaning.str());
}

/// What a kernel and its twin differ in.
static std::string differences(const Alias &alias, const Alias &twin) {
  std::vector<std::string> different = {"block", "chunk"};
  for (const VariantFlag &flag : {kPeelFlag, kLdgFlag})
    if (alias.text.contains(flag.name) != twin.text.contains(flag.name))
      different.push_back("`" + flag.name.str() + "`");
  const std::string last = different.back();
  different.pop_back();
  return fmt::format("{} and {}", fmt::join(different, ", "), last);
}

void stencilc::printVariants(llvm::raw_ostream &out) {
  for (const Variant &variant : variants()) {
    out << fmt::format("{:<12} {}\n", variant.name.str(), variant.summary.str());
    for (const VariantFlag &flag : variant.flags)
      printLine(out, flag.name, flag.meaning);
  }
  out << fmt::format("\nOf all, flag `{}`: temps are computed again where they are read\n",
                     kTempsAgain.str());
  out << fmt::format("Of all, flag `{}`: values that several points ask for are computed once\n",
                     kValuesOnce.str());
  out << "\nA schedule is VARIANT/BLOCK and what is wanted of /cN/tN/vNxN/pN/bN/rN/FLAG:\n";
  for (const auto &[part, meaning] : kParts)
    printLine(out, part, meaning);
  out << "\nKernels of papers, and the schedules that they are on three axes. A stencil that asks "
         "for\n"
         "  other blocks gets more rows of threads, or fewer; on one axis nothing marches.\n";
  llvm::StringRef paper;
  for (const Alias &alias : aliases()) {
    if (alias.paper != paper)
      out << "  " << alias.paper << "\n";
    paper = alias.paper;
    out << fmt::format("    {:<18} {:<34} {}", alias.name.str(), alias.text.str(),
                       alias.kernel.str());
    if (const Alias *twin = alias.twin())
      out << fmt::format(", as {} but for {}", twin->name.str(), differences(alias, *twin));
    out << "\n";
    if (!alias.note.empty())
      out << fmt::format("    {:<18} {}\n", "", alias.note.str());
    if (!alias.elsewhere.empty())
      out << fmt::format("    {:<18} {}: {}\n", "", alias.where.str(), alias.elsewhere.str());
  }
}
