#include "test/fuzz/TextForms.h"

#include "codegen/lower/Lower.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::fuzz {

static llvm::Error writeFile(llvm::StringRef folder, llvm::StringRef name,
                             llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::error_code error;
  llvm::raw_fd_ostream out((folder + "/" + name).str(), error);
  if (error)
    return llvm::createStringError(error, name.str());
  print(out);
  return llvm::Error::success();
}

/// Of every second case, strict texts are for the one grid that it has.
static std::vector<int64_t> onlyExtentsOf(const Case &tested, const Stencil &stencil,
                                          FloatMode mode) {
  std::vector<int64_t> extents = extentsOf(tested, stencil);
  const Signature signature = signatureOf(stencil);
  bool fits = mode == FloatMode::Strict && tested.dataSeed % 2 == 0;
  for (auto [axis, points] : llvm::enumerate(extents))
    fits &= points >= std::max<int64_t>(signature.minimumExtent[axis], 1);
  return fits ? extents : std::vector<int64_t>();
}

static llvm::Expected<TextForm> writeForm(const Case &tested, Stencil stencil,
                                          const Variant &variant, FloatMode mode,
                                          llvm::StringRef prefix, llvm::StringRef folder) {
  const char *modeName = mode == FloatMode::Strict ? "strict" : "contract";
  stencil.name = fmt::format("{}_{}_{}", prefix.str(), variant.name.str(), modeName);
  llvm::Expected<VerifiedProgram> program = lower(stencil, scheduleOf(tested, stencil, variant));
  if (!program)
    return program.takeError();

  TextForm form;
  form.name = stencil.name;
  form.target = (*program)->target;
  form.source = stencil.name + (form.target == Target::Host ? ".cpp" : ".cu");
  form.schedule = fmt::format("{} --fp={}", toString((*program)->schedule), modeName);
  form.signature = (*program)->signature;
  const std::string header = stencil.name + ".h";
  const Banner banner = {"0", stencil.file, "stencilc-fuzz", {}};
  if (llvm::Error error = writeFile(folder, header, [&](llvm::raw_ostream &out) {
        printHeader(out, form.signature, banner);
      }))
    return error;
  if (llvm::Error error = writeFile(folder, form.source, [&](llvm::raw_ostream &out) {
        printSource(out, *program, banner, header, mode, onlyExtentsOf(tested, stencil, mode));
      }))
    return error;
  return form;
}

llvm::Expected<std::vector<TextForm>> writeForms(const Case &tested, const Stencil &stencil,
                                                 llvm::StringRef prefix, llvm::StringRef folder) {
  std::vector<TextForm> forms;
  for (const Variant *variant : variantsFor(stencil))
    for (FloatMode mode : {FloatMode::Contract, FloatMode::Strict}) {
      llvm::Expected<TextForm> form = writeForm(tested, stencil, *variant, mode, prefix, folder);
      if (!form)
        return form.takeError();
      forms.push_back(std::move(*form));
    }
  return forms;
}

// ---- calls ------------------------------------------------------------------------------------

std::string callName(const TextForm &form) { return "call_" + form.name; }

/// Visits the members of the argument struct that are buffers, in the order of Call::buffers.
static void
forEachBuffer(const Signature &signature,
              llvm::function_ref<void(const SignatureArray &, const std::string &member)> visit) {
  for (const SignatureArray &array : signature.passed()) {
    visit(array, array.name);
    if (array.hasPrevious)
      visit(array, array.name + "_prev");
    if (array.hasNext)
      visit(array, array.name + "_next");
  }
}

static void printCall(llvm::raw_ostream &out, const TextForm &form) {
  const Signature &signature = form.signature;
  const std::string status = llvm::StringRef(form.name).upper();
  out << fmt::format("\nextern \"C\" Outcome {0}(Call &call) {{\n"
                     "  {1}_args args = {1}_args_default();\n",
                     callName(form), form.name);
  for (auto [number, axis] : llvm::enumerate(signature.axes)) {
    out << fmt::format("  args.n{} = call.extents[{}];\n", axis, number);
    if (number + 1 < signature.axes.size())
      out << fmt::format("  args.stride_{} = call.strides[{}];\n", axis, number);
  }
  unsigned buffer = 0;
  forEachBuffer(signature, [&](const SignatureArray &array, const std::string &member) {
    out << fmt::format("  args.{} = static_cast<{}{} *>(call.buffers[{}]);\n", member,
                       array.isField() ? "" : "const ",
                       array.type == ScalarType::F32 ? "float" : "double", buffer++);
  });
  for (auto [number, result] : llvm::enumerate(signature.results))
    out << fmt::format("  args.{} = call.results[{}];\n", result, number);
  if (signature.countsSteps)
    out << "  args.step = call.step;\n";
  unsigned overTime = 0;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime)
      out << fmt::format("  args.{}_steps = call.values[{}];\n", array.name, overTime++);
  for (auto [number, param] : llvm::enumerate(signature.params))
    out << fmt::format("  if (call.isGiven[{0}])\n    args.{1} = call.params[{0}];\n", number,
                       param.name);
  out << fmt::format("  const size_t bytes = {0}_workspace_bytes(&args, call.steps);\n"
                     "  const int status =\n"
                     "      {0}_run(&args, call.steps, call.allocate(bytes), bytes, nullptr);\n"
                     "  call.message = {0}_strerror(static_cast<{0}_status>(status));\n",
                     form.name);
  buffer = 0;
  forEachBuffer(signature, [&](const SignatureArray &array, const std::string &member) {
    if (array.isField())
      out << fmt::format("  call.buffers[{}] = args.{};\n", buffer, member);
    ++buffer;
  });
  if (signature.countsSteps)
    out << "  call.step = args.step;\n";
  const auto map = [&](llvm::StringRef name, llvm::StringRef outcome) {
    out << fmt::format("  if (status == {}_{})\n    return Outcome::{};\n", status, name.str(),
                       outcome.str());
  };
  map("OK", "Ok");
  map("TOO_SMALL", "TooSmall");
  map("LAUNCH", "LaunchFailed");
  if (!signature.paramRanges.empty())
    map("REGION", "NoRegion");
  if (overTime > 0)
    map("STEPS", "NoSteps");
  out << "  return Outcome::Other;\n}\n";
}

void printCalls(llvm::raw_ostream &out, llvm::ArrayRef<TextForm> forms) {
  out << "#include \"Call.h\"\n";
  for (const TextForm &form : forms)
    out << fmt::format("#include \"{}.h\"\n", form.name);
  out << "\nusing namespace stencilc::fuzz;\n";
  for (const TextForm &form : forms)
    printCall(out, form);
}

} // namespace stencilc::fuzz
