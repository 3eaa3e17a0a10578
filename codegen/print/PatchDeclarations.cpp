#include "codegen/print/PatchDeclarations.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace stencilc;

/// The patch whose elements all become 0 by this statement, unrolled loops around one assignment.
static std::optional<unsigned> clearedPatch(const Kernel &kernel, const Statement &statement) {
  std::vector<const For *> loops;
  const Statement *inner = &statement;
  while (const For *loop = loopOf(*inner)) {
    if (loop->kind != LoopKind::Unroll || loop->step != 1 || loop->body.size() != 1)
      return std::nullopt;
    loops.push_back(loop);
    inner = &loop->body.front();
  }
  const auto *assigned = std::get_if<AssignElement>(&inner->node);
  if (!assigned)
    return std::nullopt;
  const auto *literal = std::get_if<LiteralValue>(&assigned->value->node);
  if (!literal || literal->value != 0 || std::signbit(literal->value))
    return std::nullopt;
  auto loop = loops.begin();
  for (auto [at, size] : llvm::zip_equal(assigned->at, kernel.patches[assigned->patch].shape)) {
    if (size == 1 && equal(at, constant(0)))
      continue; // there is no loop
    if (loop == loops.end() || !equal(at, coordinate(CoordinateKind::Local, (*loop)->local)) ||
        !equal((*loop)->begin, constant(0)) || !equal((*loop)->end, constant(size)))
      return std::nullopt;
    ++loop;
  }
  if (loop != loops.end())
    return std::nullopt;
  return assigned->patch;
}

PatchDeclarations::PatchDeclarations(const Kernel &kernel) {
  for (const Statement &statement : kernel.body)
    if (const std::optional<unsigned> patch = clearedPatch(kernel, statement)) {
      zeros.insert(*patch);
      said.insert(&statement);
    } else if (!std::holds_alternative<LetIndex>(statement.node) &&
               !std::holds_alternative<ReturnUnless>(statement.node) &&
               !std::holds_alternative<Phase>(statement.node)) {
      return;
    }
}
