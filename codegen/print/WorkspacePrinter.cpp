#include "codegen/print/WorkspacePrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"
#include "codegen/print/LayoutText.h"
#include "ir/kernel/ArrayLayout.h"
#include "ir/kernel/KernelBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

WorkspacePrinter::WorkspacePrinter(const Program &program)
    : program(program), signature(program.signature), rank(signature.rank()) {
  UniqueNames names;
  for (const std::string &axis : signature.axes)
    names.reserve("row_" + axis);
  for (const Buffer &buffer : program.buffers) {
    const bool isOurs = std::holds_alternative<WorkspaceMemory>(buffer.owner);
    members.push_back(isOurs ? names.fresh(buffer.name) : "");
    count += isOurs;
  }
}

bool WorkspacePrinter::has(Layout layout) const {
  return llvm::any_of(llvm::zip_equal(program.buffers, members), [&](const auto &entry) {
    const auto &[buffer, member] = entry;
    return !member.empty() && buffer.layout == layout;
  });
}

std::string WorkspacePrinter::structure() const {
  if (!isNeeded())
    return "";
  std::string out = "// What a run takes from its workspace: pointers name the point with all "
                    "indices 0.\n"
                    "struct Workspace {\n";
  std::vector<std::string> strides;
  for (const std::string &axis : llvm::drop_end(signature.axes))
    strides.push_back("row_" + axis);
  if (has(Layout::Rows) && rank > 1)
    out += fmt::format("  int64_t {};  // elements between neighbours along an axis\n",
                       llvm::join(strides, ", "));
  for (const auto &[buffer, member] : llvm::zip_equal(program.buffers, members))
    if (!member.empty())
      out += fmt::format("  {} *{};\n", typeName(buffer.type).str(), member);
  return out + "};\n\n";
}

std::vector<std::string> WorkspacePrinter::refusals() const {
  const LayoutText text(signature, {"args.", "args.stride_"});
  const std::string share =
      count == 1 ? "kMaxElements" : fmt::format("double(kMaxElements / {})", count);
  std::vector<std::string> refused;
  for (unsigned axis = 0; axis < rank; ++axis)
    refused.push_back(text.extent(axis) + " < 0");
  const auto refuse = [&](std::string condition) {
    if (!llvm::is_contained(refused, condition))
      refused.push_back(std::move(condition));
  };
  if (rank == 1) {
    refuse(text.extent(0) + " > kMaxExtent");
    return refused;
  }
  if (has(Layout::Strided))
    for (unsigned axis = rank - 1; axis-- > 0;)
      refuse(fmt::format("{} < {}", text.stride(axis),
                         axis + 2 == rank ? text.extent(axis + 1) : text.stride(axis + 1)));
  for (const auto &[buffer, member] : llvm::zip_equal(program.buffers, members)) {
    if (member.empty())
      continue;
    const int line = elementsOfLine(buffer.type);
    std::vector<std::string> factors;
    switch (buffer.layout) {
    case Layout::Strided:
      factors = {fmt::format("({} + {}.0)", text.extent(0),
                             buffer.ghost[0][Low] + buffer.ghost[0][High] + line),
                 text.stride(0)};
      break;
    case Layout::Rows: {
      const LineRows rows = workspaceRows(program);
      factors = {text.roughElements(rows.ghost, rows.line)};
      break;
    }
    case Layout::Dense:
      for (const std::string &length : text.lengths(buffer))
        factors.push_back("double(" + length + ")");
      for (unsigned axis : buffer.axes)
        factors.push_back(fmt::format("({} + {}.0)", text.extent(axis),
                                      buffer.ghost[axis][Low] + buffer.ghost[axis][High]));
      break;
    }
    refuse(llvm::join(factors, std::string(" *") + deeper({kBreak})) + " > " + share);
  }
  return refused;
}

std::string WorkspacePrinter::take(const Buffer &buffer) const {
  std::string before, elements;
  if (buffer.layout == Layout::Dense) {
    std::tie(before, elements) = LayoutText(signature, {"args.", ""}).dense(buffer);
  } else {
    const LayoutText text(signature,
                          {"args.", buffer.layout == Layout::Rows ? "room->row_" : "args.stride_"});
    before = text.lead(buffer.ghost, elementsOfLine(buffer.type), signature.lineStart);
    elements = text.behind(buffer.ghost);
    if (before != "0")
      elements = before + " + " + elements;
  }
  return fmt::format("take<{}>(end,{}{},{}{})", typeName(buffer.type).str(), kBreak,
                     before.empty() ? "0" : before, kBreak, elements);
}

std::string WorkspacePrinter::layOut() const {
  if (!isNeeded())
    return "";
  const std::string args = abiName(signature, "args");
  std::string out = fmt::format("// `count` more elements, from a multiple of {0} bytes on; the "
                                "one that the result names has\n"
                                "// `before` of them ahead of it.\n"
                                "template <class T>\n"
                                "T *take(uintptr_t &end, int64_t before, int64_t count) {{\n"
                                "  const uintptr_t begin = (end + {1}) / {0} * {0};\n"
                                "  end = begin + count * sizeof(T);\n"
                                "  return reinterpret_cast<T *>(begin + before * sizeof(T));\n"
                                "}}\n\n",
                                kWorkspaceAlignment, kWorkspaceAlignment - 1);
  out +=
      "// Lays out the workspace from `begin` on. Returns how many bytes it takes: 0 if no memory "
      "could\n// hold it, or no run takes the arguments.\n";
  out += layOutList("size_t lay_out(",
                    {"const " + args + " &args", "uintptr_t begin", "Workspace *room"}, ") {", 0);
  out += layOutCondition("if (", llvm::join(refusals(), std::string(" ||") + kBreak), ")", 2);
  out += "    return 0;\n";
  if (has(Layout::Rows))
    out += LayoutText(signature, {"args.", "room->row_"}).setStrides(workspaceRows(program));
  out += "  uintptr_t end = begin;\n";
  if (has(Layout::Strided) || has(Layout::Rows))
    out += LayoutText(signature, {}).startOfLines();
  for (const auto &[buffer, member] : llvm::zip_equal(program.buffers, members))
    if (!member.empty())
      out += layOutCondition("room->" + member + " = ", take(buffer), ";", 2);
  return out + "  return end - begin;\n}\n\n";
}

std::string WorkspacePrinter::bytesFunction() const {
  const std::string args = "const " + abiName(signature, "args") + " *";
  const std::string head = "size_t " + abiName(signature, "workspace_bytes") + "(";
  if (!isNeeded())
    return layOutList(head, {args, "int64_t"}, ") { return 0; }", 0);
  return layOutList(head, {args + "args", "int64_t"}, ") {", 0) +
         fmt::format("  if (args == nullptr) return 0;\n"
                     "  Workspace room = {{}};\n"
                     "  const size_t bytes = lay_out(*args, 0, &room);\n"
                     "  // Wherever the workspace starts.\n"
                     "  return bytes == 0 ? 0 : bytes + {};\n"
                     "}}\n",
                     kWorkspaceAlignment - 1);
}

} // namespace stencilc
