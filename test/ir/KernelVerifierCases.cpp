#include "test/ir/KernelVerifierCases.h"

using namespace stencilc;

std::string stencilc::faultOf(Program program) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(std::move(program));
  return verified ? std::string() : toString(verified.takeError());
}

Program stencilc::fiveWith(void (*change)(Program &)) {
  Program program = fivePoint();
  change(program);
  return program;
}

Program stencilc::guarded(Body body) {
  body.insert(body.begin(), {ReturnUnless{{{local(0), nullptr, extent(0)}}}});
  return onePoint(body);
}

Program stencilc::withResources(Program program) {
  Kernel &kernel = program.kernels[0];
  kernel.registers = {{"r", ScalarType::F64}, {"s", ScalarType::F64}};
  kernel.locals = {"x", "i", "j"};
  kernel.pointers = {"here"};
  kernel.queues = {{"q", ScalarType::F64, {"q_0", "q_1"}}};
  kernel.tiles = {{"tile", ScalarType::F64, {8}}};
  return program;
}

Program stencilc::inPlace(Body body) {
  body.insert(body.begin(), {ReturnUnless{{{local(0), nullptr, extent(0)}}}});
  Program program = withResources(onePoint(body));
  program.signature.arrays[0].hasNext = false;
  Kernel &kernel = program.kernels[0];
  kernel.arrays.resize(1);
  kernel.arrays[0].access = Access::ReadWrite;
  kernel.arrays[0].readOnlyPath = false;
  launchAt(program, 0).buffers.resize(1);
  declareBuffers(program);
  return program;
}

Program stencilc::hostProgram(Body body) {
  Program program = onePoint({});
  program.target = Target::Host;
  Kernel &kernel = program.kernels[0];
  kernel.target = Target::Host;
  kernel.integers.clear();
  kernel.block = {1, 1, 1};
  kernel.body = {{For{LoopKind::Parallel, 0, constant(0), extent(0), 1, std::move(body)}}};
  launchAt(program, 0).integers.clear();
  return program;
}

Program stencilc::storing(Value value) {
  return guarded({{StoreGlobal{1, {local(0)}, std::move(value)}}});
}

void stencilc::PrintTo(const FaultCase &faultCase, std::ostream *out) { *out << faultCase.fault; }
