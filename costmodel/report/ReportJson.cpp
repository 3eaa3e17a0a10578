#include "costmodel/report/Advice.h"
#include "costmodel/report/Confidence.h"
#include "costmodel/report/ExpectedError.h"
#include "costmodel/report/Report.h"
#include "costmodel/report/ReportFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace stencilc {

namespace {

// Keys that end in _bytes, _ms and so on say their unit; all that a step takes is per time step.
// explain-schema.json describes every key.

void list(json::OStream &json, StringRef key, ArrayRef<std::string> texts) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(text);
  });
}

void stencil(json::OStream &json, const StencilSummary &stencil) {
  json.attribute("file", stencil.file);
  list(json, "axes", stencil.axes);
  list(json, "arrays", stencil.arrays);
  list(json, "reach", stencil.reach);
  json.attribute("loads", stencil.loads);
  json.attribute("stores", stencil.stores);
  json.attribute("flops", stencil.flops);
  json.attribute("compulsory_bytes", stencil.compulsoryBytes);
}

void array(json::OStream &json, const ArrayCounts &array) {
  json.attribute("array", array.name);
  json.attribute("access", array.isStore ? "store" : "load");
  json.attribute("element_bytes", array.elementBytes);
  json.attribute("accesses", array.launch.accesses);
  json.attribute("requests", array.launch.requests);
  json.attribute("sectors", array.launch.sectors);
  json.attribute("wavefronts", array.launch.wavefronts);
  json.attribute("block_sectors", array.launchSectors);
}

void launch(json::OStream &json, const LaunchCounts &launch) {
  json.attribute("kernel", launch.kernel->name);
  json.attribute("blocks", launch.blockCount);
  json.attribute("threads_per_block", launch.threads);
  json.attribute("points", launch.points);
  json.attribute("points_per_thread", launch.pointsPerThread());
  json.attribute("flops", launch.flops);
  json.attribute("barriers", launch.together.meetings);
  json.attribute("shared_bytes_per_block", launch.sharedBytes);
  json.attribute("shared_requests", launch.together.shared.requests);
  json.attribute("shared_wavefronts", launch.together.shared.wavefronts);
  json.attributeArray("arrays", [&] {
    for (const ArrayCounts &counts : launch.arrays)
      json.object([&] { array(json, counts); });
  });
}

void level(json::OStream &json, const Report &report, Bound bound, const LevelPrediction &level) {
  json.attribute("name", level.name);
  json.attribute("bound", spelling(bound));
  json.attribute("bytes", level.bytes);
  json.attribute("bytes_per_point", level.bytes / report.counted.points);
  json.attribute("least_bytes",
                 level.leastBytes > 0 ? json::Value(level.leastBytes) : json::Value(nullptr));
  json.attribute("bandwidth_bytes_per_s", level.bandwidth);
  json.attribute("time_ms", 1e3 * report.predicted[bound]);
  json.attribute("share", report.predicted[bound] / report.predicted.total);
}

void su2015(json::OStream &json, const Su2015Quantities &q) {
  json.attribute("aligned_loads", q.alignedLoads);
  json.attribute("misaligned_loads", q.misalignedLoads);
  json.attribute("loads", q.loads);
  json.attribute("stores", q.stores);
  json.attribute("threads", q.threads);
  json.attribute("blocks", q.blocks);
  json.attribute("blocks_per_smx", q.blocksPerSmx);
  json.attribute("blocks_per_group", q.blocksPerGroup);
  json.attribute("groups", q.groups);
  json.attribute("block_net", q.blockNet);
  json.attribute("smx_miss_ratio", q.smxMissRatio);
  json.attribute("block_loads", q.blockLoads);
  json.attribute("block_stores", q.blockStores);
  json.attribute("width_y", q.widthY);
  json.attribute("height_z", q.heightZ);
  json.attribute("group_net", q.groupNet);
  json.attribute("l2_miss_ratio", q.l2MissRatio);
  json.attribute("group_loads", q.groupLoads);
  json.attribute("group_stores", q.groupStores);
  json.attribute("unadjusted_ms", 1e3 * q.unadjustedSeconds);
  json.attribute("adjusted_ms", 1e3 * q.adjustedSeconds);
  json.attribute("occupancy_efficiency", q.occupancyEfficiency);
}

void geometric(json::OStream &json, const Report &report) {
  const GeometricQuantities &q = *report.predicted.geometric;
  json.attribute("window_bytes", q.windowBytes);
  json.attribute("effective_l2_bytes", q.effectiveBytes);
  json.attribute("reuse_kept", q.reuseKept);
  json.attribute("in_flight_bytes", q.inFlightBytes);
  json.attribute("waves", q.waves);
  json.attribute("l1_footprint_bytes", q.l1FootprintBytes);
  json.attribute("l1_bytes", q.l1Bytes);
  json.attribute("instructions_per_point", instructionsPerPoint(report));
  json.attributeArray("instruction_kinds", [&] {
    for (const InstructionKind &kind : instructionKinds(report))
      json.object([&] {
        json.attribute("kind", kind.name);
        json.attribute("times_per_point", kind.times);
        json.attribute("instructions_per_point", kind.instructions);
      });
  });
}

void errors(json::OStream &json, const Errors &errors) {
  json.attribute("runs", errors.runs);
  json.attribute("mean", errors.mean);
  json.attribute("nine_of_ten", errors.most);
}

/// What was asked for and found, before any number of it.
void head(json::OStream &json, const Report &report) {
  json.attribute("version", 1);
  json.attribute("stencil", report.stencil.name);
  json.attribute("gpu", report.device.name);
  json.attribute("model", report.predicted.model);
  json.attribute("schedule", toString(report.predicted.schedule));
  json.attribute("forced", report.isForced);
  json.attributeObject("extents", [&] {
    for (auto [axis, extent] : zip_equal(report.stencil.axes, report.extents))
      json.attribute(axis, extent);
  });
  json.attribute("steps", report.steps);
  json.attributeObject("facts", [&] { stencil(json, report.stencil); });
  list(json, "uncalibrated", calibrationOf(report).missing);
  if (const std::optional<ExpectedError> error = expectedError(report))
    json.attributeObject("expected_error", [&] {
      errors(json, *error);
      json.attribute("runs_were_seen", error->wereSeen);
      if (error->ofPrograms)
        json.attributeObject("of_programs", [&] { errors(json, *error->ofPrograms); });
    });
}

void counted(json::OStream &json, const ProgramCounts &counts) {
  json.attribute("points", counts.points);
  json.attribute("fused_steps", counts.steps);
  json.attribute("compulsory_read_bytes", counts.compulsoryReadBytes);
  json.attribute("compulsory_write_bytes", counts.compulsoryWriteBytes);
  json.attributeArray("launches", [&] {
    for (const LaunchCounts &counted : counts.launches)
      json.object([&] { launch(json, counted); });
  });
}

void predicted(json::OStream &json, const Report &report) {
  const Prediction &predicted = report.predicted;
  json.attribute("predicted_ms", 1e3 * predicted.total);
  json.attribute("gstencils_per_s", gstencilsPerSecond(report.counted.points, predicted));
  json.attribute("bottleneck", spelling(predicted.bottleneck));
  json.attributeObject("volumes", [&] {
    json.attribute("smx_bytes", predicted.bytes.smx);
    json.attribute("l2_bytes", predicted.bytes.l2);
    json.attribute("dram_bytes", predicted.bytes.dram);
  });
  json.attributeObject("times_ms", [&] {
    for (Bound bound : resourcesOf(predicted))
      json.attribute(spelling(bound), 1e3 * predicted[bound]);
  });
  json.attributeArray("launches", [&] {
    for (const LaunchShare &launch : predicted.launches)
      json.object([&] {
        json.attribute("kernel", launch.kernel);
        json.attribute("predicted_ms", 1e3 * launch.seconds);
        json.attribute("bottleneck", spelling(launch.bottleneck));
        json.attribute("smx_bytes", launch.smxBytes);
        json.attribute("l2_bytes", launch.l2Bytes);
        json.attribute("dram_bytes", launch.dramBytes);
      });
  });
  json.attributeArray("levels", [&] {
    for (Bound bound : resourcesOf(predicted))
      if (const LevelPrediction *found = levelOf(predicted, bound))
        json.object([&] { level(json, report, bound, *found); });
  });
  json.attributeObject("occupancy", [&] {
    json.attribute("fraction", predicted.occupancy.fraction);
    json.attribute("blocks_per_sm", predicted.occupancy.blocks);
    json.attribute("limit", spelling(predicted.occupancy.limit));
    json.attribute("registers_per_thread", predicted.occupancy.registers);
    json.attribute("registers_asked", report.registersAsked > 0);
    if (!report.compiledBy.empty())
      json.attribute("registers_by", report.compiledBy);
    json.attribute("spilled_registers", predicted.occupancy.spilledRegisters);
  });
  if (predicted.su2015)
    json.attributeObject("su2015", [&] { su2015(json, *predicted.su2015); });
  if (predicted.geometric)
    json.attributeObject("geometric", [&] { geometric(json, report); });
}

void run(json::OStream &json, const RunPrediction &run) {
  json.attribute("predicted_ms", 1e3 * run.total);
  json.attributeArray("beside", [&] {
    for (const RunPrediction::Beside &beside : run.beside)
      json.object([&] {
        json.attribute("kernel", beside.kernel);
        json.attribute("comment", beside.comment);
        json.attribute("times", beside.times);
        json.attribute("predicted_ms", 1e3 * beside.seconds);
      });
  });
}

void candidate(json::OStream &json, const Report &report, const Candidate &candidate) {
  json.attribute("schedule", toString(candidate.schedule));
  json.attribute("predicted_ms", 1e3 * candidate.predicted.total);
  json.attribute("gstencils_per_s", gstencilsPerSecond(report.counted.points, candidate.predicted));
  json.attribute("bottleneck", spelling(candidate.predicted.bottleneck));
}

void measured(json::OStream &json, const Report &report) {
  const MeasuredTimes &measured = *report.measured;
  json.attribute("gpu", measured.gpu);
  json.attribute("asked", int64_t(measured.asked));
  json.attributeArray("times", [&] {
    for (const MeasuredTime &time : measured.times)
      json.object([&] {
        const std::optional<double> forecast = predictedSeconds(report, time.schedule);
        json.attribute("schedule", toString(time.schedule));
        json.attribute("measured_ms", 1e3 * time.seconds);
        json.attribute("spread", time.spread);
        json.attribute("predicted_ms", forecast ? json::Value(1e3 * *forecast) : nullptr);
        json.attribute("measured_over_predicted",
                       forecast ? json::Value(time.seconds / *forecast) : nullptr);
      });
  });
  json.attributeArray("failed", [&] {
    for (const Rejection &rejection : measured.failed)
      json.object([&] {
        json.attribute("schedule", toString(rejection));
        json.attribute("reason", rejection.reason);
      });
  });
}

} // namespace

void printReportJson(raw_ostream &out, const Report &report) {
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    head(json, report);
    json.attributeObject("counted", [&] { counted(json, report.counted); });
    predicted(json, report);
    if (report.run)
      json.attributeObject("run", [&] { run(json, *report.run); });
    if (report.measured)
      json.attributeObject("measured", [&] { measured(json, report); });
    list(json, "advice", advice(report));
    list(json, "cautions", cautions(report));
    json.attributeArray("candidates", [&] {
      for (const Candidate &each : report.candidates)
        json.object([&] { candidate(json, report, each); });
    });
    json.attributeArray("rejected", [&] {
      for (const Rejection &rejection : report.rejected)
        json.object([&] {
          json.attribute("schedule", toString(rejection));
          json.attribute("reason", rejection.reason);
        });
    });
  });
  out << "\n";
}

} // namespace stencilc
