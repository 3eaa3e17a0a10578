#include "codegen/print/InterfacePrinter.h"
#include "codegen/print/AbiNames.h"
#include "codegen/print/KernelPrinter.h"
#include "codegen/print/Layout.h"
#include "codegen/print/LayoutText.h"
#include "codegen/print/WorkspacePrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

// ---- check ------------------------------------------------------------------------------------

namespace {

class CheckPrinter {
public:
  CheckPrinter(const Signature &signature, llvm::ArrayRef<std::string> onlyExtents,
               bool hasWorkspace, HelperSet &helpers)
      : signature(signature), rank(signature.rank()), onlyExtents(onlyExtents),
        hasWorkspace(hasWorkspace), ghosts(widestGhosts(signature)),
        buffers(callerBuffers(signature)), text(signature, {"args.", "args.stride_"}),
        helpers(helpers) {}

  std::string print();

private:
  const Signature &signature;
  const unsigned rank;
  const llvm::ArrayRef<std::string> onlyExtents; ///< constants of the text
  const bool hasWorkspace;
  const Widths ghosts;
  const std::vector<Buffer> buffers;
  const LayoutText text;
  HelperSet &helpers;

  /// Memory that must be apart from the other.
  size_t ranges() const { return buffers.size() + hasWorkspace; }

  std::string refuse(const std::string &condition, llvm::StringRef status) const {
    return layOutRefusal(condition, "return " + statusName(signature, status) + ";");
  }
  static std::string layOutRefusal(const std::string &condition, const std::string &then);
  std::string pointers() const;
  std::string extents() const;
  std::string reductions() const;
  std::string regions() const;
  std::string meetings() const;
  std::string steps() const;
  std::string strides() const;
  std::string workspace() const;
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

static bool isResult(const Buffer &buffer) {
  return std::holds_alternative<CallerResult>(buffer.owner);
}

std::string CheckPrinter::pointers() const {
  std::vector<std::string> conditions;
  for (const Buffer &buffer : buffers)
    if (!isResult(buffer))
      conditions.push_back("args." + buffer.name + " == nullptr");
  return refuse(either(conditions), "NULL");
}

std::string CheckPrinter::extents() const {
  std::vector<std::string> others, tooSmall, tooLarge;
  for (auto [axis, only] : llvm::enumerate(onlyExtents))
    others.push_back(text.extent(axis) + " != " + only);
  if (!others.empty())
    return refuse(either(others), "EXTENT") + reductions();
  for (unsigned axis = 0; axis < rank; ++axis) {
    const std::string extent = text.extent(axis);
    if (signature.minimumExtent[axis] > 1)
      tooSmall.push_back(fmt::format("{} < {}", extent, signature.minimumExtent[axis]));
    tooLarge.push_back(extent + " > kMaxExtent");
  }
  return (tooSmall.empty() ? "" : refuse(either(tooSmall), "TOO_SMALL")) +
         refuse(either(tooLarge), "TOO_LARGE") + reductions();
}

/// The runs of all rows that a reduction takes (ir/stencil/ReductionTree.h) are one list.
std::string CheckPrinter::reductions() const {
  if (signature.results.empty())
    return "";
  std::string rows;
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    rows += fmt::format(fmt::runtime(axis == 0 ? "double(args.n{}) * " : "args.n{} * "),
                        signature.axes[axis]);
  const int run = signature.reductionTree.run();
  const std::string runs =
      fmt::format("((args.n{} + {}) / {})", signature.axes.back(), run - 1, run);
  return refuse(fmt::format("{}{} > {}", rows, runs, signature.mostRuns()), "TOO_LARGE");
}

/// Whole params keep regions on the grid.
std::string CheckPrinter::regions() const {
  std::vector<std::string> conditions;
  for (const auto &[place, range] : signature.paramRanges) {
    const auto [axis, number] = place;
    const std::string param = "args." + signature.params[number].name;
    std::string most = "args.n" + signature.axes[axis];
    if (range.most != 0)
      most += fmt::format(" {} {}", range.most < 0 ? '+' : '-', std::abs(range.most));
    conditions.push_back(fmt::format("{} < {}", param, -range.least));
    conditions.push_back(fmt::format("{} > {}", param, most));
  }
  return conditions.empty() ? "" : refuse(either(conditions), "REGION");
}

/// Regions that must be apart have no point in common.
std::string CheckPrinter::meetings() const {
  LeafNames names;
  nameGrid(names, signature.axes, {"args.", "args.", ""});
  for (const SignatureParam &param : signature.params)
    names.params.push_back("args." + param.name);
  ExpressionPrinter expressions(Target::Host, FloatMode::Contract, rank, names, helpers);
  std::string out;
  for (const auto &[left, right] : signature.apart) {
    const PointBox one = boxOf(left, rank, signature.paramRanges);
    const PointBox other = boxOf(right, rank, signature.paramRanges);
    std::vector<std::string> conditions;
    for (unsigned axis = 0; axis < rank; ++axis)
      conditions.push_back(expressions.index(maximum(one.begin[axis], other.begin[axis])) + " < " +
                           expressions.index(minimum(one.end[axis], other.end[axis])));
    out += refuse(llvm::join(conditions, std::string(" &&") + kBreak), "REGION");
  }
  return out;
}

/// Arrays over time have a value for every step, and steps can be counted.
std::string CheckPrinter::steps() const {
  if (!signature.countsSteps)
    return "";
  std::string out = refuse("args.step > INT64_MAX - steps", "TOO_LARGE");
  std::vector<std::string> conditions;
  for (const SignatureArray &array : signature.arrays) {
    if (!array.overTime)
      continue;
    const auto [first, last] = *array.overTime;
    const std::string held = "args." + array.name + "_steps";
    out += refuse(held + " > kMaxElements", "TOO_LARGE");
    conditions.push_back(fmt::format("args.step < {}", -first));
    conditions.push_back(held + " < 1");
    std::string left = held;
    if (last != 0)
      left += fmt::format(" {} {}", last < 0 ? '+' : '-', std::abs(last));
    conditions.push_back(fmt::format("steps > {} - args.step", left));
  }
  if (conditions.empty())
    return out;
  // Without results a run of no steps does not come here.
  const bool mayTakeNone = !signature.results.empty();
  return out +
         refuse(mayTakeNone ? "steps > 0 && (" + either(conditions) + ")" : either(conditions),
                "STEPS");
}

std::string CheckPrinter::strides() const {
  std::string out = "\n  // Elements from the first to the last point of a row, a plane, an array, "
                    "both included.\n";
  if (rank == 1)
    out = "\n  // Elements from the first to the last point of an array, both included.\n";
  const unsigned last = rank - 1;
  out +=
      fmt::format("  {}int64_t span = {};\n", rank == 1 ? "const " : "", text.points(last, ghosts));
  for (unsigned axis = last; axis-- > 0;) {
    const std::string stride = text.stride(axis);
    out += refuse(stride + " < span", "STRIDE");
    out += refuse(
        fmt::format("{} > kMaxElements / {}", stride, parenthesised(text.points(axis, ghosts))),
        "TOO_LARGE");
    out += fmt::format("  span += {} * {};\n", parenthesised(text.points(axis, ghosts, 1)), stride);
  }
  return out;
}

/// The elements of a buffer as a MemoryRange: from the first ghost point on.
std::string CheckPrinter::range(const Buffer &buffer) const {
  std::string before, count;
  switch (buffer.layout) {
  case Layout::Strided: {
    before = text.elements(ofSide(buffer.ghost, Low));
    // The span counts the widest ghosts; what an array lacks of them is not its own.
    std::array<int, kMaxRank> lacking = {};
    for (unsigned axis = 0; axis < rank; ++axis)
      for (Side end : {Low, High})
        lacking[axis] += ghosts[axis][end] - buffer.ghost[axis][end];
    const std::string missing = text.elements(lacking);
    count = missing.empty() ? "span" : "span - " + parenthesised(missing);
    break;
  }
  case Layout::Dense:
    std::tie(before, count) = text.dense(buffer);
    if (buffer.isOverTime)
      count = "args." + buffer.name + "_steps";
    if (isResult(buffer)) // none where it is left out
      count = "args." + buffer.name + " != nullptr";
    break;
  case Layout::Rows:
    llvm_unreachable("the caller passes none");
  }
  return fmt::format("range(args.{}, {}, {})", buffer.name, before.empty() ? "0" : before, count);
}

std::string CheckPrinter::workspace() const {
  return "\n  const uintptr_t start = reinterpret_cast<uintptr_t>(workspace);\n"
         "  const size_t needed = lay_out(args, start, room);\n" +
         refuse("needed == 0", "TOO_LARGE") + refuse("workspace_bytes < needed", "WORKSPACE") +
         refuse("workspace == nullptr", "NULL");
}

std::string CheckPrinter::overlaps() const {
  if (ranges() < 2)
    return "";
  std::string out;
  // Products of two extents may pass what memory can hold where no stride bounds them.
  for (const SignatureArray &array : signature.passed())
    if (array.axes.size() < rank && array.axes.size() > 1) {
      const std::string rows = text.points(array.axes[0], array.ghost);
      const std::string row = text.points(array.axes[1], array.ghost);
      out += refuse(fmt::format("{} > kMaxElements / {}", rows, parenthesised(row)), "TOO_LARGE");
    }
  out += "\n  const MemoryRange ranges[] = {\n";
  for (const Buffer &buffer : buffers)
    out += "      " + range(buffer) + ",\n";
  if (hasWorkspace)
    out += "      {start, start + needed},\n";
  out += "  };\n";
  out += fmt::format("  for (int i = 0; i < {}; ++i)\n", ranges());
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
  if (ranges() < 2)
    out.clear();
  out += "// Refuses what a run of at least one step on at least one point could not honour.\n";
  std::vector<std::string> parameters = {"const " + abiName(signature, "args") + " &args"};
  if (signature.countsSteps)
    parameters.push_back("int64_t steps");
  if (hasWorkspace)
    llvm::append_range(parameters, std::vector{"const void *workspace", "size_t workspace_bytes",
                                               "Workspace *room"});
  out += layOutList(abiName(signature, "status") + " check(", parameters, ") {", 0);
  out += pointers() + extents() + regions() + meetings() + steps();
  if (rank > 1 || ranges() > 1)
    out += strides();
  if (hasWorkspace)
    out += workspace();
  out += overlaps();
  return out + fmt::format("  return {};\n}}\n", statusName(signature, "OK"));
}

} // namespace

std::string printCheck(const Program &program, const FileNames &file, HelperSet &helpers) {
  const Signature &signature = program.signature;
  const WorkspacePrinter workspace(program);
  std::string out =
      fmt::format("// Coordinates past the end of an axis still fit 32 bits, and bytes 63.\n"
                  "constexpr int64_t kMaxExtent = {};\n",
                  kMaxExtent);
  if (signature.rank() > 1 || hasArraysOverTime(signature))
    out += "constexpr int64_t kMaxElements = int64_t{1} << 58;\n";
  if (llvm::any_of(program.kernels, [](const Kernel &kernel) { return kernel.hasShortAddresses; }))
    out += fmt::format("// So many elements, with those that are computed beside a grid, have "
                       "addresses of 32 bits.\n"
                       "constexpr int64_t kMaxShort = {};\n",
                       program.mostShort);
  out += "\n" + workspace.layOut();
  return out + CheckPrinter(signature, file.extents, workspace.isNeeded(), helpers).print();
}

// ---- defaults, layout, texts ------------------------------------------------------------------

static std::string printDefaults(const Signature &signature) {
  const std::string type = abiName(signature, "args");
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SignatureParam &param : signature.params)
    if (param.type == ScalarType::Int && !param.defaultValue)
      lines.push_back({fmt::format("  args.{} = INT64_MIN;", param.name), "// no default"});
    else
      lines.push_back({fmt::format("  args.{} = {};", param.name,
                                   literalText(param.type, param.defaultValue.value_or(NAN))),
                       param.defaultValue ? "" : "// no default: not a number"});
  return fmt::format("{0} {0}_default(void) {{\n  {0} args = {{}};\n", type) +
         alignComments(lines) + "  return args;\n}\n";
}

static std::string printLayout(const Signature &signature) {
  const unsigned rank = signature.rank(), last = rank - 1;
  const LineRows rows = recommendedRows(signature);
  const LayoutText text(signature, {"args->", "args->stride_"});

  std::string out = layOutList(
      "void " + abiName(signature, "layout") + "(",
      {abiName(signature, "args") + " *args", "int64_t *lead_padding", "int64_t *elements"}, ") {",
      0);
  std::string nothing = "*lead_padding = *elements = 0";
  for (unsigned axis = 0; axis < last; ++axis)
    nothing = text.stride(axis) + " = " + nothing;
  std::vector<std::string> tooLarge;
  for (unsigned axis = 0; axis < rank; ++axis)
    tooLarge.push_back(text.extent(axis) + " < 0");
  tooLarge.push_back(rank == 1 ? text.extent(0) + " > kMaxExtent"
                               : text.roughElements(rows.ghost, rows.line) + " > kMaxElements");
  out += "  // No memory holds such arrays, and no run takes them.\n";
  out += layOutCondition("if (", either(tooLarge), ") {", 2);
  out += "    " + nothing + ";\n    return;\n  }\n";
  out += text.setStrides(rows);
  // That point starts a line, and the ghost points before point (0,0,0) fit.
  out += text.startOfLines();
  out += fmt::format("  *lead_padding = {};\n", text.lead(rows.ghost, rows.line, rows.lineStart));
  out += fmt::format("  *elements = *lead_padding + {};\n", text.behind(rows.ghost));
  return out + "}\n";
}

static std::string printTexts(const Signature &signature, llvm::ArrayRef<int64_t> onlyExtents) {
  std::vector<std::string> minima;
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (signature.minimumExtent[axis] > 1)
      minima.push_back(
          fmt::format("n{} >= {}", signature.axes[axis], signature.minimumExtent[axis]));
  std::string tooSmall = "an extent is below the least that the stencil takes";
  if (!minima.empty())
    tooSmall += "; needed: " + llvm::join(minima, ", ");
  std::string extent = "an extent or the number of steps is negative";
  if (!onlyExtents.empty()) {
    std::vector<std::string> taken;
    for (const auto &[axis, points] : llvm::zip_equal(signature.axes, onlyExtents))
      taken.push_back(fmt::format("n{} = {}", axis, points));
    extent = "the number of steps is negative, or the grid is not the one that this code is for: " +
             llvm::join(taken, ", ");
  }
  std::vector<std::pair<const char *, std::string>> texts = {
      {"OK", "no error"},
      {"NULL", "a pointer is null"},
      {"EXTENT", extent},
      {"STRIDE", "a stride is smaller than the row or plane it steps over, ghost points included"},
      {"OVERLAP", "two arrays overlap, ghost points included"},
      {"TOO_SMALL", tooSmall},
      {"TOO_LARGE", "an extent or a stride is too large to address"},
      {"WORKSPACE", "the workspace is too small"},
      {"LAUNCH", "CUDA refused to launch a kernel"}};
  if (!signature.paramRanges.empty())
    texts.push_back({"REGION", "a param puts a region beyond the grid or upon another"});
  if (hasArraysOverTime(signature))
    texts.push_back({"STEPS", "an array over time has no value for a step of the run"});
  std::string out = fmt::format("const char *{}({} status) {{\n  switch (status) {{\n",
                                abiName(signature, "strerror"), abiName(signature, "status"));
  for (const auto &[status, text] : texts)
    out += fmt::format("  case {}:\n    return \"{}\";\n", statusName(signature, status), text);
  return out + "  }\n  return \"unknown status\";\n}\n";
}

std::string printInterface(const Program &program, llvm::ArrayRef<int64_t> onlyExtents) {
  const Signature &signature = program.signature;
  std::string out = printDefaults(signature) + "\n" + printLayout(signature) + "\n";
  out += WorkspacePrinter(program).bytesFunction();
  return out + "\n" + printTexts(signature, onlyExtents);
}

} // namespace stencilc
