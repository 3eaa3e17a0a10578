// heat.h: the C interface, from the Signature alone.
#include "codegen/print/AbiNames.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

using Lines = std::vector<std::pair<std::string, std::string>>;

static std::string remark(const std::string &text) { return "/* " + text + " */"; }

static std::string statuses(const Signature &signature) {
  std::vector<std::pair<const char *, const char *>> all = {
      {"OK", ""},
      {"NULL", "a pointer is null"},
      {"EXTENT", "an extent or the number of steps is negative"},
      {"STRIDE", "a stride is smaller than what it steps over"},
      {"OVERLAP", "two arrays overlap"},
      {"TOO_SMALL", "an extent is below the least that the stencil takes"},
      {"TOO_LARGE", "an extent or a stride cannot be addressed"},
      {"WORKSPACE", "the workspace is too small"},
      {"LAUNCH", "a launch failed: pointers are as before, contents undefined"}};
  if (!signature.paramRanges.empty())
    all.push_back({"REGION", "a param puts a region beyond the grid or upon another"});
  if (hasArraysOverTime(signature))
    all.push_back({"STEPS", "an array over time has no value for a step of the run"});
  Lines lines;
  for (const auto &[number, entry] : llvm::enumerate(all)) {
    const auto &[status, meaning] = entry;
    lines.push_back({"  " + statusName(signature, status) + (number + 1 == all.size() ? "" : ","),
                     *meaning ? remark(meaning) : ""});
  }
  return "typedef enum {\n" + alignComments(lines) +
         fmt::format("}} {};\n", abiName(signature, "status"));
}

static std::string ghostRemark(const Signature &signature, const SignatureArray &array) {
  std::vector<std::string> sides;
  for (unsigned axis : array.axes)
    for (Side side : {Low, High})
      if (array.ghost[axis][side])
        sides.push_back(fmt::format("{}{} {}", signature.axes[axis], side == Low ? "-" : "+",
                                    array.ghost[axis][side]));
  return sides.empty() ? "" : "; ghost points: " + llvm::join(sides, ", ");
}

static void addBuffers(Lines &lines, const Signature &signature, const SignatureArray &array) {
  const std::string type = typeName(array.type).str();
  const std::string ghosts = ghostRemark(signature, array);
  if (array.overTime) {
    lines.push_back({fmt::format("  const {} *{};", type, array.name), remark("a value a step")});
    lines.push_back({fmt::format("  int64_t {}_steps;", array.name), remark("values it has")});
    return;
  }
  if (!array.isField()) {
    std::string shape;
    for (unsigned axis : array.axes)
      shape += "[" + signature.axes[axis] + "]";
    const bool isDense = array.axes.size() < signature.rank();
    lines.push_back(
        {fmt::format("  const {} *{};", type, array.name),
         remark((isDense ? "coefficients " + shape + ", dense" : "coefficients") + ghosts)});
    return;
  }
  lines.push_back({fmt::format("  {} *{};", type, array.name), remark("newest level" + ghosts)});
  if (array.hasPrevious)
    lines.push_back({fmt::format("  {} *{}_prev;", type, array.name), remark("the level before")});
  if (array.hasNext)
    lines.push_back({fmt::format("  {} *{}_next;", type, array.name),
                     remark("room for the next level; what it holds does not matter")});
}

static std::string arguments(const Signature &signature) {
  std::vector<std::string> extents, strides;
  for (const std::string &axis : signature.axes) {
    extents.push_back("n" + axis);
    strides.push_back("stride_" + axis);
  }
  strides.pop_back();
  Lines lines = {{"  int64_t " + llvm::join(extents, ", ") + ";", remark("extents, in points")}};
  if (!strides.empty())
    lines.push_back({"  int64_t " + llvm::join(strides, ", ") + ";", remark("in elements")});
  if (signature.countsSteps)
    lines.push_back({"  int64_t step;", remark("completed so far; a run adds its own")});
  for (const SignatureArray &array : signature.passed())
    addBuffers(lines, signature, array);
  for (const std::string &result : signature.results)
    lines.push_back({fmt::format("  double *{};", result),
                     remark("where a run leaves the number; null: not wanted")});
  for (const SignatureParam &param : signature.params)
    lines.push_back(
        {fmt::format("  {} {};", typeName(param.type).str(), param.name),
         remark(param.defaultValue ? "default " + literalText(param.type, *param.defaultValue)
                : param.type == ScalarType::Int ? "no default: INT64_MIN until set"
                                                : "no default: not a number until set")});
  return "typedef struct {\n" + alignComments(lines) +
         fmt::format("}} {};\n", abiName(signature, "args"));
}

/// A comment of several short lines.
static std::string paragraph(llvm::ArrayRef<std::string> lines) {
  std::string out;
  for (const std::string &line : lines)
    out += comment("   ", line);
  out.replace(0, 2, "/*");
  out.insert(out.size() - 1, " */");
  return out;
}

void printHeader(llvm::raw_ostream &out, const Signature &signature, const Banner &banner) {
  const std::string args = abiName(signature, "args"), status = abiName(signature, "status");
  const std::string guard = llvm::StringRef(signature.name).upper() + "_H";
  std::string order;
  for (const std::string &axis : signature.axes)
    order += "[" + axis + "]";

  out << paragraph({fmt::format("C interface of the stencil `{}`, written by stencilc {} from {}.",
                                signature.name, banner.version, banner.source),
                    "It depends on the source alone, not on how the code is scheduled.",
                    "What stencilc writes belongs to its user."});
  out << "#ifndef " << guard << "\n#define " << guard << "\n\n";
  out << "#include <stddef.h>\n#include <stdint.h>\n\n";
  out << "#define " << statusName(signature, "ABI_VERSION") << " 1\n\n";
  out << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  out << statuses(signature) << "\n";
  out << paragraph(
      {fmt::format("Arrays are indexed {}; {} is contiguous.", order, signature.axes.back()),
       "Pointers name the point with all indices 0, with ghost points before it."});
  out << arguments(signature) << "\n";
  out << remark("Params at their defaults; the rest is 0.") << "\n";
  out << args << " " << args << "_default(void);\n\n";
  out << paragraph({"Sets the strides that this code likes best, from the extents. Allocate "
                    "`elements` elements for",
                    "each array with all axes, at a multiple of 128 bytes, and let its pointer be "
                    "`lead_padding`",
                    "elements behind the start. All are 0 where no memory could hold the arrays."});
  out << layOutList("void " + abiName(signature, "layout") + "(",
                    {args + " *args", "int64_t *lead_padding", "int64_t *elements"}, ");", 0)
      << "\n";
  out << remark("Memory that a run needs beside the arrays.") << "\n";
  out << layOutList("size_t " + abiName(signature, "workspace_bytes") + "(",
                    {"const " + args + " *args", "int64_t steps"}, ");", 0)
      << "\n";
  out << paragraph({"Queues `steps` steps on `stream` (a cudaStream_t) and returns at once. The "
                    "buffers of a field",
                    "change places: afterwards the pointer without suffix names the newest "
                    "level.",
                    "A CUDA graph may capture a run. It keeps the pointers, params and step number "
                    "of the",
                    "capture: replay one that leaves every pointer as it was."});
  out << layOutList(status + " " + abiName(signature, "run") + "(",
                    {args + " *args", "int64_t steps", "void *workspace", "size_t workspace_bytes",
                     "void *stream"},
                    ");", 0)
      << "\n";
  out << "const char *" << abiName(signature, "strerror") << "(" << status << " status);\n\n";
  out << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

} // namespace stencilc
