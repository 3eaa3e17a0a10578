#include "codegen/print/TileDeclarations.h"

#include "codegen/print/Expressions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace stencilc {

/// What a kernel may declare as static shared memory.
static constexpr int64_t kMaxStaticSharedBytes = 48 * 1024;
/// Of tiles: what the widest access needs.
static constexpr int64_t kTileAlignment = 16;

/// Where each tile begins in the block's shared memory; last, how many bytes all take.
static std::vector<int64_t> tileOffsets(const Kernel &kernel) {
  std::vector<int64_t> offsets = {0};
  for (const SharedTile &tile : kernel.tiles) {
    int64_t elements = 1;
    for (int points : tile.shape)
      elements *= points;
    offsets.push_back(
        llvm::alignTo(offsets.back() + elements * sizeInBytes(tile.type), kTileAlignment));
  }
  return offsets;
}

int64_t dynamicSharedBytes(const Kernel &kernel) {
  const int64_t bytes = tileOffsets(kernel).back();
  return bytes > kMaxStaticSharedBytes ? bytes : 0;
}

std::string bracketed(llvm::ArrayRef<int> shape, int padding) {
  std::string text;
  for (int points : shape.drop_back(padding > 0))
    text += fmt::format("[{}]", points);
  if (padding > 0)
    text += fmt::format("[{} + {}]", shape.back() - padding, padding);
  return text;
}

std::vector<std::string> tileDeclarations(const Kernel &kernel, HelperSet &helpers) {
  std::vector<std::string> lines;
  if (kernel.tiles.empty())
    return lines;
  const bool isStatic = dynamicSharedBytes(kernel) == 0;
  if (kernel.target == Target::Host || isStatic) {
    const std::string where = kernel.target == Target::Host
                                  ? ""
                                  : fmt::format("__shared__ __align__({}) ", kTileAlignment);
    for (const SharedTile &tile : kernel.tiles)
      lines.push_back(fmt::format("{}{} {}{};", where, typeName(tile.type).str(), tile.name,
                                  bracketed(tile.shape, tile.padding)));
    return lines;
  }
  const std::string bytes = helpers.use(Helper::SharedMemory).str() + "()";
  for (auto [tile, offset] : llvm::zip_first(kernel.tiles, tileOffsets(kernel))) {
    const std::string rows = bracketed(llvm::ArrayRef(tile.shape).drop_front(), tile.padding);
    const std::string type = typeName(tile.type).str();
    const std::string start = offset ? fmt::format("{} + {}", bytes, offset) : bytes;
    const std::string pointer = rows.empty() ? type + " *" : fmt::format("{}(*){}", type, rows);
    lines.push_back(
        fmt::format("auto *const {} = reinterpret_cast<{}>({});", tile.name, pointer, start));
  }
  return lines;
}

} // namespace stencilc
