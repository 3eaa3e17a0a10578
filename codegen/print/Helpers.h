// Helpers: the small functions that emitted text defines for itself, each only where it is used.
//
// Their names avoid every name of the file's kernels, whatever the .stn calls its arrays.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <map>

namespace stencilc {

enum class Helper {
  Clamp,          ///< clamp(i, n): an index, or that of the end that it is beyond
  Wrap,           ///< wrap(i, n): a periodic index
  Reflect,        ///< reflect(i, n): one mirrored at the outermost point
  Symmetric,      ///< mirror(i, n): one mirrored behind it
  OnGrid,         ///< on_grid(i, n): neither end is passed
  FloorQuotient,  ///< floor_div(i, n), rounded down
  FloorRemainder, ///< floor_mod(i, n), never negative
  LesserIndex,    ///< lesser(a, b), of host integers
  GreaterIndex,   ///< greater(a, b)
  LesserNumber,   ///< minimum(a, b), as the device's fmin orders numbers
  GreaterNumber,  ///< maximum(a, b)
  Quotient,       ///< quotient(a, b): a / b on the device, as fast where a is 0
  Root,           ///< root(a): its square root, likewise
  LoadRow,        ///< load_row<lanes>(&row, &from): one access
  StoreRow,       ///< store_row<lanes>(&to, &row): one access
  LoadBefore,     ///< load_before<lanes>(&row, from, at, x, end): a row as far as it goes
  StoreBefore,    ///< store_before<lanes>(to, at, &row, x, end): likewise
  StoreBetween,   ///< store_between<lanes>(to, at, &row, x, begin, end): between two ends
  CopyClamped,    ///< copy_clamped<lanes>(&to, from, at, x_at, x, first, last): to a tile
  Branch,         ///< Branch<number>: which of several branches is meant
  Planes,         ///< Planes<first, end>: those that a function loads
  WrittenOut,     ///< written_out<turns>(turn): a loop that nvcc does not see as one
  Shift,          ///< shift(patch): slice i takes slice i + 1
  ShiftRows,      ///< shift_rows<first, end>(patch): some rows of each slice do
  AwaitPrevious,  ///< await_previous(): what a kernel does first
  SharedMemory,   ///< shared_memory(): what the launch asked for beside static tiles
  OpenMail,       ///< open_mail(mail): what a kernel of partners does first
  SendRow,        ///< send_row<lanes>(&to, &from, mail, message): to the partner's tile
  AwaitMail,      ///< await_mail(mail, message, bytes)
  BlockMin,       ///< block_min<threads>(number, tile): one of those of all threads
  BlockMax,       ///< block_max<threads>(number, tile)
  BlockSum,       ///< block_sum<threads>(number, tile)
  LanesMin,       ///< lanes_min<lanes>(numbers): the first becomes one of all, on the host
  LanesMax,       ///< lanes_max<lanes>(numbers)
  LanesSum        ///< lanes_sum<lanes>(numbers)
};

/// The helpers used by code of one target.
class HelperSet {
public:
  /// `names` holds what a helper may not be called.
  HelperSet(Target code, UniqueNames &names) : code(code), names(names) {}

  /// Notes the use of a helper; returns its name. `combined`, of one that makes one number of many:
  /// how two are, `number` and `other`.
  llvm::StringRef use(Helper helper, std::string combined = "");
  /// The definitions of all helpers used, each followed by an empty line.
  std::string definitions() const;

private:
  Target code;
  UniqueNames &names;
  struct Use {
    std::string name, combined;
  };
  std::map<Helper, Use> used;
};

} // namespace stencilc
