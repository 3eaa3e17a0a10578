// printMain: a stand-alone program. What does not depend on the stencil stands in
// runtime/standalone and is pasted; here are only its arrays, flags and initial state.
#include "StandAloneText.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/InitPrinter.h"
#include "codegen/print/Layout.h"
#include "codegen/print/Print.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <set>

namespace stencilc {

namespace {
class MainPrinter {
public:
  MainPrinter(llvm::raw_ostream &out, const Stencil &stencil, Target target,
              llvm::ArrayRef<int64_t> extents)
      : out(out), stencil(stencil), signature(signatureOf(stencil)), target(target),
        extents(extents) {}

  void print(const Banner &banner, llvm::StringRef header);

private:
  template <class... Parts> void line(fmt::format_string<Parts...> text, Parts &&...parts) {
    out << fmt::format(text, std::forward<Parts>(parts)...) << "\n";
  }

  void printBanner(const Banner &banner, llvm::StringRef header);
  void printHelpers();
  void printInit(const Array &array, const Formula &formula, const std::string &level);
  void printSeries(const Array &array);
  void printFlags();
  void printLayouts();
  void printState();
  void printMemory();
  void printRun();

  bool usesMinMax() const;
  bool hasAllAxes(const SignatureArray &array) const {
    return array.axes.size() == signature.rank();
  }
  std::vector<std::string> levels() const;
  int firstStep() const;
  /// How many values all steps of the program need.
  static std::string lengthOf(const StepSpan &span);
  std::string flagOf(const SignatureParam &param) const;
  std::string extentsOf(llvm::ArrayRef<unsigned> axes) const;
  std::string ghostsOf(const SignatureArray &array, Side side) const;
  std::vector<std::string> helpers() const;

  llvm::raw_ostream &out;
  const Stencil &stencil;
  const Signature signature;
  const Target target;
  const llvm::ArrayRef<int64_t> extents;
};
} // namespace

void MainPrinter::print(const Banner &banner, llvm::StringRef header) {
  printBanner(banner, header);
  printHelpers();
  for (auto [array, entry] : llvm::zip_equal(stencil.arrays, signature.arrays)) {
    if (!array.init.empty() && array.isOverTime)
      printSeries(array);
    else if (!array.init.empty())
      printInit(array, array.init, array.name);
    if (entry.hasPrevious && !array.initPrevious.empty())
      printInit(array, array.initPrevious, array.name + "_prev");
  }
  line("// ---- the program ----\n");
  line("int main(int argc, char **argv) {{");
  line("  std::set_new_handler(endWithoutMemory);");
  printFlags();
  printLayouts();
  printState();
  printMemory();
  printRun();
  line("}}");
}

// ---- pasted text ------------------------------------------------------------------------------

bool MainPrinter::usesMinMax() const {
  return llvm::any_of(stencil.arrays, [](const Array &array) {
    return llvm::any_of(llvm::ArrayRef{&array.init, &array.initPrevious}, [](const Formula *init) {
      return calls(*init, Builtin::Min) || calls(*init, Builtin::Max);
    });
  });
}

std::vector<std::string> MainPrinter::helpers() const {
  std::vector<std::string> texts = {npyText, flagsText, pointsText};
  if (usesMinMax())
    texts.push_back(minMaxText);
  texts.push_back(target == Target::Device ? deviceText : hostText);
  texts.push_back(untilText);
  texts.push_back(progressText);
  texts.push_back(runText);
  return texts;
}

static bool isDirective(llvm::StringRef line) { return line.starts_with("#"); }

void MainPrinter::printBanner(const Banner &banner, llvm::StringRef header) {
  out << comment("// ",
                 fmt::format("A stand-alone program around {}, written by stencilc {} from {}; "
                             "regenerate with",
                             std::string_view(header), banner.version, banner.source))
      << comment("// ", "  " + banner.command);
  for (const std::string &note : banner.notes)
    out << comment("// ", note);
  line("#include \"{}\"\n", std::string_view(header));

  std::set<std::string> includes = {"#include <cmath>"};
  bool cuda = false;
  for (const std::string &text : helpers())
    for (llvm::StringRef directive : llvm::split(text, '\n'))
      if (directive == "#include <cuda_runtime.h>")
        cuda = true;
      else if (directive.starts_with("#include <"))
        includes.insert(directive.str());
  if (cuda)
    line("#include <cuda_runtime.h>\n");
  for (const std::string &include : includes)
    line("{}", include);
  line("\n// The initial state is rounded as written, never fused; through nvcc, where the host "
       "CPU has");
  line("// fused instructions, this takes -Xcompiler -ffp-contract=off.");
  line("#if defined(__clang__)");
  line("#pragma STDC FP_CONTRACT OFF");
  line("#elif defined(__GNUC__) && !defined(__CUDACC__)");
  line("#pragma GCC optimize(\"fp-contract=off\")");
  line("#endif\n");
}

void MainPrinter::printHelpers() {
  for (const std::string &text : helpers()) {
    // The includes already stand at the top; no two blank lines are left in their place.
    bool blank = false;
    for (llvm::StringRef pasted : llvm::split(llvm::StringRef(text).rtrim(), '\n')) {
      if (isDirective(pasted))
        continue;
      if (blank && !pasted.empty())
        line("");
      blank = pasted.empty();
      if (!blank)
        line("{}", std::string_view(pasted));
    }
    line("");
  }
}

// ---- initial state ----------------------------------------------------------------------------

void MainPrinter::printInit(const Array &array, const Formula &formula, const std::string &level) {
  const unsigned number = &array - stencil.arrays.data();
  const Widths &ghost = signature.arrays[number].ghost;
  const std::string points = clearOfAxes(stencil, "points"), args = clearOfAxes(stencil, "args");
  const FormulaText text = formulaText(stencil, formula);

  line("// The initial values of {}.", level);
  line("static void {}_init(const {}_args &{}, Points<{}> &{}) {{", level, signature.name, args,
       std::string_view(typeName(array.type)), points);
  if (ghost != Widths{})
    line("  if ({}.layout.empty())\n    return;", points);
  std::string indent = "  ";
  llvm::SmallVector<llvm::StringRef, 3> index;
  for (unsigned axis : array.axes) {
    const std::string &name = stencil.axes[axis];
    const int high = ghost[axis][High];
    line("{0}for (int64_t {1} = {2}; {1} < {5}.n{1}{3}; ++{1}){4}", indent, name, -ghost[axis][Low],
         high ? fmt::format(" + {}", high) : "",
         axis == array.axes.back() && !text.values.empty() ? " {" : "", args);
    index.push_back(name);
    indent += "  ";
  }
  for (const std::string &value : text.values)
    line("{}{}", indent, value);
  line("{}{}.at({{{}}}) = {};", indent, points, llvm::join(index, ", "), text.result);
  if (!text.values.empty())
    line("{}}}", indent.substr(2));
  line("}}\n");
}

/// The values of an array over time, by the number of the step.
void MainPrinter::printSeries(const Array &array) {
  const std::string step = clearOfAxes(stencil, "step"), args = clearOfAxes(stencil, "args"),
                    points = clearOfAxes(stencil, "points");
  const FormulaText text = formulaText(stencil, array.init);
  line("// The initial values of {}.", array.name);
  const bool usesArgs =
      llvm::any_of(llvm::concat<const std::string>(text.values, llvm::ArrayRef(text.result)),
                   [&](llvm::StringRef value) { return value.contains(args + "."); });
  line("static void {}_init(const {}_args &{}, Points<{}> &{}) {{", array.name, signature.name,
       usesArgs ? args : "", std::string_view(typeName(array.type)), points);
  line("  for (int64_t {0} = 0; {0} < {1}.layout.extents[0]; ++{0}) {{", step, points);
  for (const std::string &value : text.values)
    line("    {}", value);
  line("    {}.at({{{}}}) = {};", points, step, text.result);
  line("  }}\n}}\n");
}

// ---- main -------------------------------------------------------------------------------------

/// Points along each axis unless a flag says otherwise: some megabytes.
static int64_t defaultExtent(unsigned rank) { return rank == 1 ? 1 << 20 : rank == 2 ? 1024 : 128; }

std::string MainPrinter::flagOf(const SignatureParam &param) const {
  const std::set<std::string> taken = {"steps", "step",  "repeat", "pad",
                                       "pitch", "until", "every",  "help"};
  return taken.count(param.name) ? "param-" + param.name : param.name;
}

/// Everything that holds values before and after a run: "u", "u_prev", "c".
std::vector<std::string> MainPrinter::levels() const {
  std::vector<std::string> names;
  for (const SignatureArray &array : signature.passed()) {
    names.push_back(array.name);
    if (array.hasPrevious)
      names.push_back(array.name + "_prev");
  }
  return names;
}

/// The first step for which all arrays over time have a value.
int MainPrinter::firstStep() const {
  int first = 0;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime)
      first = std::max(first, -array.overTime->first);
  return first;
}

std::string MainPrinter::lengthOf(const StepSpan &span) {
  return fmt::format("std::max<int64_t>(args.step + steps * (repeat + 1) + {}, 1)", span.last);
}

void MainPrinter::printFlags() {
  line("  {0}_args args = {0}_args_default();", signature.name);
  for (const auto &[number, axis] : llvm::enumerate(signature.axes))
    line("  args.n{} = {};", axis,
         extents.empty() ? defaultExtent(signature.rank()) : extents[number]);
  line("  int64_t steps = 100, repeat = 0, pad = 0, pitch = 0, save_every = 0;");
  if (signature.countsSteps)
    line("  args.step = {};", firstStep());
  if (!signature.results.empty())
    line("  int64_t every = 1;\n  std::string until_text;");
  for (const std::string &level : levels())
    line("  std::string {0}_in, {0}_out;", level);

  line("  const std::vector<Flag> flags = {{");
  for (const std::string &axis : signature.axes)
    line("      {{\"n{0}\", \"points along {0}\", &args.n{0}}},", axis);
  line("      {{\"steps\", \"time steps of a run\", &steps}},");
  if (signature.countsSteps)
    line("      {{\"step\", \"number of the first step\", &args.step}},");
  if (!signature.results.empty()) {
    line("      {{\"until\", \"end early where a number is so, as in {}<1e-6\", &until_text}},",
         signature.results.front());
    line("      {{\"every\", \"steps between looks at that\", &every}},");
  }
  for (const SignatureParam &param : signature.params)
    line("      {{\"{0}\", \"param {1}\", &args.{1}{2}}},", flagOf(param), param.name,
         param.type == ScalarType::Int ? ", true" : "");
  for (const std::string &level : levels()) {
    line("      {{\"in-{0}\", \"start {0} from this .npy file\", &{0}_in}},", level);
    line("      {{\"out-{0}\", \"write {0} to this .npy file\", &{0}_out}},", level);
  }
  line("      {{\"save-every\", \"write them every so many steps too, as u_000100.npy\", "
       "&save_every}},");
  line("      {{\"repeat\", \"time the median of so many further runs\", &repeat}},");
  line("      {{\"pad\", \"further elements before the first point\", &pad}},");
  line("      {{\"pitch\", \"further elements between rows\", &pitch}},");
  line("  }};");
  line("  const char *about = \"Runs the stencil {}. Flags, with their defaults:\";",
       signature.name);
  line("  if (const std::optional<int> code = parseFlags(argc, argv, about, flags))");
  line("    return *code;");

  if (signature.results.empty()) {
    line("  std::vector<Number> numbers;\n  const Until until;");
  } else {
    line("  std::vector<Number> numbers = {{{{\"{}\"}}}};",
         fmt::join(signature.results, "\"}, {\""));
    line("  Until until;\n"
         "  if (!parseUntil(until_text, numbers, until))\n    return 2;");
  }
  for (const SignatureParam &param : signature.params)
    if (!param.defaultValue) {
      if (param.type == ScalarType::Int)
        line("  if (args.{} == INT64_MIN) {{", param.name);
      else
        line("  if (std::isnan(args.{})) {{", param.name);
      line("    std::fprintf(stderr, \"--{}=NUMBER is needed: the param has no default\\n\");",
           flagOf(param));
      line("    return 2;\n  }}");
    }
}

std::string MainPrinter::extentsOf(llvm::ArrayRef<unsigned> axes) const {
  std::vector<std::string> extents;
  for (unsigned axis : axes)
    extents.push_back("args.n" + signature.axes[axis]);
  return fmt::format("{{{}}}", fmt::join(extents, ", "));
}

std::string MainPrinter::ghostsOf(const SignatureArray &array, Side side) const {
  std::vector<int> widths;
  for (unsigned axis : array.axes)
    widths.push_back(array.ghost[axis][side]);
  return fmt::format("{{{}}}", fmt::join(widths, ", "));
}

void MainPrinter::printLayouts() {
  // The widest ghost points of any array decide what lies before and after the points.
  SignatureArray all;
  for (unsigned axis = 0; axis < signature.rank(); ++axis) {
    all.axes.push_back(axis);
    for (const SignatureArray &array : llvm::make_filter_range(
             signature.passed(), [&](const SignatureArray &a) { return hasAllAxes(a); }))
      for (Side side : {Low, High})
        all.ghost[axis][side] = std::max(all.ghost[axis][side], array.ghost[axis][side]);
  }

  std::vector<std::string> factors, strides;
  for (const std::string &axis : signature.axes) {
    factors.push_back("double(args.n" + axis + ")");
    strides.push_back("args.stride_" + axis);
  }
  strides.back() = "1";

  // Of all arrays over the grid, whatever their axes.
  std::vector<int> mostGhosts(signature.rank());
  for (const SignatureArray &array : signature.passed())
    for (unsigned axis : array.axes)
      mostGhosts[axis] =
          std::max(mostGhosts[axis], array.ghost[axis][Low] + array.ghost[axis][High]);

  line("\n  const double points = {};", fmt::join(factors, " * "));
  line("  if (!checkSizes({}, {{{}}}, pitch, pad))\n    return 1;", extentsOf(all.axes),
       fmt::join(mostGhosts, ", "));
  line("\n  // Arrays with all axes share one layout: the one the code likes best, widened by "
       "flags.");
  line("  Layout grid{{{}, {}, {}, {{}}}};", extentsOf(all.axes), ghostsOf(all, Low),
       ghostsOf(all, High));
  line("  {}_layout(&args, &grid.lead, &grid.elements);", signature.name);
  line("  grid.strides = {{{}}};", fmt::join(strides, ", "));
  line("  widen(grid, pitch, pad);");
  for (unsigned axis = 0; axis + 1 < signature.rank(); ++axis)
    line("  {} = grid.strides[{}];", strides[axis], axis);
  for (const SignatureArray &array : signature.passed())
    if (array.overTime)
      line("  const Layout {}_layout = dense({{{}}}, {{0}}, {{0}});", array.name,
           lengthOf(*array.overTime));
    else
      line("  const Layout {}_layout = {}, {}, {});", array.name,
           hasAllAxes(array) ? "withGhosts(grid" : "dense(" + extentsOf(array.axes),
           ghostsOf(array, Low), ghostsOf(array, High));
}

void MainPrinter::printMemory() {
  line("\n  Memory memory;");
  line("  void *workspace = memory.allocate(workspace_bytes);");
  line("  if (!workspace)\n    return 1;");
  for (const std::string &level : levels())
    line("  if (!place(memory, {0}_points, &args.{0}))\n    return 1;", level);
  for (const SignatureArray &array : signature.passed())
    if (array.hasNext)
      line("  if (!reserve(memory, {0}_points, &args.{0}_next))\n    return 1;", array.name);
  if (signature.results.empty())
    return;
  line("  if (!placeNumbers(memory, numbers))\n    return 1;");
  for (auto [number, name] : llvm::enumerate(signature.results))
    line("  args.{} = numbers[{}].place;", name, number);
}

void MainPrinter::printState() {
  line("\n  std::printf(\"{}: points {} = %s\\n\", npy::shapeText(grid.extents).c_str());",
       signature.name, fmt::format("({})", fmt::join(signature.axes, ", ")));
  line("  const size_t workspace_bytes = {}_workspace_bytes(&args, steps);", signature.name);
  line("  size_t needed = workspace_bytes;");
  for (const SignatureArray &array : signature.passed())
    line("  needed += {} * {}_layout.elements * sizeof({});", 1 + array.hasPrevious + array.hasNext,
         array.name, std::string_view(typeName(array.type)));
  line("  if (!checkMemory(needed))\n    return 1;");

  for (auto [array, entry] : llvm::zip_equal(stencil.arrays, signature.arrays)) {
    if (array.kind == ArrayKind::Temp)
      continue;
    const std::string &name = array.name;
    line("\n  Points<{0}> {1}_points({1}_layout);", std::string_view(typeName(array.type)), name);
    if (!array.init.empty())
      line("  {0}_init(args, {0}_points);", name);
    line("  if (!{1}({0}_in, {0}_points))\n    return 1;", name,
         entry.overTime ? "loadSeries" : "load");
    if (entry.overTime)
      line("  args.{0}_steps = {0}_points.layout.extents[0];", name);
    if (!entry.hasPrevious)
      continue;
    line("  Points<{0}> {1}_prev_points = {1}_points;", std::string_view(typeName(array.type)),
         name);
    if (!array.initPrevious.empty())
      line("  {0}_prev_init(args, {0}_prev_points);", name);
    line("  if (!load({0}_prev_in, {0}_prev_points))\n    return 1;", name);
  }
}

void MainPrinter::printRun() {
  const std::string upper = llvm::StringRef(signature.name).upper();
  line("\n  const auto run = [&](int64_t some) {{");
  const std::string result = fmt::format("    const {}_status status =", signature.name);
  const std::string call =
      fmt::format("{}_run(&args, some, workspace, workspace_bytes, nullptr);", signature.name);
  line("{}{}{}", result, result.size() + 1 + call.size() > kColumns ? "\n        " : " ", call);
  line("    if (status != {}_OK)", upper);
  line("      std::fprintf(stderr, \"%s\\n\", {}_strerror(status));", signature.name);
  line("    return status == {}_OK;\n  }};", upper);
  line("  const auto saveAll = [&](int64_t made) {{");
  for (const std::string &level : levels())
    line("    if (!save(numbered({0}_out, made), args.{0}, {0}_points))\n      return false;",
         level);
  line("    return true;\n  }};");
  line("  Progress progress(steps, points, Progress::isWatched());");
  line("  const std::optional<Made> first =\n"
       "      advanceBy({{steps, {}, save_every}}, until, numbers, progress, run, saveAll);",
       signature.results.empty() ? "0" : "every");
  line("  if (!first)\n    return 1;");
  for (const std::string &level : levels())
    line("  if (!save({0}_out, args.{0}, {0}_points))\n    return 1;", level);
  line("  printNumbers(numbers);");
  line("  if (until.isAsked() && !printEnd(until, numbers, first->steps))\n    return 1;");
  line("  const auto again = [&] {{ return run(steps); }};");
  line("  return report(*first, until.isAsked() ? 0 : repeat, points, again) ? 0 : 1;");
}

void printMain(llvm::raw_ostream &out, const Stencil &stencil, Target target, const Banner &banner,
               llvm::StringRef header, llvm::ArrayRef<int64_t> extents) {
  MainPrinter(out, stencil, target, extents).print(banner, header);
}

} // namespace stencilc
