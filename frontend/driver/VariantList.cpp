#include "frontend/driver/VariantList.h"

#include "codegen/lower/ValuesOnce.h"
#include "codegen/variants/Aliases.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencilc;

void stencilc::printVariants(llvm::raw_ostream &out) {
  for (const Variant &variant : variants()) {
    out << fmt::format("{:<12} {}\n", variant.name.str(), variant.summary.str());
    if (!variant.flags.empty())
      out << fmt::format("{:<12} flags: {}\n", "", llvm::join(variant.flags, ", "));
  }
  out << fmt::format("\nOf all, flag `{}`: temps are computed again where they are read\n",
                     kTempsAgain.str());
  out << fmt::format("Of all, flag `{}`: values that several points ask for are computed once\n",
                     kValuesOnce.str());
  out << "\nKernels of papers, and the schedules that they are on three axes; a stencil that asks for\n"
         "other blocks gets more rows of threads, or fewer, and on one axis nothing marches:\n";
  llvm::StringRef paper;
  for (const Alias &alias : aliases()) {
    if (alias.paper != paper)
      out << "  " << alias.paper << "\n";
    paper = alias.paper;
    out << fmt::format("    {:<18} {:<34} {}", alias.name.str(), alias.text.str(),
                       alias.kernel.str());
    if (const Alias *twin = alias.twin())
      out << fmt::format(", as {} but for block and chunk", twin->name.str());
    out << "\n";
    if (!alias.note.empty())
      out << fmt::format("    {:<18} {}\n", "", alias.note.str());
    if (!alias.elsewhere.empty())
      out << fmt::format("    {:<18} {}: {}\n", "", alias.where.str(), alias.elsewhere.str());
  }
}
