// The `--emit=kernel` text: a Program as a listing to read, one statement a line.
#include "ir/kernel/ExpressionText.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc {

namespace {

llvm::StringRef spelling(LoopKind kind) {
  switch (kind) {
  case LoopKind::Serial:
    return "for";
  case LoopKind::Unroll:
    return "unrolled for";
  case LoopKind::Parallel:
    return "parallel for";
  case LoopKind::Vector:
    return "vector for";
  case LoopKind::ParallelVector:
    return "parallel vector for";
  }
  llvm_unreachable("all kinds are handled");
}

llvm::StringRef spelling(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    return "read and write";
  }
  llvm_unreachable("an argument is read, written, or both");
}

class KernelText {
public:
  KernelText(llvm::raw_ostream &out, const Kernel &kernel, const std::vector<Uniform> &uniforms)
      : out(out), kernel(kernel), uniforms(uniforms), names{kernel.axes, &kernel},
        valueText(&kernel, &uniforms, nullptr, kernel.axes) {}

  void print() {
    out << "kernel " << kernel.name;
    if (kernel.target == Target::Device)
      out << fmt::format(", block {}", fmt::join(kernel.block, "x"));
    if (kernel.promisesResidency)
      out << ", resident as scheduled";
    if (kernel.hasShortAddresses)
      out << ", addresses of 32 bits";
    if (!kernel.startsEarly)
      out << ", behind the one before";
    out << "\n";
    for (const std::string &line : kernel.comment)
      out << "  // " << line << "\n";
    printDeclarations();
    print(kernel.body, 2);
  }

  void print(const Statement &statement) {
    std::visit([&](const auto &node) { print(node, 0); }, statement.node);
  }

private:
  /// What blocks advance by a constant.
  std::string sideText(unsigned number) const {
    for (unsigned axis = 0; axis < kernel.rank(); ++axis)
      if (kernel.sides[dimensionOf(axis, kernel.rank())] == number)
        return ", the side of a block along " + kernel.axes[axis];
    return "";
  }

  void printDeclarations() {
    for (auto [number, named] : llvm::enumerate(kernel.constants))
      out << fmt::format("  constant {} = {}{}\n", named.name, named.value, sideText(number));
    for (const ArrayArgument &array : kernel.arrays) {
      std::vector<std::string> ranges;
      for (unsigned axis : array.axes)
        ranges.push_back(indexText(constant(-array.ghost[axis][Low]), names).text + " .. " +
                         indexText(add(extent(axis), array.ghost[axis][High] - 1), names).text);
      if (array.isOverTime)
        ranges.push_back("step");
      for (const Index &length : array.lengths)
        ranges.push_back("0 .. " + indexText(add(length, -1), names).text);
      out << fmt::format("  array {} {}[{}] {}{}{}\n", spelling(array.type).str(), array.name,
                         join(ranges), spelling(array.access).str(),
                         array.layout == Layout::Rows ? ", in rows" : "",
                         array.asksForPath    ? " through the read-only path, by each load"
                         : array.readOnlyPath ? " through the read-only path"
                                              : "");
      if (array.alignment)
        out << fmt::format("    aligned in {}s at {}\n", array.alignment->elements,
                           indexText(array.alignment->at, names).text);
    }
    for (const IntegerArgument &integer : kernel.integers) {
      out << "  integer ";
      if (integer.atLeast)
        out << indexText(integer.atLeast, names).text << " <= ";
      out << integer.name;
      if (integer.atMost)
        out << " <= " << indexText(integer.atMost, names).text;
      out << "\n";
    }
    for (unsigned uniform : kernel.uniforms)
      out << fmt::format("  uniform {} {}\n", spelling(uniforms[uniform].type).str(),
                         uniforms[uniform].name);
    for (unsigned axis = 0; axis < kernel.rank(); ++axis)
      if (kernel.minimumExtent[axis] > 0)
        out << fmt::format("  n{} >= {}\n", kernel.axes[axis], kernel.minimumExtent[axis]);
    for (const Queue &queue : kernel.queues)
      out << fmt::format("  queue {} {}: {}\n", spelling(queue.type).str(), queue.name,
                         fmt::join(queue.slots, ", "));
    for (const Patch &patch : kernel.patches)
      out << fmt::format("  patch {} {}[{}]\n", spelling(patch.type).str(), patch.name,
                         fmt::join(patch.shape, ", "));
    for (const WarpGroup &group : kernel.groups)
      out << fmt::format("  group {}: warps {} .. {}\n", group.name, group.firstWarp,
                         group.firstWarp + group.warps - 1);
    for (const SharedTile &tile : kernel.tiles)
      out << fmt::format("  shared {} {}[{}]{}\n", spelling(tile.type).str(), tile.name,
                         fmt::join(tile.shape, ", "),
                         tile.padding ? fmt::format(", {} of a row unused", tile.padding) : "");
  }

  void print(const Body &body, unsigned depth) {
    for (const Statement &statement : body) {
      out.indent(depth);
      std::visit([&](const auto &node) { print(node, depth); }, statement.node);
    }
  }

  std::string typeOf(unsigned reg) const { return spelling(kernel.registers[reg].type).str(); }

  void print(const LetIndex &node, unsigned) {
    out << "index " << kernel.locals[node.local] << " = " << indexText(node.value, names).text
        << "\n";
  }
  void print(const LetPointer &node, unsigned) {
    out << (node.isCarried ? "carried pointer " : "pointer ") << kernel.pointers[node.pointer]
        << (node.layout == Layout::Rows ? " in rows = " : " = ") << indicesText(node.index, names)
        << "\n";
  }
  void print(const Let &node, unsigned) {
    out << typeOf(node.reg) << " " << kernel.registers[node.reg].name << " = "
        << valueText(node.value) << "\n";
  }
  void print(const LetMutable &node, unsigned) {
    out << "mutable " << typeOf(node.reg) << " " << kernel.registers[node.reg].name << " = "
        << valueText(node.value) << "\n";
  }
  void print(const Assign &node, unsigned) {
    out << kernel.registers[node.reg].name << " = " << valueText(node.value) << "\n";
  }
  void print(const AssignSlot &node, unsigned) {
    out << kernel.queues[node.queue].name << "." << node.slot << " = " << valueText(node.value)
        << "\n";
  }
  void print(const Rotate &node, unsigned) {
    out << "rotate " << kernel.queues[node.queue].name << "\n";
  }
  void print(const StoreGlobal &node, unsigned) {
    out << "store " << kernel.arrays[node.array].name << indicesText(node.index, names) << " = "
        << valueText(node.value) << "\n";
  }
  void print(const StoreShared &node, unsigned) {
    out << "store " << kernel.tiles[node.tile].name << indicesText(node.index, names) << " = "
        << valueText(node.value) << "\n";
  }
  void print(const AssignElement &node, unsigned) {
    out << kernel.patches[node.patch].name << indicesText(node.at, names) << " = "
        << valueText(node.value) << "\n";
  }
  void print(const ShiftPatch &node, unsigned) {
    out << "shift " << kernel.patches[node.patch].name << "\n";
  }
  std::string rowText(const PatchRow &row) const {
    return fmt::format("{}{}, {} lanes", kernel.patches[row.patch].name, indicesText(row.at, names),
                       row.lanes);
  }
  std::string globalText(unsigned array, llvm::ArrayRef<Index> index) const {
    return kernel.arrays[array].name + indicesText(index, names);
  }
  std::string sharedText(unsigned tile, llvm::ArrayRef<Index> index) const {
    return kernel.tiles[tile].name + indicesText(index, names);
  }
  void print(const LoadVector &node, unsigned) {
    out << "load " << rowText(node.row) << " = " << globalText(node.array, node.index) << "\n";
  }
  void print(const StoreVector &node, unsigned) {
    out << "store " << globalText(node.array, node.index) << " = " << rowText(node.row) << "\n";
  }
  void print(const LoadSharedVector &node, unsigned) {
    out << "load " << rowText(node.row) << " = " << sharedText(node.tile, node.index) << "\n";
  }
  void print(const StoreSharedVector &node, unsigned) {
    out << "store " << sharedText(node.tile, node.index) << " = " << rowText(node.row) << "\n";
  }
  void print(const CopyAsync &node, unsigned) {
    out << fmt::format("copy {} = {}, {} lanes\n", sharedText(node.tile, node.to),
                       globalText(node.array, node.from), node.lanes);
  }
  void print(const CommitCopies &, unsigned) { out << "commit copies\n"; }
  void print(const WaitCopies &node, unsigned) {
    out << fmt::format("wait for copies but {}\n", node.pending);
  }
  void print(const SendVector &node, unsigned) {
    out << fmt::format("send {} = {}, {} lanes of message {}\n", sharedText(node.tile, node.to),
                       sharedText(node.tile, node.from), node.lanes,
                       indexText(node.message, names).text);
  }
  void print(const AwaitMessage &node, unsigned) {
    out << fmt::format("await message {} of {} bytes\n", indexText(node.message, names).text,
                       node.bytes);
  }
  void print(const Barrier &node, unsigned) {
    out << (node.group ? "barrier of " + kernel.groups[*node.group].name : "barrier") << "\n";
  }
  void print(const Roles &node, unsigned depth) {
    out << "roles\n";
    for (const Role &role : node.roles) {
      out.indent(depth + 2) << fmt::format("warps {} .. {}: {}\n", role.firstWarp,
                                           role.firstWarp + role.warps - 1, role.name);
      print(role.body, depth + 4);
    }
  }
  void print(const If &node, unsigned depth) {
    out << "if " << boxText(node.box, names) << "\n";
    print(node.then, depth + 2);
    if (node.otherwise.empty())
      return;
    out.indent(depth) << "else\n";
    print(node.otherwise, depth + 2);
  }
  void print(const ReturnUnless &node, unsigned) {
    out << "return unless " << boxText(node.box, names) << "\n";
  }
  void print(const For &node, unsigned depth) {
    out << spelling(node.kind) << " " << kernel.locals[node.local] << " from "
        << indexText(node.begin, names).text << " below " << indexText(node.end, names).text;
    if (node.step != 1)
      out << " by " << node.step;
    for (const CarriedPointer &carried : node.carries)
      out << ", carrying " << kernel.pointers[carried.pointer];
    if (node.steady)
      out << fmt::format(", steady, {} phases of {} planes, {} ahead", node.steady->phases,
                         node.steady->planes, node.steady->phasesAhead);
    out << "\n";
    print(node.body, depth + 2);
  }
  void print(const Phase &node, unsigned) { out << "// " << node.text << "\n"; }

  llvm::raw_ostream &out;
  const Kernel &kernel;
  const std::vector<Uniform> &uniforms;
  IndexNames names;
  ValueText valueText;
};

void printSignature(llvm::raw_ostream &out, const Signature &signature) {
  for (const SignatureArray &array : signature.arrays) {
    std::vector<std::string> axes;
    for (unsigned axis : array.axes) {
      auto [low, high] = array.ghost[axis];
      axes.push_back(signature.axes[axis] +
                     (low || high ? fmt::format(" -{}+{}", low, high) : std::string()));
    }
    if (array.overTime)
      axes.push_back("step");
    out << fmt::format(
        "  {} {} {}[{}]{}{}\n", spelling(array.kind).str(), spelling(array.type).str(), array.name,
        join(axes), array.hasPrevious ? " with previous" : "", array.hasNext ? " with next" : "");
  }
  for (const std::string &result : signature.results)
    out << "  result f64 " << result << "\n";
  for (const SignatureParam &param : signature.params) {
    out << fmt::format("  param {} {}", spelling(param.type).str(), param.name);
    if (param.defaultValue)
      out << fmt::format(" = {}", *param.defaultValue);
    out << "\n";
  }
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (signature.minimumExtent[axis] > 0)
      out << fmt::format("  n{} >= {}\n", signature.axes[axis], signature.minimumExtent[axis]);
}

} // namespace

std::string toString(const Index &index, const Kernel &kernel) {
  return indexText(index, {kernel.axes, &kernel}).text;
}

std::string toString(const Index &index, const Signature &signature) {
  return indexText(index, {signature.axes, nullptr, signature.params}).text;
}

void print(llvm::raw_ostream &out, const Kernel &kernel, const std::vector<Uniform> &uniforms) {
  KernelText(out, kernel, uniforms).print();
}

std::string headOf(const Statement &statement, const Kernel &kernel,
                   const std::vector<Uniform> &uniforms) {
  std::string text;
  llvm::raw_string_ostream out(text);
  KernelText(out, kernel, uniforms).print(statement);
  return llvm::StringRef(text).split('\n').first.str();
}

void print(llvm::raw_ostream &out, const Program &program) {
  const Signature &signature = program.signature;
  out << fmt::format("program {}({}), schedule {}\n", signature.name, join(signature.axes),
                     toString(program.schedule));
  printSignature(out, signature);
  if (!program.uniforms.empty())
    out << "uniforms\n";
  ValueText valueText(nullptr, &program.uniforms, &signature.params, signature.axes);
  for (const Uniform &uniform : program.uniforms)
    out << fmt::format("  {} {} = {}\n", spelling(uniform.type).str(), uniform.name,
                       valueText(uniform.value));
  printPlan(out, program);
  for (const Kernel &kernel : program.kernels) {
    out << "\n";
    print(out, kernel, program.uniforms);
  }
}

} // namespace stencilc
