#include "codegen/lower/StepLowering.h"

#include "codegen/lower/Reductions.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Program emptyProgram(const Stencil &stencil, Target target, llvm::ArrayRef<unsigned> beside,
                            bool storesTemps) {
  Program program;
  program.signature = signatureOf(stencil);
  for (unsigned field : beside)
    program.signature.arrays[field].hasNext = true;
  program.target = target;
  program.buffers = callerBuffers(program.signature);
  std::vector<bool> isMade(stencil.arrays.size());
  forEachUpdate(stencil, [&](const Update &update) { isMade[update.array] = true; });
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    if (stencil.arrays[array].kind == ArrayKind::Temp && isMade[array] && storesTemps)
      program.buffers.push_back(tempBuffer(program.signature, array));
  return program;
}

StepLowering::StepLowering(const Stencil &stencil, Target target, llvm::ArrayRef<unsigned> beside,
                           bool storesTemps)
    : stencil(stencil), areas(areasOf(stencil)),
      program(emptyProgram(stencil, target, beside, storesTemps)),
      parts(partsOf(stencil, areas, program.signature, target)), formula(stencil, program),
      frames(program, stencil, areas) {}

unsigned StepLowering::add(Kernel kernel) {
  program.kernels.push_back(std::move(kernel));
  return program.kernels.size() - 1;
}

Program StepLowering::finish() {
  Pass pass;
  for (auto [actions, part] : llvm::zip_first(made, parts)) {
    llvm::move(actions, std::back_inserter(pass.actions));
    if (part.number + 1 == part.count)
      for (When &copy : frames.after(part.stage))
        pass.actions.push_back({std::move(copy)});
  }
  if (Rename rename = rotation(program.signature); !rename.pairs.empty())
    pass.actions.push_back({std::move(rename)});
  pass.owed = owedBy(stencil, program.buffers);
  program.plan.passes.push_back(std::move(pass));
  for (unsigned number = 0; number < stencil.reductions.size(); ++number)
    program.plan.epilogue.push_back({reductionOf(program, stencil, areas, formula, number)});
  return std::move(program);
}
