#include "codegen/print/FileNames.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

void reserveNames(UniqueNames &taken, const Kernel &kernel) {
  const auto reserve = [&](const auto &named) {
    for (const auto &each : named)
      taken.reserve(each.name);
  };
  reserve(kernel.arrays);
  reserve(kernel.integers);
  reserve(kernel.registers);
  reserve(kernel.tiles);
  reserve(kernel.patches);
  for (const Queue &queue : kernel.queues)
    for (const std::string &slot : queue.slots)
      taken.reserve(slot);
  for (const std::string &pointer : kernel.pointers)
    taken.reserve(pointer);
}

FileNames::FileNames(const Program &program, llvm::ArrayRef<int64_t> onlyExtents) {
  for (const Kernel &kernel : program.kernels) {
    taken.reserve(kernel.name);
    reserveNames(taken, kernel);
    for (const std::string &local : kernel.locals)
      taken.reserve(local);
  }
  for (const Uniform &uniform : program.uniforms)
    taken.reserve(uniform.name);

  defineExtents(program, onlyExtents);
  for (const Kernel &kernel : program.kernels) {
    Lines lines;
    std::vector<std::string> &ours = constants.emplace_back();
    for (const NamedConstant &constant : kernel.constants)
      ours.push_back(
          define(constant.name, std::to_string(constant.value), constant.comment, lines));
    bounds.push_back(launchBounds(program, kernel, ours, lines));
    if (!lines.empty())
      definitions += alignComments(lines) + "\n";
  }
  defineNumbers(program);
}

void FileNames::defineNumbers(const Program &program) {
  Lines lines;
  for (const NamedNumber &number : namedNumbers(program, taken)) {
    const std::string fraction = fractionOf(number.type, number.value);
    lines.push_back({fmt::format("constexpr {} {} = {};", typeName(number.type).str(), number.name,
                                 literalText(number.type, number.value)),
                     fraction.empty() ? "" : "// " + fraction});
    numbers[{number.type, number.value}] = number.name;
  }
  if (!lines.empty())
    definitions += alignComments(lines) + "\n";
}

void FileNames::defineExtents(const Program &program, llvm::ArrayRef<int64_t> onlyExtents) {
  if (onlyExtents.empty())
    return;
  Lines lines;
  for (const auto &[axis, points] : llvm::zip_equal(program.signature.axes, onlyExtents)) {
    extents.push_back(taken.fresh("kPoints" + capitalised(axis)));
    lines.push_back(
        {fmt::format("constexpr {} {} = {};", program.target == Target::Device ? "int" : "int64_t",
                     extents.back(), points),
         fmt::format("// points along {}, and no other number of them", axis)});
  }
  definitions += alignComments(lines) + "\n";
}

std::string FileNames::define(llvm::StringRef name, const std::string &value,
                              llvm::StringRef comment, Lines &lines) {
  auto [entry, isNew] = known.try_emplace((name + " = " + value).str());
  if (isNew) {
    entry->second = taken.fresh(name);
    lines.push_back({fmt::format("constexpr int {} = {};", entry->second, value),
                     comment.empty() ? "" : ("// " + comment).str()});
  }
  return entry->second;
}

std::string FileNames::launchBounds(const Program &program, const Kernel &kernel,
                                    llvm::ArrayRef<std::string> names, Lines &lines) {
  // The product of the block's sides, by their names where they have them.
  std::vector<std::string> factors;
  for (unsigned dimension = 0; dimension < kernel.rank(); ++dimension) {
    const std::optional<unsigned> side = kernel.sides[dimension];
    const bool isNamed = side && kernel.constants[*side].value == kernel.block[dimension];
    if (kernel.block[dimension] > 1)
      factors.push_back(isNamed ? names[*side] : std::to_string(kernel.block[dimension]));
  }
  std::string threads = factors.empty() ? "1" : llvm::join(factors, " * ");
  if (factors.size() > 1) {
    // kCopyThreads from kCopyBlockX.
    const llvm::StringRef prefix =
        kernel.sides[0] ? llvm::StringRef(names[*kernel.sides[0]]).split("Block").first : "k";
    threads = define((prefix + "Threads").str(), threads, "", lines);
  }
  const int residency = program.schedule.residency;
  if (!kernel.promisesResidency || residency == 0)
    return threads;
  return threads + ", " + define("kBlocksPerSM", std::to_string(residency), "", lines);
}

} // namespace stencilc
