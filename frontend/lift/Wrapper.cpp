#include "frontend/lift/Wrapper.h"

#include "frontend/lift/RunText.h"

#include <fmt/format.h>

namespace stencilc::lift {

llvm::StringRef hostMemoryText() {
  return R"(
// `count` elements, every `step`th of those there.
template <class T> T *take(const T *from, int64_t count, int64_t step) {
  T *const memory = static_cast<T *>(std::malloc((count > 0 ? count : 1) * sizeof(T)));
  if (memory == nullptr) failed("out of memory");
  for (int64_t place = 0; from != nullptr && place < count; ++place)
    memory[place] = from[place * step];
  return memory;
}
template <class T> void give(T *to, const T *memory, int64_t count, int64_t step) {
  for (int64_t place = 0; place < count; ++place)
    to[place * step] = memory[place];
}
template <class T> void release(T *memory) { std::free(const_cast<void *>(static_cast<const void *>(memory))); }
)";
}

static llvm::StringRef deviceMemoryText() {
  return R"(
void check(cudaError_t error) {
  if (error != cudaSuccess) failed(cudaGetErrorString(error));
}
// `count` elements, every `step`th of those there.
template <class T> T *take(const T *from, int64_t count, int64_t step) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, (count > 0 ? count : 1) * sizeof(T)));
  T *part = nullptr;
  if (from != nullptr && step != 1) {
    part = static_cast<T *>(std::malloc((count > 0 ? count : 1) * sizeof(T)));
    if (part == nullptr) failed("out of memory");
    for (int64_t place = 0; place < count; ++place) part[place] = from[place * step];
  }
  if (from != nullptr)
    check(cudaMemcpy(memory, part != nullptr ? part : from, count * sizeof(T),
                     cudaMemcpyHostToDevice));
  std::free(part);
  return static_cast<T *>(memory);
}
template <class T> void give(T *to, const T *memory, int64_t count, int64_t step) {
  T *const part = step == 1 ? to : static_cast<T *>(std::malloc((count > 0 ? count : 1) * sizeof(T)));
  if (part == nullptr) failed("out of memory");
  check(cudaMemcpy(part, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  for (int64_t place = 0; step != 1 && place < count; ++place) to[place * step] = part[place];
  if (step != 1) std::free(part);
}
template <class T> void release(T *memory) {
  check(cudaFree(const_cast<void *>(static_cast<const void *>(memory))));
}
)";
}

/// take, give and release over those of namespace `memory`, for arrays that stay.
static llvm::StringRef keptMemoryText() {
  return R"(
// An array of the program, and its copy where the stencil runs.
struct Kept {
  void *host, *memory;
  int64_t count, step;
  bool is_newer;  // than what the host has
  void (*fetch)(const Kept &);
};
std::vector<Kept> all_kept;
template <class T> void fetch_kept(const Kept &kept) {
  memory::give(static_cast<T *>(kept.host), static_cast<const T *>(kept.memory), kept.count, kept.step);
}
template <class T> T *take(const T *from, int64_t count, int64_t step) {
  if (from == nullptr) return memory::take(from, count, step);
  for (size_t number = 0; number < all_kept.size(); ++number) {
    const Kept kept = all_kept[number];
    if (kept.host != from) continue;
    if (kept.count == count && kept.step == step && kept.fetch == fetch_kept<T>)
      return static_cast<T *>(kept.memory);
    // It has another size than before.
    if (kept.is_newer) kept.fetch(kept);
    memory::release(static_cast<char *>(kept.memory));
    all_kept.erase(all_kept.begin() + number);
    break;
  }
  T *const taken = memory::take(from, count, step);
  all_kept.push_back({const_cast<T *>(from), taken, count, step, false, fetch_kept<T>});
  return taken;
}
template <class T> void give(T *to, const T *result, int64_t count, int64_t step) {
  Kept *holds = nullptr, *was = nullptr;
  for (Kept &kept : all_kept) {
    if (kept.memory == result) holds = &kept;
    if (kept.host == to) was = &kept;
  }
  if (holds == nullptr || was == nullptr) {
    memory::give(to, result, count, step);
    return;
  }
  // Two levels may have changed places.
  void *const other = holds->memory;
  holds->memory = was->memory;
  was->memory = other;
  was->is_newer = true;
}
template <class T> void release(T *given) {
  for (const Kept &kept : all_kept)
    if (kept.memory == given) return;
  memory::release(given);
}
)";
}

/// "extern double alpha;" for what is neither an argument nor a number of the source.
static std::string globalsText(const Understood &found) {
  std::string text;
  for (const SymbolInfo &symbol : found.tree.symbols)
    if (symbol.kind == SymbolInfo::Kind::Param && !symbol.isMade &&
        !found.prototype.find(symbol.name) && !found.prototype.ownerOf(symbol.name))
      text += fmt::format("extern {} {};\n",
                          symbol.type == ScalarType::Int   ? "int"
                          : symbol.type == ScalarType::F32 ? "float"
                                                           : "double",
                          symbol.name);
  return text;
}

llvm::Expected<std::string> wrapperText(const Understood &found, llvm::StringRef header,
                                        bool keeps) {
  const Prototype &prototype = found.prototype;
  const Gathered *returned = nullptr;
  std::string results;
  for (auto [reduction, number] :
       llvm::zip(found.lifted.stencil.reductions, found.lifted.binding.reductions))
    if (const Gathered &gathered = found.tree.reductions[number]; gathered.result == "return") {
      returned = &gathered;
      results += fmt::format("  return ({})lift_result_{};\n", prototype.result, reduction.name);
    } else if (!gathered.result.empty())
      results.insert(0, fmt::format("  {} = lift_result_{};\n", gathered.result, reduction.name));
  std::string why = whyNotRunnable(found.tree, found.grid, found.lifted, prototype);
  if (!prototype.fragment.empty())
    why = "it stands in the file without a function around it";
  else if (prototype.isMember)
    why = "it is a function of an object: a function that takes the arrays can have one";
  else if (prototype.isMain)
    why = "it is the program itself";
  else if (prototype.isTemplate)
    why = "it is made of a template";
  else if (prototype.isStatic)
    why = "it is static: no other file can take its place";
  else if (prototype.result != "void" && !returned)
    why = "it returns a value";
  for (const auto &argument : prototype.arguments)
    if (argument.kind == Prototype::Argument::Kind::ObjectPointer)
      why = fmt::format("the argument `{}` points to a struct", argument.name);
    else if (argument.kind == Prototype::Argument::Kind::Object)
      why = fmt::format("the argument `{}` is an object", argument.name);
    else if (argument.isOfStructs && prototype.isCPlusPlus)
      why = fmt::format("the argument `{}` points to structs of the source", argument.name);
  for (const Buffer &buffer : found.tree.buffers)
    if (!buffer.isLocal && !prototype.find(buffer.name) && !prototype.isField(buffer.name))
      why = fmt::format("`{}` is global", buffer.name);
  for (const Buffer &buffer : found.tree.buffers)
    if (const auto *argument = prototype.find(buffer.name);
        argument && argument->kind == Prototype::Argument::Kind::Vector && buffer.whole &&
        buffer.whole->bits == 1)
      why = fmt::format("`{}` is a vector of bits", buffer.name);
  if (!found.tree.setOutside.empty())
    why = fmt::format("`{}` is set before the loop over time", found.tree.setOutside);
  for (const auto &[condition, isOfArguments] : found.tree.givesUpWhen)
    if (!isOfArguments || returned)
      why = fmt::format("it gives up where `{}`", condition);
  const bool isConverted = needsConverting(found.tree, found.grid);
  if (keeps && isConverted)
    why = "whole numbers are converted for each call and cannot be kept";
  if (keeps && !found.tree.exchanged.empty())
    why = "two arrays of which a step sets both change places and cannot be kept";
  if (isConverted && needsWidening(found.grid))
    why = "an array of whole numbers has other points than the grid";
  if (keeps && needsWidening(found.grid))
    why = "arrays of different extents are copied for each call and cannot be kept";
  if (!why.empty())
    return llvm::createStringError("there is no wrapper for `" + prototype.name + "`: " + why);

  std::string text = fmt::format(
      "// {0} through its stencil, written by stencilc-lift: with nvcc on the GPU, with another\n"
      "// compiler on the host. Link it, and what stencilc makes of the stencil, in place of the\n"
      "// original. What it takes for granted stands at the head of the stencil.\n"
      "#include \"{1}\"\n\n"
      "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n{2}\n"
      "namespace {{\n\n"
      "[[noreturn]] void failed(const char *why) {{\n"
      "  std::fprintf(stderr, \"{0}: %s\\n\", why);\n"
      "  std::abort();\n"
      "}}\n{3}"
      "#ifdef __CUDACC__",
      prototype.name, header.str(),
      prototype.isCPlusPlus || needsWidening(found.grid) || isConverted || keeps
          ? "#include <algorithm>\n#include <vector>\n"
          : "",
      keeps ? "namespace memory {\n" : "");
  text += deviceMemoryText();
  text += "#else";
  text += hostMemoryText();
  text += "#endif\n";
  if (keeps) {
    text += "}  // namespace memory\n";
    text += keptMemoryText();
  }
  if (needsWidening(found.grid))
    text += wideningText();
  if (isConverted)
    text += convertingText();
  text += "\n}  // namespace\n\n";
  const std::string globals = globalsText(found);
  if (!globals.empty())
    text += prototype.isCPlusPlus ? globals + "\n" : "extern \"C\" {\n" + globals + "}\n\n";
  text += prototype.isCPlusPlus ? "" : "extern \"C\" ";
  std::string arguments;
  for (const auto &argument : prototype.arguments) {
    const size_t star = std::min(argument.type.find("(*"), argument.type.find("(&"));
    std::string declared = argument.type + (argument.type.back() == '*' ? "" : " ") + argument.name;
    if (star != std::string::npos) // double (*)[8], double (&)[8]: the name stands inside
      declared = argument.type.substr(0, star + 2) + argument.name + argument.type.substr(star + 2);
    arguments += (arguments.empty() ? "" : ", ") + declared;
  }
  text += fmt::format("{} {}({}) {{\n", prototype.result, prototype.name, arguments);
  for (const auto &[condition, isOfArguments] : found.tree.givesUpWhen)
    text += fmt::format("  if ({}) return;\n", condition);
  text += resultsText(found.tree, found.lifted);
  text += runText(
      found.tree, found.grid, found.lifted,
      [&](unsigned number) {
        const Buffer &buffer = found.tree.buffers[number];
        const auto *argument = prototype.find(buffer.name);
        const std::string type = buffer.elementText();
        if (argument->kind == Prototype::Argument::Kind::Vector)
          return fmt::format("({} *){}.data()", type, buffer.name);
        return fmt::format("({} *){}", type, buffer.name);
      },
      "", /*isOfOriginal=*/true);
  text += results + "}\n";
  if (keeps)
    text += fmt::format(R"(
// Arrays stay where the stencil runs. Between calls the program's own copies of them are neither
// brought up to date nor looked at: call {0}_fetch before reading any, and {0}_forget after
// writing to any, or before freeing them.
extern "C" void {0}_fetch(void) {{
  for (Kept &kept : all_kept)
    if (kept.is_newer) {{
      kept.fetch(kept);
      kept.is_newer = false;
    }}
}}
extern "C" void {0}_forget(void) {{
  for (const Kept &kept : all_kept) memory::release(static_cast<char *>(kept.memory));
  all_kept.clear();
}}
)",
                        found.lifted.stencil.name);
  return text;
}

} // namespace stencilc::lift
