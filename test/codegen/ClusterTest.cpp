// Tiles of two blocks of a cluster, which send each other the rows where they meet: values, and
// which check finds what is planted in how they do it.
#include "ir/verify/KernelAudit.h"
#include "test/Seed.h"
#include "test/codegen/Reference.h"
#include "test/ir/UncheckedProgramFactory.h"

#include <functional>

using namespace stencilc;

namespace cluster {
namespace {

/// Of fused and single passes.
constexpr int64_t kSteps = 5;

std::string solid(llvm::StringRef ends, llvm::StringRef update) {
  return ("stencil solid(z, y, x) { field f64 u; const f64 f; boundary f: clamp; boundary u: " +
          ends + "; init f = 1 + 0.25*x - y; init u = x*x - 3*y + x*y - z; u' = " + update + "; }")
      .str();
}

TEST(Cluster, GivesTheReferenceBetweenEndsOfEveryKind) {
  const char *const kinds[] = {"fixed",   "halo",  "value(2)", "symmetric(-0.5)",
                               "reflect", "clamp", "periodic", "y- clamp, y+ value(1), fixed"};
  for (const char *ends : drawn(kinds, 3))
    for (const char *update :
         {"0.5*u[z-1] + 0.25*u[x-1] - 0.125*f[y-1]*u[y+1] + 0.5*u[y-1] + 0.25*u[z+1]",
          "0.5*u[z-1, y-1] + 0.25*u[x-1] - 0.125*u[y+1, x+1] + 0.5*u[z+1, y+1, x+1]"})
      for (const std::vector<int64_t> &grid :
           {std::vector<int64_t>{12, 21, 75}, {9, 9, 64}, {3, 3, 2}})
        expectReference(solid(ends, update), "temporal/32x2x1/c8/t2/v2x2/p1/cluster2", grid,
                        kSteps);
}

TEST(Cluster, SendsAsManyRowsAsAreRead) {
  for (const char *update : {"0.5*u[z-2] + 0.25*u[y-2] - 0.125*u[y+1] + 0.5*u[x+2] + u[z+1]",
                             "0.5*u[z-1, y-2] - 0.125*u[y+2, x-1] + 0.5*u + 0.25*u[z+2, y+1]"})
    for (const char *ends : {"fixed", "clamp", "periodic"})
      expectReference(solid(ends, update), "temporal/32x4x1/c8/t2/v2x2/p2/cluster2", {14, 27, 70},
                      kSteps);
}

TEST(Cluster, SendsWhatEachFieldAndStageShows) {
  expectReference(
      "stencil two(z, y, x) { field f64 u, v; boundary u: x halo, fixed; boundary v: fixed;"
      "  init u = x - y*y + z; init v = 0.5*x*y + x;"
      "  u' = 0.5*u[x-1] + v - u[y+1]; v' = v[y+1] - 0.5*v[y-1] + 0.25*u[z-1]; }",
      "temporal/32x2x1/c8/t2/v2x2/p1/cluster2", {11, 22, 70}, kSteps);
  expectReference("stencil wave(z, y, x) { field f32 u; boundary u: fixed; init u = x - y*y + z;"
                  "  u' = 1.5*u - 0.5*u[t-1] + 0.125*(u[y-1] + u[y+1]) + 0.25*u[z+1]; }",
                  "temporal/32x2x1/c8/t2/v2x2/p1/cluster2", {11, 22, 70}, kSteps);
  expectReference(
      "stencil stages(z, y, x) { field f64 u, v; boundary u, v: clamp;"
      "  init u = x - y*y + z; init v = 0.5*x*y + x;"
      "  stage { u' = 0.5*u + v[y-1] - v[x+1]; } stage { v' = v + u'[y+1] - u'[z-1]; } }",
      "temporal/32x4x1/c8/t2/v2x2/p1/cluster2", {11, 27, 70}, kSteps);
}

// ---- what is planted ----------------------------------------------------------------------------

const std::string kStar =
    solid("fixed", "0.5*u[z-1] + 0.25*u[y-1] - 0.125*u[y+1] + 0.5*u[x-1] + u[z+1]");

/// Its program; `change` is made to all kernels.
Program changed(llvm::function_ref<void(SendVector *, AwaitMessage *, Body &, size_t &)> change) {
  llvm::Expected<VerifiedProgram> lowered = lower(
      stencilOf(kStar), llvm::cantFail(parseSchedule("temporal/32x2x1/c8/t2/v2x2/p1/cluster2", 3)));
  Program program = *llvm::cantFail(std::move(lowered));
  std::function<void(Body &)> walk = [&](Body &body) {
    for (size_t at = 0; at < body.size(); ++at) {
      Statement &statement = body[at];
      if (auto *branch = std::get_if<If>(&statement.node)) {
        walk(branch->then);
        walk(branch->otherwise);
      } else if (auto *loop = std::get_if<For>(&statement.node)) {
        walk(loop->body);
      } else {
        change(std::get_if<SendVector>(&statement.node), std::get_if<AwaitMessage>(&statement.node),
               body, at);
      }
    }
  };
  for (Kernel &kernel : program.kernels)
    walk(kernel.body);
  return program;
}

std::string verifierOn(const Program &program) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  return verified ? "" : llvm::toString(verified.takeError());
}

std::string auditOn(const Program &program) {
  EXPECT_EQ(verifierOn(program), "");
  return llvm::toString(audit(program));
}

std::string runOn(const Program &program) {
  State state = llvm::cantFail(initialState(stencilOf(kStar), {12, 21, 75}, {}, 2));
  return llvm::toString(interpret(UncheckedProgramFactory::make(program), state, 2));
}

void expectIn(llvm::StringRef text, llvm::StringRef part) {
  EXPECT_TRUE(text.contains(part)) << text.str();
}

TEST(Cluster, FindsAMessageThatIsNotAwaited) {
  const Program program = changed([](SendVector *, AwaitMessage *await, Body &body, size_t &at) {
    if (await)
      body.erase(body.begin() + at--);
  });
  expectIn(auditOn(program), "is read before it is stored");
  expectIn(runOn(program), "is read before it is stored");
}

TEST(Cluster, FindsAMessageWithAnotherNumber) {
  const Program program = changed([](SendVector *, AwaitMessage *await, Body &, size_t &) {
    if (await)
      await->message = add(await->message, 1);
  });
  expectIn(auditOn(program), "not the number of the message that comes next");
  expectIn(runOn(program), "is awaited, where");
}

TEST(Cluster, FindsTooFewBytes) {
  const Program program = changed([](SendVector *, AwaitMessage *await, Body &, size_t &) {
    if (await)
      await->bytes += 8;
  });
  expectIn(auditOn(program), "bytes of a message, of which");
  expectIn(runOn(program), "of which the partner sends");
}

TEST(Cluster, FindsARowThatIsNotSent) {
  const Program program = changed([](SendVector *send, AwaitMessage *, Body &, size_t &) {
    if (send) // the first level, for all of them
      send->from[1] = send->to[1] = constant(0);
  });
  expectIn(auditOn(program), "is read before it is stored");
  expectIn(runOn(program), "is read before it is stored");
}

TEST(Cluster, FindsRowsSentOverThoseThatAreRead) {
  const Program program = changed([](SendVector *send, AwaitMessage *, Body &, size_t &) {
    if (send)
      send->to.front() = remainder(add(send->message, 1), 2);
  });
  EXPECT_NE(auditOn(program), "");
}

TEST(Cluster, RefusesWhatThePartnerMayNotComeTo) {
  Program program = changed([](SendVector *, AwaitMessage *, Body &, size_t &) {});
  for (Kernel &kernel : program.kernels)
    if (kernel.cluster > 1)
      for (Statement &statement : kernel.body)
        if (auto *loop = std::get_if<For>(&statement.node); loop && loop->steady)
          loop->end = add(loop->end, remainder(coordinate(CoordinateKind::Block, 1), 2));
  expectIn(verifierOn(program), "where the partner may not come to");
  program = changed([](SendVector *, AwaitMessage *, Body &, size_t &) {});
  for (Kernel &kernel : program.kernels)
    kernel.cluster = 1;
  EXPECT_NE(verifierOn(program), "");
}

} // namespace
} // namespace cluster
