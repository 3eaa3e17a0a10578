#include "codegen/lower/Renumbering.h"

using namespace stencilc;

void Renumbering::apply(Plan &plan) const {
  apply(plan.prologue);
  for (Pass &pass : plan.passes)
    apply(pass);
  apply(plan.epilogue);
}

void Renumbering::apply(Pass &pass) const {
  apply(pass.actions);
  for (Owed &owed : pass.owed)
    change(owed.buffer);
}

void Renumbering::apply(Actions &actions) const {
  for (Action &action : actions)
    std::visit([&](auto &node) { apply(node); }, action.node);
}

void Renumbering::apply(Launch &launch) const {
  for (unsigned &buffer : launch.buffers)
    change(buffer);
  for (IntegerBinding &binding : launch.integers)
    if (auto *elements = std::get_if<ElementsOf>(&binding))
      change(elements->buffer);
}

void Renumbering::apply(Rename &rename) const {
  for (auto &[first, second] : rename.pairs) {
    change(first);
    change(second);
  }
}

void Renumbering::apply(When &when) const {
  std::visit([&](auto &condition) { apply(condition); }, when.condition);
  apply(when.then);
  apply(when.otherwise);
}

void Renumbering::apply(Aligned &aligned) const {
  for (unsigned &buffer : aligned.buffers)
    change(buffer);
}
