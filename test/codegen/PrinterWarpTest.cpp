// How patches, vector accesses, asynchronous copies and the roles of warps look as C.
#include "codegen/print/KernelPrinter.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace printer_warp {
namespace {

constexpr ScalarType f32 = ScalarType::F32;
const Index x = coordinate(CoordinateKind::Local, 0), i = coordinate(CoordinateKind::Local, 1);

Value number(double value) { return makeValue(f32, LiteralValue{value}); }
Value element(std::vector<Index> at) { return makeValue(f32, PatchElement{0, std::move(at)}); }

/// A kernel on axis x of 64 threads with an array u, a patch `row` of 3 x 4 registers, a tile of
/// 2 x 64 elements and a group of two warps, as printed.
PrintedKernel printed(Body body, int tileRows = 2, const char **definitions = nullptr) {
  Program program;
  program.signature.axes = {"x"};
  Kernel kernel;
  kernel.name = "step";
  kernel.axes = program.signature.axes;
  kernel.block = {32, 2, 1};
  kernel.arrays = {{"u", f32, {0}, {}, Access::ReadWrite, false}};
  kernel.locals = {"x", "i"};
  kernel.patches = {{"row", f32, {3, 4}}};
  kernel.tiles = {{"tile", f32, {tileRows, 64}}};
  kernel.groups = {{"halo", 0, 2}};
  kernel.body = std::move(body);
  program.kernels = {kernel};
  FileNames file(program);
  HelperSet helpers(Target::Device, file.taken);
  PrintedKernel result = printKernel(program, 0, file, FloatMode::Contract, helpers);
  static std::string kept;
  kept = helpers.definitions();
  if (definitions)
    *definitions = kept.c_str();
  return result;
}

/// A loop of four turns that is to be taken apart.
For four(Statement statement) {
  return {LoopKind::Unroll, 1, constant(0), constant(4), 1, {std::move(statement)}};
}

std::string bodyOf(const PrintedKernel &kernel) {
  const std::string head = ") {\n  await_previous();\n";
  return kernel.text.substr(kernel.text.find(head) + head.size());
}

const std::string kDeclarations = "  __shared__ __align__(16) float tile[2][64];\n"
                                  "  float row[3][4];\n";

TEST(PrinterWarp, PatchesAreArraysOfRegisters) {
  const char *definitions;
  EXPECT_EQ(bodyOf(printed({{four({AssignElement{0, {constant(2), i}, element({constant(0), i})}})},
                            {ShiftPatch{0}}},
                           2, &definitions)),
            kDeclarations + "  for (int i = 0; i < 4; ++i)\n"
                            "    row[2][i] = row[0][i];\n"
                            "  shift(row);\n"
                            "}\n");
  EXPECT_NE(std::string(definitions).find("void shift(T (&slices)[kCount])"), std::string::npos);
}

TEST(PrinterWarp, ALoopSaysThatItIsTakenApartWhereItIsLongOrCalls) {
  const auto isSaid = [](const Value &value) {
    const Statement statement = AssignElement{0, {constant(2), i}, value};
    return bodyOf(printed({{four(statement)}})).find("#pragma unroll") != std::string::npos;
  };
  // Four turns of an assignment, so many elements, and additions between them: 8 a term.
  Value sum = element({constant(0), i});
  for (int term = 1; term < 128; ++term)
    sum = makeValue(f32, BinaryValue{BinaryOp::Add, sum, element({constant(1), i})});
  EXPECT_FALSE(isSaid(sum));
  sum = makeValue(f32, BinaryValue{BinaryOp::Add, sum, element({constant(1), i})});
  EXPECT_TRUE(isSaid(sum));
  const Value first = element({constant(0), i}), second = element({constant(1), i});
  const Value isLess = makeValue(f32, CompareValue{CompareOp::Less, first, second});
  EXPECT_FALSE(isSaid(makeValue(f32, SelectValue{isLess, first, second})));
  EXPECT_TRUE(isSaid(makeValue(f32, BinaryValue{BinaryOp::Divide, first, second})));
  EXPECT_TRUE(isSaid(makeValue(f32, CallValue{Builtin::Exp, {first}})));
}

TEST(PrinterWarp, VectorsMoveRowsOfAPatch) {
  const PatchRow row{0, {constant(1), constant(0)}, 4};
  EXPECT_EQ(bodyOf(printed({{LetIndex{0, scale(coordinate(CoordinateKind::Thread, 0), 4)}},
                            {LoadVector{row, 0, {x}}},
                            {StoreSharedVector{0, {constant(1), x}, row}},
                            {LoadSharedVector{row, 0, {constant(0), x}}},
                            {StoreVector{0, {x}, row}}})),
            kDeclarations + "  const int x = 4 * threadIdx.x;\n"
                            "  load_row<4>(&row[1][0], &u[x]);\n"
                            "  store_row<4>(&tile[1][x], &row[1][0]);\n"
                            "  load_row<4>(&row[1][0], &tile[0][x]);\n"
                            "  store_row<4>(&u[x], &row[1][0]);\n"
                            "}\n");
}

TEST(PrinterWarp, CopiesTakeTheirBytes) {
  const PrintedKernel kernel = printed({{LetIndex{0, constant(0)}},
                                        {CopyAsync{0, {constant(1), x}, 0, {x}, 2}},
                                        {CommitCopies{}},
                                        {WaitCopies{1}}});
  EXPECT_TRUE(kernel.copiesAsync);
  EXPECT_EQ(bodyOf(kernel), kDeclarations + "  const int x = 0;\n"
                                            "  __pipeline_memcpy_async(&tile[1][x], &u[x], 8);\n"
                                            "  __pipeline_commit();\n"
                                            "  __pipeline_wait_prior(1);\n"
                                            "}\n");
}

TEST(PrinterWarp, RolesAreBranchesOnTheWarp) {
  const Index lane = coordinate(CoordinateKind::Lane, 0);
  const Value west = makeValue(f32, ShuffleValue{ShuffleFrom::LowerLane, 1, element({x, x})});
  EXPECT_EQ(
      bodyOf(printed({{Roles{{{"load the halo", 0, 1, {{Barrier{0}}}},
                              {"compute", 1, 1, {{Barrier{0}}, {StoreGlobal{0, {lane}, west}}}}}}},
                      {Barrier{}}})),
      "  const int warp = (threadIdx.x + 32 * threadIdx.y) / 32;\n"
      "  const int lane = (threadIdx.x + 32 * threadIdx.y) % 32;\n" +
          kDeclarations +
          "  if (warp < 1) {  // load the halo\n"
          "    __barrier_sync_count(1, 64);  // halo\n"
          "  } else if (warp == 1) {  // compute\n"
          "    __barrier_sync_count(1, 64);  // halo\n"
          "    u[lane] = __shfl_up_sync(0xffffffff, row[x][x], 1);\n"
          "  }\n"
          "  __syncthreads();\n"
          "}\n");
}

TEST(PrinterWarp, PositionsBecomeNumbers) {
  EXPECT_EQ(bodyOf(printed({{LetIndex{0, constant(0)}},
                            {StoreGlobal{0, {x}, makeValue(f32, IndexValue{add(x, 1)})}}})),
            kDeclarations + "  const int x = 0;\n"
                            "  u[x] = float(x + 1);\n"
                            "}\n");
}

TEST(PrinterWarp, LargeTilesAreAskedForByTheLaunch) {
  const char *definitions;
  const PrintedKernel kernel =
      printed({{StoreShared{0, {constant(0), constant(1)}, number(2)}}}, 512, &definitions);
  EXPECT_EQ(bodyOf(kernel),
            "  auto *const tile = reinterpret_cast<float(*)[64]>(shared_memory());\n"
            "  float row[3][4];\n"
            "  tile[0][1] = 2.0f;\n"
            "}\n");
  EXPECT_NE(std::string(definitions).find("extern __shared__ __align__(16) unsigned char"),
            std::string::npos);
}

} // namespace
} // namespace printer_warp
