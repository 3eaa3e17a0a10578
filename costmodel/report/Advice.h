// Advice: what would help, by written rules.
//
// Each rule looks at quantities of the report and says one sentence, with the numbers that it was
// derived from, or nothing. A rule speaks only where its resource takes a good part of the
// predicted time, so that following it can show, and names only changes of the schedule for which
// the model predicts less time. All are in the order in which they are told.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// All that the rules say of the chosen schedule.
std::vector<std::string> advice(const Report &report);

/// The launch that updates most points; of equals, the first.
const LaunchCounts &largestLaunch(const Report &report);

// The rules. Each returns an empty text where it has nothing to say.

/// Little is left to save: bytes from device memory are about the least.
std::string adviseAtTheLeast(const Report &report);
/// The L2 cannot hold the planes (in 2D, rows) that neighbouring blocks share.
std::string adviseOnWindow(const Report &report);
/// [su2015]: a group of blocks loads much more than it stores.
std::string adviseOnGroups(const Report &report);
/// A block reads far beyond its own points along some axis.
std::string adviseOnHalo(const Report &report);
/// Too few loads are under way to use the bandwidth of device memory.
std::string adviseOnLoadsInFlight(const Report &report);
/// Registers keep blocks out of the SM, and the time depends on that.
std::string adviseOnRegisters(const Report &report);
/// Registers are spilled.
std::string adviseOnSpills(const Report &report);
/// Most instructions are not the stencil's arithmetic.
std::string adviseOnInstructions(const Report &report);
/// Many divisions are by a number of the run, for which a product with its inverse would do.
std::string adviseOnDivisions(const Report &report);
/// Many powers are products and roots.
std::string adviseOnPowers(const Report &report);
/// A value is computed at many points for each.
std::string adviseOnMovedValue(const Report &report);
/// f32 would be faster.
std::string adviseOnPrecision(const Report &report);
/// Blocks wait at barriers.
std::string adviseOnBarriers(const Report &report);
/// Blocks are too small for the rate at which they start.
std::string adviseOnDispatch(const Report &report);
/// A step is shorter than the interval between launches.
std::string adviseOnLaunches(const Report &report);
/// The last round of blocks leaves much of the device idle.
std::string adviseOnTail(const Report &report);

} // namespace stencilc
