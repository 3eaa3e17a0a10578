// The verifier: what every Program must satisfy before anything downstream sees it.
//
// It proves bounds for all extents from the guards, by difference constraints over coordinates and
// extents; what it cannot prove it refuses. A failure is our own fault, never the user's. Rules:
//
//  type        operands, registers, stores and arguments agree in type; truth values stand only in
//              `where`, `&&`, `||`, `!` and registers; an access has one index per axis
//  definition  registers, locals, queue slots and elements of patches are defined before use;
//              registers and locals are made once; only registers made by LetMutable are assigned;
//              numbers of axes, arrays, uniforms, tiles, patches, groups, constants exist and
//              those in indices have the value that stands there
//  bounds      every global access lies in its array's box for all extents >= minimumExtent
//  map         the operand of a Map lies where the map is defined (extent >= 1; one wrap)
//  tile        every shared access lies in its tile's shape
//  queue       queue slots are below the queue's length
//  patch       an element's indices are known when the kernel is compiled (constants, and locals
//              of loops unrolled between such) and lie in its shape
//  vector      a vector is of 2 or 4 elements and 8 or 16 bytes; in an array, its contiguous index
//              is where a promised piece starts plus a multiple of its elements; in a tile, it is
//              a multiple and rows are whole pieces; all its elements keep the rules bounds, tile
//              and patch
//  wide        a wide integer argument becomes a number, stands in a box or is a step's number
//  time        an array over time has no axes and is only read; its index is an integer argument
//  and
//              a constant, which every launch makes a step that runs are checked to have a value
//              for
//  copy        the same of a copy of 4 to 16 bytes; it is from an array that is only read; no
//              tile is read while copies to it, started by the same threads, may be under way:
//              waits leave the newest batches; copies to other planes do not matter, where a
//              plane's number, the first index, goes round a ring as long as the tile
//  access      only Write and ReadWrite arrays are stored, only Read and ReadWrite ones are loaded;
//              a ReadWrite array is loaded only where the thread stores it too, in pieces that
//              start whole pieces apart, which every loop around moves, and read before it is
//              written, unless it is read elsewhere (the audit looks); the read-only path is used
//              by Read arrays alone
//  barrier     barriers stand in block-uniform control flow and after no return; one of the block
//              stands in no role, one of a group only where all warps that come are of that group;
//              the barriers of all warps pair off, in loops and conditions of the same bounds
//  roles       roles and groups are of whole warps of the block, those of one statement disjoint
//              and in order
//  shuffle     a shuffle is 1 to 31 lanes away and stands where all lanes of whole warps arrive;
//              what it hands on is made of registers
//  target      Block, Thread, Warp and Lane coordinates, copies, shuffles, roles and
//              barriers only on the device, parallel loops only on the host; 1 <= threads <= 1024,
//              block z <= 64, shared bytes <= 232448, groups <= 15
//  message     blocks that are partners have three axes and whole warps; messages are sent and
//              awaited where all lanes of a warp arrive, and the partner as often: in loops of the
//              same turns and after the same returns; a number is at least 0, and the same for both
//  residency   the blocks promised to an SM are at most 32, their threads at most 2048
//  loop        steps are positive; loop locals are not redefined; a loop that is not parallel may
//              carry an address that was named for that in the body it stands in, starts where the
//              loop does, and is carried once
//  uniform     the values of uniforms hold literals, params and earlier uniforms only; params stand
//              nowhere else
//  buffer      the buffers begin with those that the caller passes; the others have a type, axes in
//              order, names of their own, and all axes and room in the strides that they follow;
//              what holds a temp names one
//  launch      arguments agree with the kernel's in number, type, axes, ghost widths and layout,
//              and their buffers exist; boxes are over extents, constants and whole params,
//              promises over the first two; every integer argument is given a value, which keeps
//              the promises of its atLeast/atMost for all extents and all params that are not
//              refused, and is wide if neither bounds it; a step's number is one of the pass; an
//              aligned axis promises no lower bound; cover >= 1; the kernel's minimumExtent follows
//              from the program's; a written buffer is bound to one argument only; what is promised
//              of rows (ArrayArgument::alignment) is the condition of a When around the launch;
//              ShortAddresses is one around that of a kernel with short addresses
//  cover       blocks stand where the launch's cover says (ir/verify/CoverVerifier.h)
//  list        a list of the workspace has lengths over extents and constants; kernels take it by
//              the same lengths, or by their product, which the launch gives them
//  plan        kinds of passes make fewer and fewer steps, the last makes one; a rename exchanges
//              names of buffers of one shape, none of them const; conditions and what is owed speak
//              of buffers that exist; boxes owed of one buffer have no point in common, or runs in
//              which they do are refused; what is to be in whole pieces is given by extents and
//              constants
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

class KernelVerifier {
public:
  /// Checks all rules. The error reads "<rule>: <kernel>: what was seen".
  static llvm::Expected<VerifiedProgram> verify(Program program);
  /// Promises another number of resident blocks, which no other rule looks at.
  static llvm::Error promise(VerifiedProgram &program, int residency);
};

} // namespace stencilc
