#include "ir/run/KernelInterpreter.h"

#include "ir/run/ProgramRun.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

llvm::Error stencilc::interpret(const VerifiedProgram &program, State &state, int64_t steps,
                                const InterpretOptions &options) {
  const Signature &signature = program->signature;
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (state.extents[axis] < 0)
      return llvm::createStringError(
          fmt::format("n{} is {}", signature.axes[axis], state.extents[axis]));
  const bool isEmpty = llvm::is_contained(state.extents, 0);
  if ((steps == 0 || isEmpty) && signature.results.empty())
    return llvm::Error::success();
  if (isEmpty)
    return ProgramRun(*program, state, options).run(state.extents, 0);
  for (unsigned axis = 0; axis < signature.rank(); ++axis)
    if (state.extents[axis] < signature.minimumExtent[axis])
      return llvm::createStringError(fmt::format("n{} is {}, below the least extent {}",
                                                 signature.axes[axis], state.extents[axis],
                                                 signature.minimumExtent[axis]));
  if (const std::optional<std::string> why = refusal(signature, state.extents, state.params))
    return llvm::createStringError(*why);
  for (auto [grid, array] : llvm::zip_first(state.current, signature.arrays))
    if (steps > 0 && array.overTime &&
        (state.step + array.overTime->first < 0 ||
         state.step + steps - 1 + array.overTime->last >= grid.extents.front()))
      return llvm::createStringError(
          fmt::format("`{}` has {} values, too few for {} steps from step {}", array.name,
                      grid.extents.front(), steps, state.step));
  return ProgramRun(*program, state, options).run(state.extents, steps);
}
