// heat.cu or heat.cpp: the file as a whole, put together from kernels, launcher and interface.
#include "codegen/print/GatheredReads.h"
#include "codegen/print/InterfacePrinter.h"
#include "codegen/print/LauncherPrinter.h"
#include "codegen/print/Layout.h"
#include "codegen/print/WorkspacePrinter.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc {

static std::string bannerText(const Banner &banner, llvm::StringRef kind, FloatMode mode,
                              const Program &program) {
  std::string out = comment("// ", fmt::format("{} written by stencilc {} from {}; regenerate with",
                                               kind.str(), banner.version, banner.source));
  out += comment("// ", "  " + banner.command);
  for (const std::string &note : banner.notes)
    out += comment("// ", note);
  if (mode == FloatMode::Strict) {
    out += comment("// ", "Every operation rounds once (--fp=strict): the same bits under any "
                          "flags of the compiler.");
    if (llvm::any_of(program.signature.arrays,
                     [](const auto &array) { return array.type == ScalarType::F32; }))
      out += comment("// ", "Fast-math flags still flush f32 subnormal numbers to zero.");
  }
  return out;
}

/// Host code that computes floating-point numbers keeps to source order by itself.
static std::string strictHostPragmas(bool isCuda) {
  std::string out = "#ifdef __FAST_MATH__\n"
                    "#error \"--fp=strict promises bits that fast-math does not keep\"\n"
                    "#endif\n"
                    "#ifdef __clang__\n"
                    "#pragma STDC FP_CONTRACT OFF\n"
                    "#else\n";
  // nvcc hands the pragma on to GCC without knowing it.
  if (isCuda)
    out += "#pragma nv_diag_suppress 1675\n";
  return out + "#pragma GCC optimize(\"fp-contract=off\")\n#endif\n";
}

/// Functions that every launcher of device kernels uses.
static std::string gridHelpers(const Program &program) {
  const unsigned rank = program.signature.rank();
  std::string out = fmt::format("// The points from `begin` up to but not including `end`, slowest "
                                "axis first.\n"
                                "struct Box {{\n"
                                "  int64_t begin[{0}], end[{0}];\n"
                                "}};\n\n",
                                rank);
  out += "int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }\n\n";
  const bool hasPartners =
      llvm::any_of(program.kernels, [](const Kernel &kernel) { return kernel.cluster > 1; });
  const bool takesMost = program.schedule.band > 0 || hasPartners;
  if (rank > 1)
    out +=
        fmt::format("// Along y{} a grid has at most this many blocks; larger ones take several "
                    "launches.\n",
                    rank > 2 ? " and z" : "") +
        "constexpr int64_t kMaxBlocks = 65535;\n\n"
        "int64_t blocks(int64_t points, int64_t cover" +
        std::string(takesMost ? ", int64_t most = kMaxBlocks" : "") +
        ") {\n"
        "  const int64_t needed = ceil_div(points, cover);\n" +
        fmt::format("  return needed < {0} ? needed : {0};\n", takesMost ? "most" : "kMaxBlocks") +
        "}\n\n";
  if (program.schedule.band > 0)
    out +=
        fmt::format("// Steps go on in bands of so many blocks along {}: what one layer of blocks "
                    "leaves in the L2,\n"
                    "// the next one finds there.\n"
                    "constexpr int64_t kBandBlocks = {};\n\n",
                    program.signature.axes[1], program.schedule.band);
  if (llvm::any_of(program.kernels, [](const Kernel &kernel) { return kernel.startsEarly; }))
    out += "// Made for GPUs of compute capability 9.0 on, a kernel may start before the one "
           "before it has\n"
           "// ended, for which it waits itself (await_previous). Made for others as well, none "
           "does.\n"
           "#ifdef __CUDA_ARCH_LIST__\n"
           "constexpr int kArchs[] = {__CUDA_ARCH_LIST__};  // ascending\n"
           "#else\n"
           "constexpr int kArchs[] = {0};\n"
           "#endif\n\n"
           "void start_early(cudaLaunchConfig_t &config, cudaLaunchAttribute &early) {\n"
           "  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
           "  early.val.programmaticStreamSerializationAllowed = 1;\n"
           "  config.attrs = &early;\n"
           "  config.numAttrs = kArchs[0] >= 900 ? 1 : 0;\n"
           "}\n\n";
  bool isAligned = false;
  forEachLaunchOf(program.plan,
                  [&](const Launch &launch) { isAligned |= launch.cover.alignTo.has_value(); });
  if (isAligned)
    out += fmt::format("// Elements from the last {0}-byte line of memory to `element`.\n"
                       "template <class T>\n"
                       "int64_t past_line(const T *element) {{\n"
                       "  return reinterpret_cast<uintptr_t>(element) % {0} / sizeof(T);\n"
                       "}}\n\n",
                       kLineBytes);
  return out;
}

static std::string swapHelper(const Plan &plan) {
  if (!renames(plan))
    return "";
  return "template <class T>\n"
         "void swap(T *&a, T *&b) {\n"
         "  T *const old = a;\n"
         "  a = b;\n"
         "  b = old;\n"
         "}\n\n";
}

void printSource(llvm::raw_ostream &out, const VerifiedProgram &verified, const Banner &banner,
                 llvm::StringRef header, FloatMode mode, llvm::ArrayRef<int64_t> onlyExtents) {
  const std::optional<Program> gathered = gatheredReads(*verified);
  const Program &program = gathered ? *gathered : *verified;
  const bool isCuda = program.target == Target::Device;
  FileNames file(program, onlyExtents);
  HelperSet kernelHelpers(program.target, file.taken);
  std::vector<PrintedKernel> kernels;
  for (unsigned number = 0; number < program.kernels.size(); ++number)
    kernels.push_back(printKernel(program, number, file, mode, kernelHelpers));
  // On the host, kernels and launcher share one set of helpers.
  HelperSet launcherHelpers(Target::Host, file.taken);
  HelperSet &hostHelpers = isCuda ? launcherHelpers : kernelHelpers;
  PrintedLauncher launcher = printLauncher(program, kernels, file, mode, hostHelpers);
  const bool isStrict = mode == FloatMode::Strict;
  const std::string hostText =
      swapHelper(program.plan) + printCheck(program, file, hostHelpers) + "\n";

  std::string kernelText = file.definitions + kernelHelpers.definitions();
  for (const PrintedKernel &kernel : kernels)
    kernelText += kernel.text + "\n";

  const std::string workspace = WorkspacePrinter(program).structure();
  const std::string includeHeader = fmt::format("#include \"{}\"\n\n", header.str());

  if (isCuda) {
    out << bannerText(banner, "CUDA C++", mode, program);
    out << "#ifndef __CUDACC_RTC__\n" << includeHeader << "#include <cuda_runtime.h>\n";
    if (launcher.callsFunctions)
      out << "#include <math.h>\n";
    out << "#else\ntypedef long long int64_t;\n#endif\n";
    if (llvm::any_of(kernels, [](const PrintedKernel &kernel) { return kernel.copiesAsync; }))
      out << "#include <cuda_pipeline.h>\n";
    out << "\n";
    out << "namespace {\n\n" << kernelText << "}  // namespace\n\n";
    out << "#ifndef __CUDACC_RTC__\n\n";
    if (isStrict && launcher.computes)
      out << strictHostPragmas(isCuda) << "\n";
    out << "namespace {\n\n" << gridHelpers(program) << launcherHelpers.definitions() << workspace;
    out << launcher.functions << "\n" << hostText;
  } else {
    out << bannerText(banner, "OpenMP C++", mode, program);
    out << includeHeader;
    if (launcher.callsFunctions ||
        llvm::any_of(kernels, [](const PrintedKernel &kernel) { return kernel.callsFunctions; }))
      out << "#include <math.h>\n\n";
    if (isStrict)
      out << strictHostPragmas(isCuda) << "\n";
    out << "namespace {\n\n" << kernelText << workspace << hostText;
  }
  out << "}  // namespace\n\n" << printInterface(program, onlyExtents) << "\n" << launcher.run;
  if (isCuda)
    out << "\n#endif  // __CUDACC_RTC__\n";
}

std::vector<KernelParameters> kernelParameters(const VerifiedProgram &verified) {
  const std::optional<Program> gathered = gatheredReads(*verified);
  const Program &program = gathered ? *gathered : *verified;
  FileNames file(program);
  HelperSet helpers(program.target, file.taken);
  std::vector<KernelParameters> all;
  for (unsigned number = 0; number < program.kernels.size(); ++number) {
    PrintedKernel printed = printKernel(program, number, file, FloatMode::Contract, helpers);
    all.push_back({printed.extents, printed.strides, printed.rows, std::move(printed.integers)});
  }
  return all;
}

} // namespace stencilc
