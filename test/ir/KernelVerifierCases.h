// What the tests of the verifier share: Programs to mutate, and the table of a rule's faults.
#pragma once

#include "ir/verify/KernelVerifier.h"

#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

namespace stencilc {

/// The fault, empty if there is none.
std::string faultOf(Program program);

template <class Node> Node &statement(Program &program, size_t number) {
  return std::get<Node>(program.kernels[0].body[number].node);
}

/// fivePoint() with one change.
Program fiveWith(void (*change)(Program &));
/// onePoint() whose body holds only `body`, run where x < nx.
Program guarded(Body body);
/// guarded() storing the value to u_next.
Program storing(Value value);
/// Adds what the tests of statements need: registers r, s; locals i, j; a queue of two; a tile of
/// eight.
Program withResources(Program program);
/// guarded() updating in place: u is read and written.
Program inPlace(Body body);
/// onePoint() as a loop of a host kernel; `body` runs where 0 <= x < nx.
Program hostProgram(Body body);

/// `make` gives a Program in which the verifier sees exactly `fault`.
struct FaultCase {
  const char *name;
  Program (*make)();
  const char *fault;
};

void PrintTo(const FaultCase &faultCase, std::ostream *out);

class KernelVerifierFault : public ::testing::TestWithParam<FaultCase> {};

inline std::string nameOf(const ::testing::TestParamInfo<FaultCase> &info) {
  return info.param.name;
}

#define FAULTS(RULE, ...)                                                                          \
  INSTANTIATE_TEST_SUITE_P(RULE, KernelVerifierFault, ::testing::Values(__VA_ARGS__), nameOf)

} // namespace stencilc
