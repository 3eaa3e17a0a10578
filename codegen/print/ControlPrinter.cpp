// Roles, branches, loops and returns.
#include "codegen/print/BodyPrinter.h"
#include "codegen/print/ShortLoops.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <fmt/format.h>

using namespace stencilc;

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

template <class... Kinds> static bool isAnyOf(const Statement &statement) {
  return (std::holds_alternative<Kinds>(statement.node) || ...);
}

/// True of what is no more than a statement of the text, either.
static bool isOneStatement(const Body &body) {
  return body.size() == 1 &&
         !isAnyOf<LetIndex, LetPointer, Let, LetMutable, Rotate, ReturnUnless, Roles, Phase>(
             body.front());
}

/// True if without braces around the body an `else` in it might be read as one behind it.
static bool hasBareElse(const Body &body) {
  if (!isOneStatement(body))
    return false;
  if (const For *loop = loopOf(body.front()))
    return hasBareElse(loop->body);
  const auto *branch = std::get_if<If>(&body.front().node);
  if (branch && clampedCopy(*branch))
    return false;
  return branch && (branch->then.empty() ? hasBareElse(branch->otherwise)
                                         : !branch->otherwise.empty() || hasBareElse(branch->then));
}

/// True if a comment opens a part of the body.
static bool hasPhases(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool found = std::holds_alternative<Phase>(statement.node);
    forEachBody(statement, [&](const Body &inner) { found |= hasPhases(inner); });
    return found;
  });
}

void BodyPrinter::closeBlock(const Body &body, bool needsBraces) {
  const size_t brace = out.size() - llvm::StringRef(" {\n").size();
  const unsigned before = madeAhead;
  block(body);
  if ((isOneStatement(body) || isOneCall(body)) && !hasPhases(body) && !needsBraces &&
      madeAhead == before)
    out.erase(brace, 2);
  else
    line("}");
}

/// The branch that a body is, if it does something where its condition holds.
static const If *onlyBranch(const Body &body) {
  const auto *branch = body.size() == 1 ? std::get_if<If>(&body.front().node) : nullptr;
  return branch && !branch->then.empty() ? branch : nullptr;
}

/// True of what is asked of the number of a branch, before the text is run.
static bool asksBranch(const Kernel &kernel, const Box &box) {
  const auto *local = box.size() == 1 ? std::get_if<Coordinate>(&box.front().index->node) : nullptr;
  return local && *local == Coordinate{CoordinateKind::Local, branchOf(kernel)};
}

/// `if (x < nx) {`, `if constexpr (kBranch >= 1) {`; `head` is all before the condition.
std::string BodyPrinter::opened(const std::string &head, const Box &box) {
  if (!asksBranch(kernel, box))
    return layOutCondition(head + " (", expressions.holds(box).text, ") {", indent());
  const auto value = [](const Index &bound) { return std::get<IndexConstant>(bound->node).value; };
  const auto &[index, lower, upper] = box.front();
  const std::string name = expressions.index(index);
  const std::string condition =
      !lower   ? fmt::format("{} < {}", name, value(upper))
      : !upper ? fmt::format("{} >= {}", name, value(lower))
      : value(lower) + 1 == value(upper)
          ? fmt::format("{} == {}", name, value(lower))
          : fmt::format("{0} >= {1} && {0} < {2}", name, value(lower), value(upper));
  return layOutCondition(head + " constexpr (", condition, ") {", indent());
}

void BodyPrinter::inCommon(const CommonText &text) {
  llvm::SaveAndRestore inside(isInCommon, true);
  expressions.same = text.names;
  ++madeAhead;
  const std::string function = taken.fresh("branch"), which = taken.fresh("which");
  out +=
      comment("// ", "What the branches below do; some of it is done by some of them.", indent());
  line(fmt::format("const auto {} = [&](auto {}) {{", function, which));
  {
    llvm::SaveAndRestore inner(depth, depth + 1);
    line(fmt::format("constexpr int {} = decltype({})::number;", names.locals[branchOf(kernel)],
                     which));
    llvm::SaveAndRestore inText(repetitions, repetitionsIn(text.body));
    print(text.body);
  }
  line("};");
  for (const auto &[number, opening] : llvm::enumerate(text.comments)) {
    if (number < text.conditions.size())
      out += layOutCondition(number == 0 ? "if (" : "else if (",
                             expressions.holds(*text.conditions[number]).text, ")", indent());
    else
      line("else");
    llvm::SaveAndRestore inner(depth, depth + 1);
    const std::string call =
        fmt::format("{}({}<{}>{{}});", function, helpers.use(Helper::Branch).str(), number);
    line(opening.empty() ? call : call + "  // " + opening);
  }
}

void BodyPrinter::branch(const If &node) {
  if (kernel.target == Target::Device && !isInCommon)
    if (const std::optional<CommonText> text = commonText(node, branchOf(kernel), firstRolled))
      return inCommon(*text);
  if (const std::optional<ClampedCopy> copy = clampedCopy(node))
    return sendClamped(*copy);
  if (node.then.empty() || node.otherwise.empty()) {
    const bool isOtherwise = node.then.empty();
    out += isOtherwise ? layOutCondition("if (", expressions.fails(node.box).text, ") {", indent())
                       : opened("if", node.box);
    const Body &body = isOtherwise ? node.otherwise : node.then;
    // nvcc takes no pragma right behind an `if constexpr` that does not hold.
    return closeBlock(body, hasBareElse(body) || asksBranch(kernel, node.box));
  }
  out += opened("if", node.box);
  block(node.then);
  const Body *otherwise = &node.otherwise;
  while (const If *next = onlyBranch(*otherwise)) {
    out += opened("} else if", next->box);
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

/// Turns have what they name by value: by reference, nvcc makes other code of them.
void BodyPrinter::turnsWrittenOut(const For &node) {
  line(fmt::format("{}<{}>([=](int {}) {{", helpers.use(Helper::WrittenOut).str(),
                   expressions.index(node.end), names.locals[node.local]));
  block(node.body);
  line("});");
}

static void append(RepeatedTexts &texts, RepeatedTexts more) {
  const size_t before = texts.texts.size();
  llvm::move(more.texts, std::back_inserter(texts.texts));
  for (const auto &[statement, number] : more.madeBefore)
    texts.madeBefore.emplace(statement, before + number);
  for (auto &[statement, call] : more.calls) {
    call.text += before;
    texts.calls[statement] = std::move(call);
  }
}

/// The body of a loop, which says once what is done several times in the turns of a march.
void BodyPrinter::turns(const For &node) {
  if (!node.steady || kernel.target == Target::Host || isInCommon)
    return closeBlock(node.body);
  llvm::SaveAndRestore inTurns(repetitions);
  append(repetitions, repetitionsIn(node.body));
  closeBlock(node.body);
}

void BodyPrinter::loop(const For &node) {
  if (writtenOut.contains(node.local))
    return turnsWrittenOut(node);
  if (kernel.target == Target::Device)
    if (const std::optional<PartialRow> row = partialRow(node))
      return movePartialRow(*row);
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
  } else if (node.kind == LoopKind::Unroll && !isShort(node)) {
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
  turns(node);
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
