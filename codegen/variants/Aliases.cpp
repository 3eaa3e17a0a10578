#include "codegen/variants/Aliases.h"

#include "codegen/lower/Lower.h"
#include "codegen/lower/PeeledPlanes.h"
#include "codegen/variants/MarchReach.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static constexpr llvm::StringLiteral kSu = "Su et al. 2015", kMaruyama = "Maruyama & Aoki 2014",
                                     kNasciutti = "Nasciutti & Panetta 2017";
static constexpr llvm::StringLiteral kOfNoEnds =
    "of stencils that ask for no boundary at an end of the march";

// Blocks and chunks are those of Su's Table 2; of Maruyama's Table 2 (Kepler; its "Z block" is the
// number of chunks, of 256 planes); of Nasciutti's 32 x 16 threads, whose chunk is the whole grid.
static constexpr Alias kAliases[] = {
    {"su-baseline", kSu, "baseline", "baseline/32x4x1", ""},
    {"su-z-blocked", kSu, "z-blocked", "zblock/32x4x1/c8", ""},
    {"maruyama-baseline", kMaruyama, "Baseline", "zblock/128x1x1/c16/plain/reload", ""},
    {"opt", kMaruyama, "OPT", "zblock/128x1x1/c32/peel/plain", "", "zblock/128x1x1/c32/plain",
     kOfNoEnds},
    {"roc", kMaruyama, "ROC", "zblock/128x1x1/c32/peel", "", "zblock/128x1x1/c32", kOfNoEnds},
    {"maruyama-shm", kMaruyama, "SHM", "shm/128x2x1/c16/peel/plain/rim", "",
     "shm/128x2x1/c16/plain/rim", kOfNoEnds},
    {"shm-tex", kMaruyama, "SHM-TEX", "shm/64x2x1/c256/diagonal/ldg",
     "texture reads are `__ldg`, and of equal stores to one element one is made"},
    {"shm-warp", kMaruyama, "SHM-WARP, as its Table 2 says", "shm/32x4x1/c256/own-rows/plain",
     "rows choose between tile and memory at each read, not by a path of their own"},
    {"shm-warp-text", kMaruyama, "SHM-WARP, as its text says", "shm/32x4x1/c256/halo-warps/plain",
     ""},
    {"temp", kMaruyama, "TEMP", "temporal/32x8x1/c32/t2/tile",
     "what lies at the ends of rows is loaded in its turn, not a plane ahead",
     "temporal/32x6x1/c32/t2/v2x2",
     "of several stages, on other axes, of reads along several axes at once"},
    {"base", kNasciutti, "BASE", "baseline/32x16x1/plain", ""},
    {"base-intz", kNasciutti, "BASE+INTZ", "zblock/32x16x1/c256/plain/reload", ""},
    {"base-intz-reg", kNasciutti, "BASE+INTZ+Reg", "zblock/32x16x1/c256/plain", ""},
    {"comp", kNasciutti, "COMP", "shm/32x16x1/plain/rim", ""},
    {"comp-intz", kNasciutti, "COMP+INTZ", "shm/32x16x1/c256/plain/reload/rim", ""},
    {"comp-intz-reg", kNasciutti, "COMP+INTZ+Reg", "shm/32x16x1/c256/plain/rim", ""},
    {"csl", kNasciutti, "CSL", "baseline/32x16x1/ldg", ""},
    {"csl-intz", kNasciutti, "CSL+INTZ", "zblock/32x16x1/c256/ldg/reload", ""},
    {"csl-intz-reg", kNasciutti, "CSL+INTZ+Reg", "zblock/32x16x1/c256/ldg", ""},
};

llvm::ArrayRef<Alias> stencilc::aliases() { return kAliases; }

const Alias *stencilc::findAlias(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(kAliases, [&](const Alias &alias) { return alias.name == name; });
  return found == std::end(kAliases) ? nullptr : found;
}

/// The kernel on the axes of a stencil, with the paper's block and chunk as far as they go there.
static Schedule onAxesOf(const Stencil &stencil, llvm::StringRef text) {
  Schedule schedule = llvm::cantFail(parseSchedule(text, kMaxRank));
  schedule.rank = stencil.rank();
  auto &[points, rows] = schedule.pointsPerThread;
  if (points > 1 && stencil.stages.size() == 1) {
    const MarchReach reach(stencil);
    points = std::max<int>(points, llvm::bit_ceil(unsigned(reach.x)));
    rows = std::max(rows, reach.y);
  }
  if (schedule.fuse > 1) {
    if (stencil.rank() == 2)
      schedule.block[1] = rows = 1;
  } else if (stencil.rank() == 1 || (stencil.rank() == 2 && schedule.chunk > 1)) {
    schedule.block = {schedule.threads(), 1, 1};
  }
  if (stencil.rank() > 1 || schedule.chunk == 1)
    return schedule;
  // Nothing marches along the one axis, and no row of threads stands beside another.
  schedule.chunk = 1;
  llvm::erase(schedule.flags, "reload");
  llvm::erase(schedule.flags, kPeelFlag.name);
  std::replace(schedule.flags.begin(), schedule.flags.end(), std::string("halo-warps"),
               std::string("own-rows"));
  if (schedule.variant == "zblock")
    schedule.variant = "baseline";
  return schedule;
}

/// The same with more rows of threads, as few as may be, and then with fewer.
static std::vector<Schedule> withOtherRows(const Schedule &schedule) {
  std::vector<Schedule> others;
  const auto add = [&](int rows) {
    Schedule &other = others.emplace_back(schedule);
    other.block[1] = rows;
    while (other.threads() > cuda::kMaxThreadsPerBlock)
      other.block[0] /= 2;
  };
  if (schedule.rank < 2 || (schedule.rank == 2 && schedule.block[1] == 1))
    return others;
  for (int rows = llvm::bit_ceil(unsigned(schedule.block[1] + 1)); rows <= int(kLanesPerWarp);
       rows *= 2)
    add(rows);
  for (int rows = schedule.block[1] - 1; rows > 0; --rows)
    add(rows);
  return others;
}

Schedule Alias::scheduleFor(const Stencil &written) const {
  const Schedule asPrinted = onAxesOf(written, text);
  llvm::Expected<StencilForm> form = formFor(written, asPrinted);
  if (!form) {
    llvm::consumeError(form.takeError());
    return asPrinted;
  }
  std::vector<Schedule> ways;
  for (llvm::StringRef way : {llvm::StringRef(text), llvm::StringRef(elsewhere)}) {
    if (way.empty())
      continue;
    ways.push_back(onAxesOf(form->stencil, way));
    llvm::append_range(ways, withOtherRows(Schedule(ways.back())));
  }
  if (asPrinted.fuse > 1) {
    const Schedule usual = findVariant(asPrinted.variant)->defaultSchedule(form->stencil);
    for (int steps : {asPrinted.fuse, usual.fuse}) {
      ways.push_back(usual);
      ways.back().fuse = steps;
    }
  }
  for (const Schedule &way : ways)
    if (!llvm::errorToBool(checkLegal(*form, way)))
      return way;
  return ways.front();
}

const Alias *Alias::twin() const {
  const auto kindOf = [](const Alias &alias) {
    Schedule schedule = llvm::cantFail(parseSchedule(alias.text, kMaxRank));
    llvm::erase(schedule.flags, kLdgFlag.name); // the same path as without
    llvm::erase(schedule.flags, kPeelFlag.name);
    return std::tuple(schedule.variant, schedule.chunk > 1, schedule.flags);
  };
  const auto *found = llvm::find_if(kAliases, [&](const Alias &other) {
    return other.paper != paper && kindOf(other) == kindOf(*this);
  });
  return found == std::end(kAliases) ? nullptr : found;
}
