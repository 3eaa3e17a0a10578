// Quantity: numbers with units as text, with no more digits than they hold.
#pragma once

#include <cstdint>
#include <string>

namespace stencilc {

/// `value` with that many significant digits: "3.5", "350", "0.035". Zeros that only fill up to the
/// unit stand for digits that are not known.
std::string significant(double value, int digits);

/// "4.3 ms": in s, ms, us or ns, whichever leaves a number of at least 1.
std::string timeText(double seconds, int digits = 3);
/// The same in the unit that fits `scale`, so that times compare: "0.43 ms" beside "4.3 ms".
std::string timeText(double seconds, int digits, double scale);
/// "27.4 MiB": in B, KiB, MiB or GiB, likewise.
std::string bytesText(double bytes, int digits);
/// As tables of papers print volumes: "534.4 MiB", "1.25 GiB".
std::string volumeText(double bytes);
/// "87 %".
std::string percent(double share);
/// "7 loads", "1 load".
std::string counted(uint64_t number, const std::string &noun);

} // namespace stencilc
