#include "frontend/language/CNames.h"

#include "ir/stencil/Scalar.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace stencilc {

static llvm::StringSet<> wordsOf(llvm::StringRef list) {
  llvm::StringSet<> words;
  for (llvm::StringRef word : llvm::split(list, ' '))
    words.insert(word);
  return words;
}

static bool isKeyword(llvm::StringRef name) {
  static const llvm::StringSet<> words = wordsOf(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
      "consteval constexpr constinit continue decltype default delete do double dynamic_cast "
      "else enum explicit export extern false final float for friend goto if inline int long "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq override private "
      "protected public register reinterpret_cast requires restrict return short signed sizeof "
      "static static_assert static_cast struct switch template this thread_local throw true try "
      "typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while "
      "xor xor_eq");
  return words.contains(name);
}

static bool isMacro(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {
#include "frontend/language/KeptMacros.inc"
  };
  return std::binary_search(std::begin(names), std::end(names), name);
}

/// Types and functions that emitted text uses where names of the stencil are in scope.
static bool isUsed(llvm::StringRef name) {
  static const llvm::StringSet<> names =
      wordsOf("std main int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t "
              "uintptr_t size_t ptrdiff_t printf malloc free memcpy memset "
              "fmin fminf fmax fmaxf fabs fabsf");
  if (names.contains(name))
    return true;
  // What the language's functions become for f32.
  return name.consume_back("f") && findBuiltin(name);
}

static bool isOfCuda(llvm::StringRef name) {
  static const llvm::StringSet<> names = wordsOf(
      "dim3 warpSize threadIdx blockIdx blockDim gridDim half float2 float4 double2 double4");
  return names.contains(name) || name.starts_with("cuda") || name.starts_with("CUDA") ||
         name.starts_with("CU_");
}

llvm::StringRef keptAs(llvm::StringRef name) {
  if (isKeyword(name))
    return "a keyword of C or C++";
  if (isMacro(name))
    return "a macro of the C and C++ libraries";
  if (isUsed(name))
    return "a name of the C and C++ libraries";
  if (isOfCuda(name))
    return "a name of CUDA";
  if (name.starts_with("_") || name.contains("__"))
    return "of a form that C++ keeps for itself";
  return "";
}

std::string freeName(llvm::StringRef name) {
  std::string result;
  for (char c : name.ltrim('_'))
    if (c != '_' || result.back() != '_')
      result += c;
  if (result.empty())
    return "a";
  return keptAs(result).empty() && !isReservedWord(result) ? result : "my_" + result;
}

} // namespace stencilc
