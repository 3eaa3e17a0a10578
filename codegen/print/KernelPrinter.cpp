#include "codegen/print/KernelPrinter.h"
#include "codegen/print/Layout.h"
#include "codegen/print/LongValues.h"
#include "codegen/print/PatchDeclarations.h"
#include "codegen/print/QueueDeclarations.h"
#include "codegen/print/TileDeclarations.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

#include <map>

namespace stencilc {

std::string parameter(const ArrayArgument &array) {
  // A pointer that is only read and may not use the read-only path must not promise that nothing
  // else writes what it points to.
  const bool isRead = array.access == Access::Read;
  return fmt::format("{}{} *{}{}", isRead ? "const " : "", typeName(array.type).str(),
                     isRead && !array.readOnlyPath ? "" : "__restrict__ ", array.name);
}

// ---- statements -------------------------------------------------------------------------------

namespace {

class BodyPrinter {
public:
  BodyPrinter(const Kernel &kernel, LeafNames names, FloatMode mode, HelperSet &helpers,
              UniqueNames taken)
      : kernel(kernel), expressions(kernel.target, mode, kernel.rank(), names, helpers, &kernel),
        helpers(helpers), names(std::move(names)), taken(std::move(taken)), slots(kernel),
        zeros(kernel) {
    expressions.nonNegativeLocals.resize(kernel.locals.size());
  }

  std::string print();
  const ExpressionPrinter &used() const { return expressions; }
  bool copiesAsync = false;

private:
  using PointerInScope = ExpressionPrinter::PointerInScope;

  const Kernel &kernel;
  ExpressionPrinter expressions;
  HelperSet &helpers;
  const LeafNames names;
  UniqueNames taken;
  const QueueDeclarations slots;
  const PatchDeclarations zeros;
  std::string out;
  std::map<unsigned, size_t> declarations; ///< of pointers: the empty lines kept for them
  unsigned depth = 1;
  bool inParallelLoop = false;
  const Body *ownBody = nullptr; ///< that declares the tiles of a turn

  std::string integerType() const { return kernel.target == Target::Device ? "int" : "int64_t"; }
  size_t indent() const { return 2 * depth; }
  void line(const std::string &text) { out += std::string(indent(), ' ') + flat(text) + "\n"; }

  std::string declared(unsigned queue, unsigned slot) const;
  void declareTiles();
  void declareWarp();
  void print(const Body &body);
  std::string declaration(const PointerInScope &pointer, bool isConstant);
  void print(const Statement &statement);
  void block(const Body &body);
  void assign(const std::string &target, const Value &value);
  void call(llvm::StringRef function, std::vector<std::string> arguments);
  void moveRow(Helper helper, const PatchRow &row, const std::string &place, bool isStore);
  void roles(const Roles &node);
  void loop(const For &node);
  std::vector<PointerInScope>::iterator carried(unsigned pointer);
  std::string carry(const For &node, const CarriedPointer &carried);
  void branch(const If &node);
  void returnUnless(const Box &box);
};

void BodyPrinter::declareTiles() {
  for (const std::string &declaration : tileDeclarations(kernel, helpers))
    line(declaration);
}

/// The coordinates that CUDA does not name, where the body uses them.
void BodyPrinter::declareWarp() {
  std::string thread = "threadIdx.x";
  int64_t stride = kernel.block[0];
  for (unsigned dimension = 1; dimension < 3; stride *= kernel.block[dimension++])
    if (kernel.block[dimension] > 1)
      thread += fmt::format(" + {} * threadIdx.{}", stride, "xyz"[dimension]);
  const std::string operand = thread == "threadIdx.x" ? thread : "(" + thread + ")";
  std::string declarations;
  if (expressions.usesWarp)
    declarations += fmt::format("  const int warp = {} / 32;\n", operand);
  if (expressions.usesLane)
    declarations += fmt::format("  const int lane = {} % 32;\n", operand);
  out = declarations + out;
}

/// A host kernel whose turns have tiles of their own declares them in its parallel loops.
static bool hasParallelLoop(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    const For *loop = loopOf(statement);
    bool found = loop && isParallel(loop->kind);
    forEachBody(statement, [&](const Body &inner) { found |= hasParallelLoop(inner); });
    return found;
  });
}

std::string BodyPrinter::print() {
  if (!hasParallelLoop(kernel.body))
    declareTiles();
  for (auto [number, patch] : llvm::enumerate(kernel.patches))
    line(fmt::format("{} {}{}{};", typeName(patch.type).str(), patch.name, bracketed(patch.shape),
                     zeros.isZero(number) ? " = {}" : ""));
  for (unsigned queue = 0; queue < kernel.queues.size(); ++queue)
    for (unsigned slot = 0; slot < kernel.queues[queue].length(); ++slot)
      if (slots.isDeclaredAtTop(queue, slot))
        line(declared(queue, slot) + ";");
  print(kernel.body);
  declareWarp();
  return std::move(out);
}

/// "double u_below", a variable; "const double u_above".
std::string BodyPrinter::declared(unsigned queue, unsigned slot) const {
  const bool isConstant = slots.isConstant(queue, slot) && !slots.isDeclaredAtTop(queue, slot);
  return fmt::format("{}{} {}", isConstant ? "const " : "",
                     typeName(kernel.queues[queue].type).str(), expressions.slot(queue, slot));
}

void BodyPrinter::print(const Body &body) {
  const size_t pointers = expressions.pointers.size();
  for (const Statement &statement : body)
    if (!zeros.isSaid(statement))
      print(statement);
  // Pointers that no text is relative to are not declared. Those in scope now were when it was
  // made.
  while (expressions.pointers.size() > pointers) {
    const PointerInScope pointer = expressions.pointers.back();
    expressions.pointers.pop_back();
    out.replace(declarations.at(pointer.pointer), 1,
                pointer.isUsed ? declaration(pointer, true) : "");
  }
}

std::string BodyPrinter::declaration(const PointerInScope &pointer, bool isConstant) {
  return fmt::format("{}{}int64_t {} = {};\n", std::string(indent(), ' '),
                     isConstant ? "const " : "", pointer.name,
                     flat(expressions.address(pointer.layout, pointer.where)));
}

void BodyPrinter::print(const Statement &statement) {
  std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &node) {
            expressions.nonNegativeLocals[node.local] = expressions.isNonNegative(node.value);
            const std::string target = "const " + integerType() + " " + names.locals[node.local];
            const std::string value = expressions.coordinateValue(node.value);
            if (std::optional<std::string> lines =
                    layOutAssignment(target, markTerms(value), indent()))
              out += *lines;
            else
              line(target + " = " + value + ";");
          },
          [&](const LetPointer &node) {
            const PointerInScope pointer = {node.pointer, kernel.pointers[node.pointer], node.index,
                                            node.layout};
            declarations[node.pointer] = out.size();
            out += node.isCarried ? declaration(pointer, false) : "\n";
            expressions.pointers.push_back(pointer);
          },
          [&](const Let &node) {
            const Register &reg = kernel.registers[node.reg];
            assign("const " + typeName(reg.type).str() + " " + reg.name, node.value);
          },
          [&](const LetMutable &node) {
            const Register &reg = kernel.registers[node.reg];
            assign(typeName(reg.type).str() + " " + reg.name, node.value);
          },
          [&](const Assign &node) { assign(names.registers[node.reg], node.value); },
          [&](const AssignSlot &node) {
            assign(slots.isDeclaration(node) ? declared(node.queue, node.slot)
                                             : expressions.slot(node.queue, node.slot),
                   node.value);
          },
          [&](const Rotate &node) {
            for (unsigned slot = 0; slot + 1 < kernel.queues[node.queue].length(); ++slot)
              line(expressions.slot(node.queue, slot) + " = " +
                   expressions.slot(node.queue, slot + 1) + ";");
          },
          [&](const StoreGlobal &node) {
            const ArrayArgument &array = kernel.arrays[node.array];
            assign(array.name + "[" + expressions.subscript(array, node.index) + "]", node.value);
          },
          [&](const StoreShared &node) {
            assign(expressions.tile(node.tile, node.index), node.value);
          },
          [&](const AssignElement &node) {
            assign(expressions.element(node.patch, node.at), node.value);
          },
          [&](const ShiftPatch &node) {
            call(helpers.use(Helper::Shift), {kernel.patches[node.patch].name});
          },
          [&](const LoadVector &node) {
            moveRow(Helper::LoadRow, node.row, expressions.address(node.array, node.index), false);
          },
          [&](const StoreVector &node) {
            moveRow(Helper::StoreRow, node.row, expressions.address(node.array, node.index), true);
          },
          [&](const LoadSharedVector &node) {
            moveRow(Helper::LoadRow, node.row, "&" + expressions.tile(node.tile, node.index),
                    false);
          },
          [&](const StoreSharedVector &node) {
            moveRow(Helper::StoreRow, node.row, "&" + expressions.tile(node.tile, node.index),
                    true);
          },
          [&](const CopyAsync &node) {
            copiesAsync = true;
            const unsigned bytes = node.lanes * sizeInBytes(kernel.tiles[node.tile].type);
            call("__pipeline_memcpy_async",
                 {"&" + expressions.tile(node.tile, node.to),
                  expressions.address(node.array, node.from), std::to_string(bytes)});
          },
          [&](const CommitCopies &) { line("__pipeline_commit();"); },
          [&](const WaitCopies &node) {
            line(fmt::format("__pipeline_wait_prior({});", node.pending));
          },
          [&](const Barrier &node) {
            if (!node.group)
              return line("__syncthreads();");
            // Barrier 0 is the whole block's.
            line(fmt::format("__barrier_sync_count({}, {});  // {}", *node.group + 1,
                             32 * kernel.groups[*node.group].warps,
                             kernel.groups[*node.group].name));
          },
          [&](const Roles &node) { roles(node); }, [&](const If &node) { branch(node); },
          [&](const ReturnUnless &node) {
            returnUnless(node.box);
            out += "\n";
          },
          [&](const For &node) { loop(node); },
          [&](const Phase &node) {
            if (!out.empty() && !llvm::StringRef(out).ends_with("{\n"))
              out += "\n";
            out += comment("// ", node.text, indent());
          }),
      statement.node);
}

void BodyPrinter::assign(const std::string &target, const Value &value) {
  const std::string text = expressions.value(value).text;
  if (std::optional<std::string> lines = layOutAssignment(target, text, indent())) {
    out += *lines;
    return;
  }
  // Too deep for the page: a part of it gets a name and a line of its own.
  const Value part = middlePart(value);
  if (!part) {
    line(target + " = " + text + ";");
    return;
  }
  const std::string name = taken.fresh("part");
  assign("const " + typeName(part->type).str() + " " + name, part);
  assign(target,
         replacePart(value, part, makeValue(part->type, RegisterValue{expressions.addName(name)})));
}

void BodyPrinter::call(llvm::StringRef function, std::vector<std::string> arguments) {
  const std::string list = llvm::join(arguments, std::string(",") + kBreak) + ");";
  std::optional<std::string> lines = layOut((function + "(" + list).str(), indent());
  if (!lines)
    if (std::optional<std::string> below = layOutBelow(list, indent() + 4))
      lines = std::string(indent(), ' ') + function.str() + "(\n" + *below;
  out += lines ? *lines : std::string(indent(), ' ') + flat((function + "(" + list).str()) + "\n";
}

void BodyPrinter::moveRow(Helper helper, const PatchRow &row, const std::string &place,
                          bool isStore) {
  const std::string registers = "&" + expressions.element(row.patch, row.at);
  call(fmt::format("{}<{}>", helpers.use(helper).str(), row.lanes),
       isStore ? std::vector{place, registers} : std::vector{registers, place});
}

// ---- control ----------------------------------------------------------------------------------

void BodyPrinter::roles(const Roles &node) {
  expressions.usesWarp = true;
  std::string head = "if";
  for (const Role &role : node.roles) {
    const unsigned end = role.firstWarp + role.warps;
    const std::string condition = role.firstWarp == 0 ? fmt::format("warp < {}", end)
                                  : role.warps == 1
                                      ? fmt::format("warp == {}", role.firstWarp)
                                      : fmt::format("warp >= {} && warp < {}", role.firstWarp, end);
    line(fmt::format("{} ({}) {{  // {}", head, condition, role.name));
    block(role.body);
    head = "} else if";
  }
  line("}");
}

void BodyPrinter::block(const Body &body) {
  llvm::SaveAndRestore inner(depth, depth + 1);
  if (&body == ownBody)
    declareTiles();
  print(body);
}

/// The branch that a body is, if it does something where its condition holds.
static const If *onlyBranch(const Body &body) {
  const auto *branch = body.size() == 1 ? std::get_if<If>(&body.front().node) : nullptr;
  return branch && !branch->then.empty() ? branch : nullptr;
}

void BodyPrinter::branch(const If &node) {
  if (node.then.empty()) {
    out += layOutCondition("if (", expressions.fails(node.box).text, ") {", indent());
    block(node.otherwise);
    return line("}");
  }
  out += layOutCondition("if (", expressions.holds(node.box).text, ") {", indent());
  block(node.then);
  const Body *otherwise = &node.otherwise;
  while (const If *next = onlyBranch(*otherwise)) {
    out += layOutCondition("} else if (", expressions.holds(next->box).text, ") {", indent());
    block(next->then);
    otherwise = &next->otherwise;
  }
  if (!otherwise->empty()) {
    line("} else {");
    block(*otherwise);
  }
  line("}");
}

void BodyPrinter::returnUnless(const Box &box) {
  const std::string condition = expressions.fails(box).text;
  const std::string onOneLine = "if (" + flat(condition) + ") return;";
  if (indent() + onOneLine.size() <= kColumns) {
    line(onOneLine);
    return;
  }
  out += layOutCondition("if (", condition, ")", indent());
  line("  return;");
}

/// True if `index` depends on the local.
static bool mentions(const Index &index, unsigned local) {
  const Coordinate sought{CoordinateKind::Local, local};
  return anyCoordinate(index, [&](const Coordinate &node) { return node == sought; });
}

/// Parallel loops that directly nest, with bounds that no outer one of them changes.
static std::vector<const For *> collapsible(const For &outermost) {
  std::vector<const For *> nest = {&outermost};
  while (nest.back()->body.size() == 1) {
    const For *next = std::get_if<For>(&nest.back()->body.front().node);
    if (!next || next->kind != LoopKind::Parallel || llvm::any_of(nest, [&](const For *outer) {
          return mentions(next->begin, outer->local) || mentions(next->end, outer->local);
        }))
      break;
    nest.push_back(next);
  }
  return nest;
}

void BodyPrinter::loop(const For &node) {
  const bool startsTeam = isParallel(node.kind) && !inParallelLoop;
  llvm::SaveAndRestore inside(inParallelLoop, inParallelLoop || startsTeam);
  if (startsTeam) {
    const std::vector<const For *> nest = collapsible(node);
    const size_t loops = nest.size();
    ownBody = &nest.back()->body;
    out += "#pragma omp parallel for";
    out += isVector(node.kind) ? " simd" : "";
    out += loops > 1 ? fmt::format(" collapse({})\n", loops) : "\n";
  } else if (isVector(node.kind)) {
    out += "#pragma omp simd\n";
  } else if (node.kind == LoopKind::Unroll) {
    out += "#pragma unroll\n";
  }
  expressions.nonNegativeLocals[node.local] = expressions.isNonNegative(node.begin);
  const std::string &name = names.locals[node.local];
  std::string step = node.step == 1 ? "++" + name : fmt::format("{} += {}", name, node.step);
  const std::string head =
      fmt::format("for ({0} {1} = {2}; {1} < {3};", integerType(), name,
                  expressions.coordinateValue(node.begin), expressions.index(node.end));
  for (const CarriedPointer &carried : node.carries)
    step += ", " + carry(node, carried);
  line(head + " " + step + ") {");
  block(node.body);
  line("}");
  for (const CarriedPointer &own : node.carries)
    expressions.pointers.erase(carried(own.pointer));
}

auto BodyPrinter::carried(unsigned pointer) -> std::vector<PointerInScope>::iterator {
  return llvm::find_if(expressions.pointers,
                       [&](const PointerInScope &each) { return each.pointer == pointer; });
}

/// Lets a pointer follow the loop's local; what a turn adds to it.
std::string BodyPrinter::carry(const For &node, const CarriedPointer &own) {
  PointerInScope &pointer = *carried(own.pointer);
  pointer.where[own.axis] = coordinate(CoordinateKind::Local, node.local);
  return pointer.name + " += " + expressions.steps(pointer.layout, own.axis, node.step);
}

} // namespace

// ---- kernels ----------------------------------------------------------------------------------

PrintedKernel printKernel(const Program &program, unsigned number, const FileNames &file,
                          FloatMode mode, HelperSet &helpers) {
  const Kernel &kernel = program.kernels[number];
  BodyPrinter body(kernel, leafNames(program, kernel, file, number), mode, helpers, file.taken);
  const std::string statements = body.print();

  PrintedKernel result;
  if (file.extents.empty())
    result.extents = body.used().usedExtents;
  result.strides = body.used().usedStrides;
  result.rows = body.used().usedRows;
  result.integers = body.used().usedIntegers;
  result.callsFunctions = body.used().callsFunctions;
  result.copiesAsync = body.copiesAsync;
  const bool isDevice = kernel.target == Target::Device;
  const std::string integer = isDevice ? "int " : "int64_t ";
  std::vector<std::string> parameters;
  for (const ArrayArgument &array : kernel.arrays)
    parameters.push_back(parameter(array));
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.extents[axis])
      parameters.push_back(integer + "n" + kernel.axes[axis]);
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.strides[axis])
      parameters.push_back("int64_t stride_" + kernel.axes[axis]);
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    if (result.rows[axis])
      parameters.push_back("int64_t row_" + kernel.axes[axis]);
  for (const auto &[argument, isUsed] : llvm::zip_equal(kernel.integers, result.integers))
    if (isUsed)
      parameters.push_back((argument.isWide ? "int64_t " : integer) + argument.name);
  for (unsigned uniform : kernel.uniforms)
    parameters.push_back(typeName(program.uniforms[uniform].type).str() + " " +
                         program.uniforms[uniform].name);

  for (const std::string &text : kernel.comment)
    result.text += comment("// ", text);
  std::string head = "void ";
  if (isDevice) {
    result.text += fmt::format("__global__ void __launch_bounds__({})\n", file.bounds[number]);
    head = "";
  }
  result.text += layOutList(head + kernel.name + "(", parameters, ") {", 0);
  if (isDevice && kernel.startsEarly)
    result.text += fmt::format("  {}();\n", helpers.use(Helper::AwaitPrevious).str());
  result.text += statements + "}\n";
  return result;
}

} // namespace stencilc
