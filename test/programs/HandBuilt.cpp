#include "test/programs/HandBuilt.h"

#include "codegen/lower/Lower.h"
#include "test/Examples.h"
#include "test/ir/StencilBuilder.h"
#include "test/programs/Layers.h"
#include "test/programs/Programs.h"
#include "test/programs/Reductions.h"

using namespace stencilc;

static Stencil heat32() { return example("heat.stn", ScalarType::F32); }
static Stencil diffusion() { return example("diffusion.stn", ScalarType::F64); }
static Stencil heat64() { return example("heat.stn", ScalarType::F64); }
static Stencil plate() {
  return stencilIn(STENCILC_SOURCE_FOLDER "/test/mutation/Inputs/plate.stn");
}

static Stencil shores() {
  return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/shores.stn");
}

static Stencil bath() { return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/bath.stn"); }
static Stencil jacobi5() { return example("jacobi5.stn", ScalarType::F32); }
static Stencil box27() { return example("box27.stn", ScalarType::F64); }

static Stencil yee() { return example("maxwell3d.stn", ScalarType::F32); }
static Stencil stages() {
  return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/stages.stn");
}
static Stencil pond() { return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/pond.stn"); }
static Stencil dunes() {
  return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/dunes.stn");
}
static Stencil belt() { return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/belt.stn"); }

static Stencil rod() { return example("heat1d.stn", ScalarType::F64); }
static Stencil pipe() { return stencilIn(STENCILC_SOURCE_FOLDER "/test/programs/Inputs/pipe.stn"); }

/// Mirrors of both kinds, with and without factors, beside a wall and a number outside.
static Stencil mirrors() {
  Stencil stencil = emptyStencil({"y", "x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Symmetric);
  const unsigned v = addArray(stencil, ArrayKind::Field, "v", BoundaryKind::Reflect);
  stencil.arrays[u].boundary[0][Low].factor = -1;
  stencil.arrays[u].boundary[1][High].factor = 0.3;
  stencil.arrays[u].boundary[0][High].kind = BoundaryKind::Fixed;
  stencil.arrays[v].boundary[1][Low].factor = 1.7;
  stencil.arrays[v].boundary[0][Low] = {BoundaryKind::Value,
                                        formulaOf([](FormulaBuilder &f) { return f.number(0.5); })};
  addUpdate(stencil, 0, u, [&](FormulaBuilder &f) {
    return f.minus(f.plus(f.now(u, {-1, 2}), f.now(u, {-2, -1})), f.now(u, {1, 1}));
  });
  addUpdate(stencil, 0, v, [&](FormulaBuilder &f) {
    return f.minus(f.plus(f.now(v, {-1, -2}), f.now(v, {2, -1})), f.now(u, {-1, 2}));
  });
  return stencil;
}

template <int chunk> static Program lowered(const Stencil &stencil) {
  Schedule schedule;
  schedule.rank = stencil.rank();
  schedule.variant = chunk > 1 ? "zblock" : "baseline";
  schedule.block = {16, chunk > 1 ? 1 : 2, 1};
  schedule.chunk = chunk;
  return *llvm::cantFail(lower(stencil, schedule));
}

/// Fused steps, made by the variant: whose tiles do not fit into the grids of random programs.
static Program fusedAs(const Stencil &stencil, llvm::StringRef schedule) {
  return *llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
}

static Program onTheHost(const Stencil &stencil) {
  return *llvm::cantFail(lower(stencil, findVariant("host")->defaultSchedule(stencil)));
}

static std::vector<std::vector<std::pair<std::string, double>>> surfaces() {
  return {{}, {{"surface", 0}}, {{"surface", 1}}, {{"surface", 7}}, {{"surface", -1}}};
}

static std::vector<std::vector<std::pair<std::string, double>>> windows() {
  return {{}, {{"top", 0}}, {{"top", 2}, {"far", 0}}, {{"far", 4}}, {{"top", -1}}};
}

static const std::vector<std::vector<int64_t>> kBars = {{0, 3},   {3, 0},    {1, 1},   {4, 9},
                                                        {7, 300}, {2, 4500}, {700, 3}, {45, 33}};
static const std::vector<std::vector<int64_t>> kShelves = {{3, 4}, {4, 17}, {5, 33}, {9, 40}},
                                               kPlaces = {{1, 1}, {2, 3}, {5, 33}, {9, 40}},
                                               kWindows = {{4, 1, 5}, {5, 3, 34}, {9, 4, 12}};
/// One tile of 16x8 points, several, and grids that they do not fit.
static const std::vector<std::vector<int64_t>> kFusedMarches = {
    {4, 8, 16}, {6, 12, 28}, {3, 3, 3}, {9, 8, 30}, {2, 7, 16}, {5, 13, 33}, {12, 17, 40}};
/// Whole patches and chunks, whole patches alone, and neither; the last so large that they take a
/// block more than blocks one longer would.
static const std::vector<std::vector<int64_t>> kPatched = {
    {1, 1, 1}, {4, 4, 16}, {5, 11, 32}, {14, 11, 35}, {6, 12, 32}, {18, 17, 36}, {19, 17, 36}};
static const std::vector<std::vector<int64_t>> kMarched = {{3, 3, 3},  {4, 5, 7},   {2, 9, 9},
                                                           {7, 6, 64}, {5, 4, 130}, {6, 11, 67},
                                                           {3, 5, 11}, {5, 4, 132}, {9, 4, 71}};

llvm::ArrayRef<HandBuilt> stencilc::handBuilt() {
  static const HandBuilt programs[] = {
      {.name = "VectorsOfFour",
       .stencil = heat32,
       .build = [](const Stencil &stencil) { return marchInVectors(stencil, 2, 2, 4); },
       .extents = kMarched,
       .takesFaults = true},
      {.name = "VectorsOfTwo",
       .stencil = heat64,
       .build = [](const Stencil &stencil) { return marchInVectors(stencil, 3, 4, 8); },
       .extents = kMarched},
      {.name = "Roles",
       .stencil = heat64,
       .build = [](const Stencil &stencil) { return marchInRoles(stencil, 2, 3); },
       .extents = kMarched,
       .takesFaults = true},
      {.name = "RolesOfSingles",
       .stencil = heat32,
       .build = [](const Stencil &stencil) { return marchInRoles(stencil, 1, 16); },
       .extents = kMarched},
      {.name = "FusedPlanes",
       .stencil = heat64,
       .build = [](const Stencil &stencil) { return fusedPlanes(stencil, 4, 5, 2, 5); },
       .extents = {{3, 3, 3}, {2, 9, 9}, {9, 6, 64}, {12, 5, 57}, {7, 8, 130}},
       .steps = {1, 4, 9}},
      {.name = "FusedPlanesOfPairs",
       .stencil = heat64,
       .build = [](const Stencil &stencil) { return fusedPlanes(stencil, 2, 3, 2, 3); },
       .extents = {{3, 3, 3}, {5, 4, 7}, {6, 5, 62}},
       .steps = {1, 2, 5},
       .takesFaults = true},
      {.name = "FusedPlanesOfSingles",
       .stencil = heat32,
       .build = [](const Stencil &stencil) { return fusedPlanes(stencil, 3, 8, 1, 16); },
       .extents = {{3, 3, 3}, {4, 5, 7}, {20, 4, 132}},
       .steps = {2, 3, 7}},
      {.name = "FusedRows",
       .stencil = plate,
       .build = [](const Stencil &stencil) { return fusedRows(stencil, 4, 6); },
       .extents = {{3, 3}, {3, 8}, {5, 4}, {2, 9}, {8, 64}, {14, 57}, {9, 130}, {20, 113}},
       .steps = {1, 4, 5, 9},
       .takesFaults = true},
      {.name = "FusedTiles",
       .stencil = shores,
       .build = [](const Stencil &stencil) { return fusedTiles(stencil, 3); },
       .extents = {{1, 1}, {2, 3}, {4, 8}, {5, 9}, {13, 30}},
       .steps = {1, 3, 7}},
      {.name = "Pipeline",
       .stencil = plate,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x2/c12/t4/v3x2/p1"); },
       .extents = {{3, 3}, {7, 96}, {14, 89}, {30, 181}},
       .steps = {4, 5, 9}},
      {.name = "PipelineInVectors",
       .stencil = belt,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x3/c10/t3/v4x3/p2"); },
       .extents = {{3, 3}, {8, 97}, {25, 250}},
       .steps = {1, 3, 7}},
      {.name = "PipelineWithConstants",
       .stencil = jacobi5,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x2/c12/t4/v3x2/p1"); },
       .extents = {{3, 3}, {7, 96}, {30, 181}},
       .steps = {4, 9}},
      {.name = "MarchOfStages",
       .stencil = yee,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/8x4x1/c4/t2/v2x2/p1"); },
       .extents = kFusedMarches,
       .steps = {1, 2, 5}},
      {.name = "MarchOfStagesWithTemps",
       .stencil = stages,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x1/c6/t2/v2x1"); },
       .extents = {{3, 3}, {7, 64}, {14, 58}, {25, 131}},
       .steps = {1, 2, 5},
       .takesFaults = true,
       .faults = {{"index shifted", "fused: 0 becomes 1 in an element of d_planes"},
                  {"index shifted", "fused: 1 becomes 0 in an element of d_planes"},
                  {"assignment dropped", "fused: an assignment to d_planes"}}},
      {.name = "MarchOfLeapfrog",
       .stencil = dampedWaves,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x1/c5/t3/v2x1/p1"); },
       .extents = {{3, 3}, {7, 64}, {14, 58}, {25, 131}},
       .steps = {1, 2, 3, 4, 5},
       .takesFaults = true,
       .runsLong = true,
       .faults = {{"wrong buffer", "_fused"},
                  {"names kept", ""},
                  {"index shifted", "fused: 1 becomes 0 in an element of u_prev_planes"},
                  {"index shifted", "fused: 0 becomes 1 in an element of u_prev_planes"}}},
      {.name = "SharedPipeline",
       .stencil = plate,
       .build =
           [](const Stencil &stencil) {
             return fusedAs(stencil, "temporal/32x2/c12/t4/v3x2/p1/share5x3x1");
           },
       .extents = {{3, 3}, {7, 96}, {14, 89}, {30, 181}},
       .steps = {4, 5, 9},
       .takesFaults = true,
       .faults = {{"index shifted", " for share"},
                  {"index shifted", " for chunk_y"},
                  {"index shifted", " for number"},
                  {"index shifted", " for tile_x"},
                  {"wrong divisor", " for share"},
                  {"wrong divisor", " for chunk_y"},
                  {"wrong divisor", " for number"},
                  {"wrong factor", " for share"},
                  {"wrong factor", " for chunk_y"}}},
      {.name = "MarchOfOneStep",
       .stencil = stages,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x1/c6/v2x1/p1"); },
       .extents = {{3, 3}, {7, 64}, {14, 58}, {25, 131}}},
      {.name = "FittingMarch",
       .stencil = heat32,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/8x8x1/c4/t2/v2x1/p1"); },
       .extents = kFusedMarches,
       .steps = {1, 2, 5}},
      {.name = "FittingMarchByPlanes",
       .stencil = box27,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/8x8x1/c4/t2/v2x1/p1"); },
       .extents = kFusedMarches,
       .steps = {1, 2, 5}},
      {.name = "FittingMarchBesideNumbers",
       .stencil = bath,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/8x8x1/c4/t2/v2x1/p2"); },
       .extents = kFusedMarches,
       .steps = {1, 2, 5}},
      {.name = "TileOfTwoSteps",
       .stencil = heat32,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32x4x1/c4/t2/tile"); },
       .extents = {{3, 3, 3}, {6, 4, 30}, {9, 7, 31}, {5, 13, 67}},
       .steps = {1, 2, 5},
       .takesFaults = true,
       .faults = {{"barrier dropped", ""},
                  {"barrier moved", ""},
                  {"store dropped", "fused_tile"},
                  {"index shifted", " for cell"},
                  {"branch dropped", "fused_tile"},
                  {"clamp turned", "fused_tile"},
                  {"wrong slot", " becomes "},
                  {"wrong register", ""},
                  {"rotation dropped", ""},
                  {"rotation repeated", ""}}},
      {.name = "FlatPatches",
       .stencil = heat32,
       .build =
           [](const Stencil &stencil) { return fusedAs(stencil, "zblock/8x2x1/c3/v2x2/flat"); },
       .extents = kPatched,
       .takesFaults = true,
       .runsLong = true,
       // No bound along x: of whole pieces of rows none ends one point further.
       .faults = {{"launch dropped", "zblock"},
                  {"wrong cover", "zblock"},
                  {"index shifted", "(heat_zblock"},
                  {"wrong condition", ""},
                  {"guard dropped", "_whole: "},
                  {"bound shifted", "_whole: y"},
                  {"bound shifted", "_whole: z"}}},
      {.name = "FlatPatchesInTiles",
       .stencil = diffusion,
       .build =
           [](const Stencil &stencil) {
             return fusedAs(stencil, "zblock/8x2x1/c3/v2x2/flat/tile");
           },
       .extents = kPatched,
       .takesFaults = true,
       .faults = {{"barrier dropped", ""},
                  {"barrier moved", ""},
                  {"copy dropped", ""},
                  {"commit dropped", ""},
                  {"wait dropped", ""},
                  {"wrong wait", ""},
                  {"store dropped", "_whole: "},
                  {"range dropped", "_whole: "},
                  {"bound shifted", "_whole: x"},
                  {"bound shifted", "_whole: first_y"},
                  {"bound shifted", "_whole: z"},
                  {"axes swapped", "_tile"},
                  {"index shifted", "_tile"}}},
      {.name = "PeeledRows",
       .stencil = dunes,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "zblock/8x1/c6/peel"); },
       .extents = {{1, 1}, {2, 9}, {3, 4}, {4, 17}, {5, 9}, {6, 3}, {7, 8}, {9, 10}, {13, 19}},
       .takesFaults = true},
      {.name = "PeeledTiles",
       .stencil = diffusion,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "shm/8x4x1/c3/padded/peel"); },
       .extents = {{1, 1, 1}, {2, 4, 8}, {3, 5, 9}, {4, 3, 17}, {7, 9, 12}},
       .takesFaults = true},
      {.name = "GatheredEnds",
       .stencil = pond,
       .build = lowered<1>,
       .extents = {{4, 4}, {4, 17}, {5, 33}, {9, 16}},
       .takesFaults = true,
       .faults = {{"text: end off by one", ""},
                  {"text: end not asked", ""},
                  {"range dropped", ""},
                  {"bound dropped", ""},
                  {"bound shifted", ""},
                  {"operands swapped", "a guarded value"}}},
      {.name = "Line",
       .stencil = rod,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "temporal/64/t3/v4x1"); },
       .extents = {{1}, {3}, {9}, {128}, {233}, {700}},
       .steps = {1, 3, 7}},
      {.name = "LineOfStages",
       .stencil = pipe,
       .build = [](const Stencil &stencil) { return fusedAs(stencil, "temporal/32/t2/v8x1"); },
       .extents = {{3}, {9}, {256}, {233}, {700}},
       .steps = {1, 2, 5}},
      {.name = "Mirrors",
       .stencil = mirrors,
       .build = lowered<1>,
       .extents = {{3, 3}, {4, 17}, {5, 33}, {9, 16}}},
      {.name = "MirrorsInMarches",
       .stencil = mirrors,
       .build = lowered<4>,
       .extents = {{3, 3}, {4, 17}, {5, 33}, {9, 16}}},
      {.name = "InStages",
       .stencil = smoothing,
       .build = lowered<1>,
       .extents = {{7, 3}, {4, 9}, {5, 5}, {13, 5}, {9, 31}, {8, 20}, {13, 34}, {1, 1}},
       .steps = {1, 2, 3, 5},
       .takesFaults = true},
      {.name = "InStagesOnTheHost",
       .stencil = smoothing,
       .build = onTheHost,
       .extents = {{1, 1}, {4, 9}, {5, 5}, {13, 5}, {8, 20}}},
      {.name = "InStagesThatMarch",
       .stencil = smoothing,
       .build = lowered<4>,
       .extents = {{1, 1}, {4, 9}, {5, 5}, {13, 5}, {8, 20}}},
      {.name = "InStagesWithGhosts",
       .stencil = flowing,
       .build = lowered<1>,
       .extents = {{1, 1, 1}, {3, 2, 31}, {4, 5, 33}, {2, 9, 67}},
       .takesFaults = true},
      {.name = "InStagesWithGhostsThatMarch",
       .stencil = flowing,
       .build = lowered<3>,
       .extents = {{1, 1, 1}, {3, 2, 31}, {4, 5, 33}, {2, 9, 67}}},
      {.name = "InStagesWithGhostsOnTheHost",
       .stencil = flowing,
       .build = onTheHost,
       .extents = {{1, 1, 1}, {3, 2, 31}, {4, 5, 33}, {2, 9, 67}}},
      {.name = "Regions", .stencil = shelf, .build = lowered<1>, .extents = kShelves},
      {.name = "RegionsThatMarch", .stencil = shelf, .build = lowered<3>, .extents = kShelves},
      {.name = "RegionsOnTheHost", .stencil = shelf, .build = onTheHost, .extents = kShelves},
      {.name = "RegionsOfParams",
       .stencil = window,
       .build = lowered<1>,
       .extents = kWindows,
       .params = windows()},
      {.name = "RegionsOfParamsThatMarch",
       .stencil = window,
       .build = lowered<3>,
       .extents = kWindows,
       .params = windows()},
      {.name = "RegionsOfParamsOnTheHost",
       .stencil = window,
       .build = onTheHost,
       .extents = kWindows,
       .params = windows()},
      {.name = "Places", .stencil = places, .build = lowered<1>, .extents = kPlaces},
      {.name = "PlacesThatMarch", .stencil = places, .build = lowered<3>, .extents = kPlaces},
      {.name = "PlacesOnTheHost", .stencil = places, .build = onTheHost, .extents = kPlaces},
      {.name = "LayersLowered",
       .stencil = layers,
       .build = lowered<1>,
       .extents = {{3, 1, 1}, {4, 3, 5}, {7, 9, 40}},
       .steps = {1, 2},
       .params = surfaces()},
      {.name = "Leapfrog",
       .stencil = dampedWaves,
       .build = lowered<1>,
       .extents = {{1, 1}, {3, 3}, {2, 9}, {6, 31}, {9, 33}, {5, 70}},
       .steps = {1, 2, 3, 5},
       .takesFaults = true},
      {.name = "InPlace",
       .stencil = spreading,
       .build = inPlace,
       .extents = {{1, 1}, {3, 3}, {2, 9}, {11, 31}, {9, 33}, {6, 70}},
       .steps = {1, 2, 4, 5},
       .takesFaults = true},
      {.name = "Bars", .stencil = bars, .build = lowered<1>, .extents = kBars, .steps = {0, 1, 2}},
      {.name = "BarsOfAWarp",
       .stencil = barsOfAWarp,
       .build = lowered<1>,
       .extents = {{0, 3}, {3, 0}, {1, 1}, {3, 70}, {45, 33}, {1025, 3}, {32768, 2}},
       .steps = {3},
       .takesFaults = true},
      {.name = "BarsOnTheHost",
       .stencil = bars,
       .build = onTheHost,
       .extents = kBars,
       .steps = {0, 1, 2}},
      {.name = "Layers",
       .stencil = layers,
       .build = [](const Stencil &stencil) { return layersProgram(stencil, 1); },
       .extents = {{3, 1, 1}, {4, 3, 5}, {7, 9, 40}},
       .steps = {1, 2},
       .params = surfaces()},
      {.name = "LayersOfTwoSteps",
       .stencil = layers,
       .build = [](const Stencil &stencil) { return layersProgram(stencil, 2); },
       .extents = {{4, 3, 5}, {7, 9, 40}},
       .steps = {2, 5},
       .params = surfaces(),
       .takesFaults = true},
  };
  return programs;
}

std::vector<fuzz::Case> stencilc::casesOf(const HandBuilt &built) {
  std::vector<fuzz::Case> cases;
  const auto add = [&](const std::vector<int64_t> &extents, int64_t steps, const auto &params) {
    fuzz::Case &tested = cases.emplace_back();
    const size_t number = cases.size() - 1;
    tested.seed = tested.dataSeed = number + 1;
    tested.extents = extents;
    tested.keepsShortPeriods = true;
    tested.steps = steps;
    tested.firstStep = number % 4;
    tested.params = params;
    if (number % 2 == 0)
      tested.pitch = (4 - extents.back() % 4) % 4;
    else
      tested.phase = number % 16;
    if (number % 3 == 0)
      tested.maxGridYZ = 1;
  };
  for (const std::vector<int64_t> &extents : built.extents)
    for (int64_t steps : built.steps)
      for (const auto &params : built.params)
        add(extents, steps, params);
  return cases;
}

static Actions takingForAligned(const Actions &actions) {
  Actions taken;
  for (const Action &action : actions) {
    const auto *when = std::get_if<When>(&action.node);
    if (when && std::holds_alternative<Aligned>(when->condition))
      llvm::append_range(taken, takingForAligned(when->then));
    else if (when)
      taken.push_back(
          {When{when->condition, takingForAligned(when->then), takingForAligned(when->otherwise)}});
    else
      taken.push_back(action);
  }
  return taken;
}

Program stencilc::takingRowsForAligned(Program program) {
  program.plan.prologue = takingForAligned(program.plan.prologue);
  for (Pass &pass : program.plan.passes)
    pass.actions = takingForAligned(pass.actions);
  program.plan.epilogue = takingForAligned(program.plan.epilogue);
  return program;
}

static bool askForAlignment(const Actions &actions) {
  return llvm::any_of(actions, [](const Action &action) {
    const auto *when = std::get_if<When>(&action.node);
    return when && (std::holds_alternative<Aligned>(when->condition) ||
                    askForAlignment(when->then) || askForAlignment(when->otherwise));
  });
}

bool stencilc::asksForAlignment(const Program &program) {
  const Plan &plan = program.plan;
  return askForAlignment(plan.prologue) || askForAlignment(plan.epilogue) ||
         llvm::any_of(plan.passes, [](const Pass &pass) { return askForAlignment(pass.actions); });
}
