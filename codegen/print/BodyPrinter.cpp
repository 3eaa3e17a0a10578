#include "codegen/print/BodyPrinter.h"
#include "codegen/print/LongValues.h"
#include "codegen/print/TileDeclarations.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace stencilc;

void BodyPrinter::declareTiles() {
  for (const std::string &declaration : tileDeclarations(kernel, helpers)) {
    ++madeAhead;
    line(declaration);
  }
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
  if (kernel.cluster > 1) {
    mail = taken.fresh("mail");
    line(fmt::format("__shared__ unsigned long long {}[2];", mail));
    line(fmt::format("{}({});", helpers.use(Helper::OpenMail).str(), mail));
  }
  if (kernel.target == Target::Device) {
    RepeatedTexts fills = repeatedFills(kernel, expressions.locals());
    for (RepeatedText &text : fills.texts)
      for (RepeatedText::Parameter &parameter : text.parameters)
        parameter.name = taken.fresh(parameter.name);
    repetitions = named(std::move(fills));
  }
  print(kernel.body);
  // A phase that begins behind a return has one empty line before it.
  for (size_t at = 0; (at = out.find("\n\n\n", at)) != std::string::npos;)
    out.erase(at, 1);
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
  for (llvm::ArrayRef<Statement> rest = body; !rest.empty();) {
    const Statement &statement = rest.front();
    const auto [made, end] = repetitions.madeBefore.equal_range(&statement);
    for (auto each = made; each != end; ++each)
      define(repetitions.texts[each->second]);
    const bool isRepeated =
        repeated && (&statement == repeated->ahead || &statement == repeated->inTurn);
    const auto called = repetitions.calls.find(&statement);
    const bool isCall = called != repetitions.calls.end();
    const std::optional<CombinedLanes> combined = combinedLanes(rest, kernel);
    rest = rest.drop_front(
        isRepeated ? (&statement == repeated->ahead ? repeated->countAhead : repeated->countInTurn)
        : isCall   ? called->second.statements
        : combined ? combined->statements
                   : 1);
    if (isRepeated)
      repeat(statement);
    else if (combined)
      combineLanes(combined->tree);
    else if (isCall)
      callText(called->second);
    else if (!zeros.isSaid(statement))
      print(statement);
  }
  // Pointers that no text is relative to are not declared. Those in scope now were when it was
  // made.
  while (expressions.pointers.size() > pointers) {
    const PointerInScope pointer = expressions.pointers.back();
    expressions.pointers.pop_back();
    if (const auto kept = declarations.find(pointer.pointer); kept != declarations.end())
      out.replace(kept->second, 1, pointer.isUsed ? declaration(pointer, true) : "");
  }
}

std::string BodyPrinter::declaration(const PointerInScope &pointer, bool isConstant) {
  return fmt::format("{}{}{} {} = {};\n", std::string(indent(), ' '), isConstant ? "const " : "",
                     addressType(kernel).str(), pointer.name,
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
            const std::optional<std::string> beside =
                node.isCarried ? std::nullopt : expressions.besidePointer(node.layout, node.index);
            if (beside) {
              line(fmt::format("const {} {} = {};", addressType(kernel).str(), pointer.name,
                               *beside));
            } else {
              declarations[node.pointer] = out.size();
              out += node.isCarried ? declaration(pointer, false) : "\n";
            }
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
          [&](const Assign &node) {
            assign(names.registers[expressions.same.reg(node.reg)], node.value);
          },
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
            const std::string &patch = kernel.patches[node.patch].name;
            if (const std::optional<PatchShifts::Rows> rows = shifts.rowsToMove(node.patch))
              call(fmt::format("{}<{}, {}>", helpers.use(Helper::ShiftRows).str(), rows->first,
                               rows->end),
                   {patch});
            else
              call(helpers.use(Helper::Shift), {patch});
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
          [&](const SendVector &node) {
            call(fmt::format("{}<{}>", helpers.use(Helper::SendRow).str(), node.lanes),
                 {"&" + expressions.tile(node.tile, node.to),
                  "&" + expressions.tile(node.tile, node.from), mail,
                  expressions.coordinateValue(node.message)});
          },
          [&](const AwaitMessage &node) {
            call(helpers.use(Helper::AwaitMail),
                 {mail, expressions.coordinateValue(node.message), std::to_string(node.bytes)});
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
          [&](const For &node) { loop(node); }, [&](const Phase &node) { openPhase(node.text); }),
      statement.node);
}

void BodyPrinter::openPhase(llvm::StringRef text) {
  if (!out.empty() && !llvm::StringRef(out).ends_with("{\n"))
    out += "\n";
  out += comment("// ", text, indent());
}

RepeatedTexts BodyPrinter::repetitionsIn(const Body &body) {
  return named(repeatedTexts(body, kernel, branchOf(kernel), expressions.locals()));
}

RepeatedTexts BodyPrinter::named(RepeatedTexts found) {
  for (const RepeatedText &text : found.texts)
    for (const RepeatedText::Parameter &parameter : text.parameters)
      expressions.addLocal(parameter.name);
  return found;
}

void BodyPrinter::define(RepeatedText &text) {
  ++madeAhead;
  openPhase(text.comment);
  text.name = taken.fresh(text.name);
  std::vector<std::string> parameters;
  for (const RepeatedText::Parameter &parameter : text.parameters)
    parameters.push_back(integerType() + " " + parameter.name);
  line(fmt::format("const auto {} = [&]({}) {{", text.name, llvm::join(parameters, ", ")));
  block(text.body);
  line("};");
}

void BodyPrinter::callText(const RepeatedTexts::Call &node) {
  std::vector<std::string> arguments;
  for (const Index &argument : node.arguments)
    arguments.push_back(expressions.index(argument));
  call(repetitions.texts[node.text].name, std::move(arguments));
}

bool BodyPrinter::isOneCall(const Body &body) const {
  const auto &calls = repetitions.calls;
  const auto found = body.empty() ? calls.end() : calls.find(&body.front());
  return found != calls.end() && found->second.statements == body.size();
}

void BodyPrinter::assign(const std::string &target, const Value &value) {
  const std::string text = expressions.value(value).text;
  if (std::optional<std::string> lines = layOutAssignment(target, text, indent())) {
    out += *lines;
    return;
  }
  // Too deep for the page: a part of it gets a name and a line of its own, first a load that has no
  // room on one itself.
  const auto isWide = [&](const Value &load) {
    return indent() + 8 + flat(expressions.value(load).text).size() > kColumns;
  };
  Value part = loadIn(value, isWide);
  if (!part)
    part = middlePart(value);
  if (!part) {
    std::optional<std::string> lines = layOutChoice(target, text, indent());
    if (std::holds_alternative<LoadGlobal>(value->node))
      lines = layOut(target + " = " + breakable(text) + ";", indent());
    if (lines)
      out += *lines;
    else
      line(target + " = " + text + ";");
    return;
  }
  ++madeAhead;
  const std::string name = taken.fresh("part");
  assign("const " + typeName(part->type).str() + " " + name, part);
  assign(target,
         replacePart(value, part, makeValue(part->type, RegisterValue{expressions.addName(name)})));
}

/// The loads that stand both ahead of a march and in its turns.
void BodyPrinter::repeat(const Statement &first) {
  const auto callFor = [&](int64_t plane, int64_t end, unsigned own) {
    line(fmt::format("{}({}<{}, {}>{{}}{});", loadPlanes, helpers.use(Helper::Planes).str(), plane,
                     end, repeated->asksPlane ? ", " + names.locals[own] : ""));
  };
  if (&first == repeated->inTurn)
    return callFor(repeated->end, repeated->end + 1, repeated->march);
  loadPlanes = taken.fresh("load_planes");
  const llvm::StringRef planes = names.locals.back();
  const std::string own = repeated->asksPlane
                              ? fmt::format(", {} {}", integerType(), names.locals[repeated->march])
                              : "";
  line(fmt::format("const auto {} = [&](auto {}{}) {{  // counted from here", loadPlanes,
                   planes.split('.').first.str(), own));
  const auto standAt = [&](unsigned place, unsigned from) {
    for (PointerInScope &pointer : expressions.pointers)
      for (Index &index : pointer.where)
        index = replaced(index, {CoordinateKind::Local, from},
                         coordinate(CoordinateKind::Local, place));
  };
  standAt(repeated->march, repeated->begin);
  block(repeated->body);
  standAt(repeated->begin, repeated->march);
  line("};");
  callFor(repeated->first, repeated->end, repeated->begin);
}

void BodyPrinter::call(llvm::StringRef function, std::vector<std::string> arguments) {
  for (std::string &argument : arguments)
    if (indent() + 4 + argument.size() + 2 > kColumns)
      argument = breakable(argument);
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

void BodyPrinter::combineLanes(const LaneTree &tree) {
  const auto named = [&](const char *name) {
    return makeValue(ScalarType::F64, RegisterValue{expressions.addName(name)});
  };
  const std::string two =
      flat(expressions.value(tree.combined(named("number"), named("other"))).text);
  const auto function = [&](Helper min, Helper max, Helper sum) {
    const Helper helper = tree.op == Reduction::Op::Min   ? min
                          : tree.op == Reduction::Op::Max ? max
                                                          : sum;
    return fmt::format("{}<{}>", helpers.use(helper, two).str(), tree.lanes);
  };
  const std::string &lanes = kernel.tiles[tree.tile].name;
  if (tree.target == Target::Host)
    return call(function(Helper::LanesMin, Helper::LanesMax, Helper::LanesSum), {lanes});
  const std::string &number = names.registers[expressions.same.reg(tree.reg)];
  line(fmt::format("{0} = {1}({0}, {2});", number,
                   function(Helper::BlockMin, Helper::BlockMax, Helper::BlockSum), lanes));
}

void BodyPrinter::movePartialRow(const PartialRow &row) {
  const ArrayArgument &array = kernel.arrays[row.array];
  const std::string place = expressions.subscript(array, row.index);
  const std::string registers = "&" + expressions.element(row.registers.patch, row.registers.at);
  const Helper helper = !row.isStore ? Helper::LoadBefore
                        : row.begin  ? Helper::StoreBetween
                                     : Helper::StoreBefore;
  std::vector<std::string> arguments = row.isStore ? std::vector{array.name, place, registers}
                                                   : std::vector{registers, array.name, place};
  arguments.push_back(expressions.coordinateValue(row.column));
  if (row.begin)
    arguments.push_back(expressions.coordinateValue(row.begin));
  arguments.push_back(expressions.coordinateValue(row.end));
  call(fmt::format("{}<{}>", helpers.use(helper).str(), row.registers.lanes), std::move(arguments));
}

void BodyPrinter::sendClamped(const ClampedCopy &copy) {
  copiesAsync = true;
  auto [tile, to, number, from, lanes] = copy.row;
  const ArrayArgument &array = kernel.arrays[number];
  // The address is that of the column where a pointer stands: of the first element's, nvcc computes
  // one difference more.
  const auto pointers = llvm::reverse(expressions.pointers);
  const auto pointer = llvm::find_if(
      pointers, [&](const PointerInScope &own) { return own.layout == array.layout; });
  from.back() = pointer == pointers.end() ? copy.column : pointer->where.back();
  call(fmt::format("{}<{}>", helpers.use(Helper::CopyClamped).str(), lanes),
       {"&" + expressions.tile(tile, to), array.name, expressions.subscript(array, from),
        expressions.coordinateValue(from.back()), expressions.coordinateValue(copy.column),
        expressions.coordinateValue(copy.first), expressions.coordinateValue(copy.last)});
}
