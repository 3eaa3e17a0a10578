#include "codegen/print/InterfacePrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

/// "args.ny + 2": points along an axis with its ghost points.
static std::string pointsWithGhosts(const Signature &signature, unsigned axis, const Widths &ghost,
                                    llvm::StringRef args, int less = 0) {
  const int more = ghost[axis][Low] + ghost[axis][High] - less;
  const std::string points = (args + "n" + signature.axes[axis]).str();
  if (more == 0)
    return points;
  return fmt::format("{} {} {}", points, more < 0 ? '-' : '+', std::abs(more));
}

static std::string parenthesised(const std::string &sum) {
  return llvm::StringRef(sum).contains(' ') ? "(" + sum + ")" : sum;
}

/// "2 * grid.stride_z + grid.stride_y + 1": elements between a point and one `steps` away; empty
/// for none.
static std::string elements(const Signature &signature, const std::array<int, kMaxRank> &steps,
                            llvm::StringRef args) {
  std::string text;
  for (unsigned axis = 0; axis < signature.rank(); ++axis) {
    if (steps[axis] == 0)
      continue;
    const bool isLast = axis + 1 == signature.rank();
    const std::string stride = (args + "stride_" + signature.axes[axis]).str();
    text += text.empty() ? "" : " + ";
    text += isLast             ? std::to_string(steps[axis])
            : steps[axis] == 1 ? stride
                               : fmt::format("{} * {}", steps[axis], stride);
  }
  return text;
}

static std::array<int, kMaxRank> side(const Widths &ghost, Side side) {
  return {ghost[0][side], ghost[1][side], ghost[2][side]};
}

// ---- check ------------------------------------------------------------------------------------

namespace {

class CheckPrinter {
public:
  explicit CheckPrinter(const Signature &signature)
      : signature(signature), rank(signature.rank()), ghosts(widestGhosts(signature)),
        buffers(callerBuffers(signature)) {}

  std::string print();

private:
  const Signature &signature;
  const unsigned rank;
  const Widths ghosts;
  const std::vector<Buffer> buffers;

  std::string refuse(const std::string &condition, llvm::StringRef status) const {
    return layOutRefusal(condition, "return " + statusName(signature, status) + ";");
  }
  static std::string layOutRefusal(const std::string &condition, const std::string &then);
  std::string pointers() const;
  std::string extents() const;
  std::string strides() const;
  std::string overlaps() const;
  std::string range(const Buffer &buffer) const;
};

std::string CheckPrinter::layOutRefusal(const std::string &condition, const std::string &then) {
  const std::string line = "  if (" + flat(condition) + ") " + then;
  if (line.size() <= kColumns)
    return line + "\n";
  return layOutCondition("if (", condition, ")", 2) + "    " + then + "\n";
}

static std::string either(llvm::ArrayRef<std::string> conditions) {
  return llvm::join(conditions, std::string(" ||") + kBreak);
}

std::string CheckPrinter::pointers() const {
  std::vector<std::string> conditions;
  for (const Buffer &buffer : buffers)
    conditions.push_back("args." + buffer.name + " == nullptr");
  return refuse(either(conditions), "NULL");
}

std::string CheckPrinter::extents() const {
  std::vector<std::string> tooSmall, tooLarge;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const std::string extent = "args.n" + signature.axes[axis];
    if (signature.minimumExtent[axis] > 1)
      tooSmall.push_back(fmt::format("{} < {}", extent, signature.minimumExtent[axis]));
    tooLarge.push_back(extent + " > kMaxExtent");
  }
  return (tooSmall.empty() ? "" : refuse(either(tooSmall), "TOO_SMALL")) +
         refuse(either(tooLarge), "TOO_LARGE");
}

std::string CheckPrinter::strides() const {
  std::string out = "\n  // Elements from the first to the last point of a row, a plane, an array, "
                    "both included.\n";
  if (rank == 1)
    out = "\n  // Elements from the first to the last point of an array, both included.\n";
  const unsigned last = rank - 1;
  out += fmt::format("  {}int64_t span = {};\n", rank == 1 ? "const " : "",
                     pointsWithGhosts(signature, last, ghosts, "args."));
  for (unsigned axis = last; axis-- > 0;) {
    const std::string stride = "args.stride_" + signature.axes[axis];
    out += refuse(stride + " < span", "STRIDE");
    out += refuse(fmt::format("{} > kMaxElements / {}", stride,
                              parenthesised(pointsWithGhosts(signature, axis, ghosts, "args."))),
                  "TOO_LARGE");
    out +=
        fmt::format("  span += {} * {};\n",
                    parenthesised(pointsWithGhosts(signature, axis, ghosts, "args.", 1)), stride);
  }
  return out;
}

/// The elements of a buffer as a MemoryRange: from the first ghost point on.
std::string CheckPrinter::range(const Buffer &buffer) const {
  std::string before, count;
  switch (buffer.layout) {
  case Layout::Strided: {
    before = elements(signature, side(buffer.ghost, Low), "args.");
    // The span counts the widest ghosts; what an array lacks of them is not its own.
    std::array<int, kMaxRank> lacking = {};
    for (unsigned axis = 0; axis < rank; ++axis)
      for (Side end : {Low, High})
        lacking[axis] += ghosts[axis][end] - buffer.ghost[axis][end];
    const std::string missing = elements(signature, lacking, "args.");
    count = missing.empty() ? "span" : "span - " + parenthesised(missing);
    break;
  }
  case Layout::Dense:
    for (unsigned axis : buffer.axes) {
      const std::string points = pointsWithGhosts(signature, axis, buffer.ghost, "args.");
      count += (count.empty() ? "" : " * ") + parenthesised(points);
    }
    for (unsigned position = 0; position < buffer.axes.size(); ++position) {
      std::string term = std::to_string(buffer.ghost[buffer.axes[position]][Low]);
      if (term == "0")
        continue;
      for (unsigned inner = position + 1; inner < buffer.axes.size(); ++inner)
        term += " * " + parenthesised(
                            pointsWithGhosts(signature, buffer.axes[inner], buffer.ghost, "args."));
      before += (before.empty() ? "" : " + ") + term;
    }
  }
  return fmt::format("range(args.{}, {}, {})", buffer.name, before.empty() ? "0" : before, count);
}

std::string CheckPrinter::overlaps() const {
  if (buffers.size() < 2)
    return "";
  std::string out;
  // Products of two extents may pass what memory can hold where no stride bounds them.
  for (const SignatureArray &array : signature.arrays)
    if (array.axes.size() < rank && array.axes.size() > 1) {
      const std::string rows = pointsWithGhosts(signature, array.axes[0], array.ghost, "args.");
      const std::string row = pointsWithGhosts(signature, array.axes[1], array.ghost, "args.");
      out += refuse(fmt::format("{} > kMaxElements / {}", rows, parenthesised(row)), "TOO_LARGE");
    }
  out += "\n  const MemoryRange ranges[] = {\n";
  for (const Buffer &buffer : buffers)
    out += "      " + range(buffer) + ",\n";
  out += "  };\n";
  out += fmt::format("  for (int i = 0; i < {}; ++i)\n", buffers.size());
  out += "    for (int j = 0; j < i; ++j)\n";
  out += fmt::format("      if (ranges[i].begin < ranges[j].end && ranges[j].begin < "
                     "ranges[i].end)\n        return {};\n",
                     statusName(signature, "OVERLAP"));
  return out;
}

std::string CheckPrinter::print() {
  std::string out;
  out += "// The bytes an array takes, ghost points included.\n"
         "struct MemoryRange {\n"
         "  uintptr_t begin, end;\n"
         "};\n\n"
         "// `count` elements, `before` of them ahead of the point that `origin` names.\n"
         "template <class T>\n"
         "MemoryRange range(const T *origin, int64_t before, int64_t count) {\n"
         "  const uintptr_t begin = reinterpret_cast<uintptr_t>(origin) - before * sizeof(T);\n"
         "  return {begin, begin + count * sizeof(T)};\n"
         "}\n\n";
  if (buffers.size() < 2)
    out.clear();
  out = "// Coordinates past the end of an axis still fit 32 bits, and bytes 63.\n"
        "constexpr int64_t kMaxExtent = 2000000000;\n" +
        std::string(rank > 1 ? "constexpr int64_t kMaxElements = int64_t{1} << 58;\n" : "") + "\n" +
        out;
  out += "// Refuses what a run of at least one step on at least one point could not honour.\n";
  out += fmt::format("{} check(const {} &args) {{\n", abiName(signature, "status"),
                     abiName(signature, "args"));
  out += pointers() + extents();
  if (rank > 1 || buffers.size() > 1)
    out += strides();
  out += overlaps();
  return out + fmt::format("  return {};\n}}\n", statusName(signature, "OK"));
}

} // namespace

std::string printCheck(const Signature &signature) { return CheckPrinter(signature).print(); }

// ---- defaults, layout, texts ------------------------------------------------------------------

static std::string printDefaults(const Signature &signature) {
  const std::string type = abiName(signature, "args");
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SignatureParam &param : signature.params)
    lines.push_back({fmt::format("  args.{} = {};", param.name,
                                 literalText(param.type, param.defaultValue.value_or(NAN))),
                     param.defaultValue ? "" : "// no default: not a number"});
  return fmt::format("{0} {0}_default(void) {{\n  {0} args = {{}};\n", type) +
         alignComments(lines) + "  return args;\n}\n";
}

/// Whether the products of a layout stay within 64 bits: with room for ghost points and padding.
static std::string canBeLaidOut(const Signature &signature, const Widths &ghosts, int line) {
  std::vector<std::string> negative, factors;
  for (unsigned axis = 0; axis < signature.rank(); ++axis) {
    const std::string extent = "args->n" + signature.axes[axis];
    negative.push_back(extent + " < 0");
    factors.push_back(
        fmt::format("({} + {}.0)", extent, ghosts[axis][Low] + ghosts[axis][High] + line));
  }
  const std::string tooLarge =
      signature.rank() == 1
          ? "args->n" + signature.axes[0] + " > kMaxExtent"
          : llvm::join(factors, std::string(" *") + deeper({kBreak})) + " > kMaxElements";
  negative.push_back(tooLarge);
  return llvm::join(negative, std::string(" ||") + kBreak);
}

static std::string printLayout(const Signature &signature) {
  const unsigned rank = signature.rank(), last = rank - 1;
  const auto [ghosts, line, first] = recommendedRows(signature);

  std::string out = layOutList(
      "void " + abiName(signature, "layout") + "(",
      {abiName(signature, "args") + " *args", "int64_t *lead_padding", "int64_t *elements"}, ") {",
      0);
  std::string nothing = "*lead_padding = *elements = 0";
  for (unsigned axis = 0; axis < last; ++axis)
    nothing = fmt::format("args->stride_{} = ", signature.axes[axis]) + nothing;
  out += "  // No memory holds such arrays, and no run takes them.\n";
  out += layOutCondition("if (", canBeLaidOut(signature, ghosts, line), ") {", 2);
  out += "    " + nothing + ";\n    return;\n  }\n";
  if (rank > 1)
    out += fmt::format("  // Every row starts where the first does on its memory line of {} "
                       "elements.\n",
                       line);
  if (rank > 1)
    out += fmt::format("  args->stride_{0} = (args->n{1} + {2}) / {3} * {3};\n",
                       signature.axes[last - 1], signature.axes[last],
                       ghosts[last][Low] + ghosts[last][High] + line - 1, line);
  if (rank > 2)
    out += fmt::format("  args->stride_{} = args->stride_{} * {};\n", signature.axes[0],
                       signature.axes[1],
                       parenthesised(pointsWithGhosts(signature, 1, ghosts, "args->")));
  // The first updated point starts a line, and the ghost points before point (0,0,0) fit.
  const int shift = ghosts[last][Low] + first;
  std::array<int, kMaxRank> before = side(ghosts, Low);
  before[last] = (shift + line - 1) / line * line - first;
  const std::string lead = elements(signature, before, "args->");
  out += fmt::format("  // The first updated point of a row, {} = {}, starts a line.\n",
                     signature.axes[last], first);
  out += fmt::format("  *lead_padding = {};\n", lead.empty() ? "0" : lead);
  std::string rows = fmt::format("args->n{}", signature.axes[0]);
  if (ghosts[0][High] != 0)
    rows += fmt::format(" + {}", ghosts[0][High]);
  out += rank == 1 ? fmt::format("  *elements = *lead_padding + {};\n", rows)
                   : fmt::format("  *elements = *lead_padding + {} * args->stride_{};\n",
                                 parenthesised(rows), signature.axes[0]);
  return out + "}\n";
}

static std::string printTexts(const Signature &signature) {
  std::vector<std::string> minima;
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (signature.minimumExtent[axis] > 1)
      minima.push_back(
          fmt::format("n{} >= {}", signature.axes[axis], signature.minimumExtent[axis]));
  std::string tooSmall = "an extent is below the reach of a periodic access";
  if (!minima.empty())
    tooSmall += "; needed: " + llvm::join(minima, ", ");
  const std::pair<const char *, std::string> texts[] = {
      {"OK", "no error"},
      {"NULL", "a pointer is null"},
      {"EXTENT", "an extent or the number of steps is negative"},
      {"STRIDE", "a stride is smaller than the row or plane it steps over, ghost points included"},
      {"OVERLAP", "two arrays overlap, ghost points included"},
      {"TOO_SMALL", tooSmall},
      {"TOO_LARGE", "an extent or a stride is too large to address"},
      {"WORKSPACE", "the workspace is too small"},
      {"LAUNCH", "CUDA refused to launch a kernel"}};
  std::string out = fmt::format("const char *{}({} status) {{\n  switch (status) {{\n",
                                abiName(signature, "strerror"), abiName(signature, "status"));
  for (const auto &[status, text] : texts)
    out += fmt::format("  case {}:\n    return \"{}\";\n", statusName(signature, status), text);
  return out + "  }\n  return \"unknown status\";\n}\n";
}

std::string printInterface(const Program &program) {
  const Signature &signature = program.signature;
  std::string out = printDefaults(signature) + "\n" + printLayout(signature) + "\n";
  out +=
      layOutList("size_t " + abiName(signature, "workspace_bytes") + "(",
                 {"const " + abiName(signature, "args") + " *", "int64_t"}, ") { return 0; }", 0);
  return out + "\n" + printTexts(signature);
}

} // namespace stencilc
