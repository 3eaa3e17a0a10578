#include "costmodel/model/Prediction.h"

#include "fmt/format.h"

using namespace llvm;

namespace stencilc {

namespace {

/// `key value unit` lines.
class Lines {
public:
  explicit Lines(raw_ostream &out) : out(out) {}

  template <class T> void line(StringRef key, const T &value, StringRef unit = "") {
    out << fmt::format("{} {}{}{}\n", key.str(), value, unit.empty() ? "" : " ", unit.str());
  }

private:
  raw_ostream &out;
};

void print(Lines &lines, const Su2015Quantities &q) {
  lines.line("su2015.aligned_loads", q.alignedLoads, "a thread");
  lines.line("su2015.misaligned_loads", q.misalignedLoads, "a thread");
  lines.line("su2015.loads", q.loads, "elements a thread");
  lines.line("su2015.stores", q.stores, "elements a thread");
  lines.line("su2015.threads", q.threads);
  lines.line("su2015.blocks", q.blocks);
  lines.line("su2015.blocks_per_smx", q.blocksPerSmx);
  lines.line("su2015.blocks_per_group", q.blocksPerGroup);
  lines.line("su2015.groups", q.groups);
  lines.line("su2015.block_net", q.blockNet, "elements");
  lines.line("su2015.smx_miss_ratio", q.smxMissRatio);
  lines.line("su2015.block_loads", q.blockLoads, "elements");
  lines.line("su2015.block_stores", q.blockStores, "elements");
  lines.line("su2015.width_y", q.widthY, "rows");
  lines.line("su2015.height_z", q.heightZ, "planes");
  lines.line("su2015.group_net", q.groupNet, "elements");
  lines.line("su2015.l2_miss_ratio", q.l2MissRatio);
  lines.line("su2015.group_loads", q.groupLoads, "elements");
  lines.line("su2015.group_stores", q.groupStores, "elements");
  lines.line("su2015.unadjusted", q.unadjustedSeconds, "s");
  lines.line("su2015.adjusted", q.adjustedSeconds, "s");
  lines.line("su2015.occupancy_efficiency", q.occupancyEfficiency);
}

void print(Lines &lines, const GeometricQuantities &q) {
  lines.line("geometric.window", q.windowBytes, "B");
  lines.line("geometric.effective_l2", q.effectiveBytes, "B");
  lines.line("geometric.reuse_kept", q.reuseKept);
  lines.line("geometric.in_flight", q.inFlightBytes, "B an SM");
  lines.line("geometric.waves", q.waves);
  lines.line("geometric.l1_footprint", q.l1FootprintBytes, "B an SM");
  lines.line("geometric.l1", q.l1Bytes, "B an SM");
  lines.line("geometric.instructions", q.instructionsPerPoint, "a point");
}

} // namespace

void print(raw_ostream &out, const Prediction &predicted) {
  Lines lines(out);
  lines.line("model", predicted.model);
  lines.line("schedule", toString(predicted.schedule));
  lines.line("bytes.smx", predicted.bytes.smx, "B a step");
  lines.line("bytes.l2", predicted.bytes.l2, "B a step");
  lines.line("bytes.dram", predicted.bytes.dram, "B a step");
  for (unsigned i = 0; i < kBounds; ++i)
    if (predicted.seconds[i] > 0)
      lines.line("time." + spelling(Bound(i)).str(), predicted.seconds[i], "s a step");
  lines.line("time", predicted.total, "s a step");
  lines.line("bottleneck", spelling(predicted.bottleneck).str());
  const Occupancy &occupancy = predicted.occupancy;
  lines.line("occupancy", occupancy.fraction);
  lines.line("occupancy.blocks", occupancy.blocks, "an SM");
  lines.line("occupancy.limit", spelling(occupancy.limit).str());
  lines.line("occupancy.registers", occupancy.registers, "a thread");
  lines.line("occupancy.spilled", occupancy.spilledRegisters, "registers a thread");
  if (predicted.su2015)
    print(lines, *predicted.su2015);
  if (predicted.geometric)
    print(lines, *predicted.geometric);
}

} // namespace stencilc
