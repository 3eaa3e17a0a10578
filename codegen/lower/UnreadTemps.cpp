#include "codegen/lower/UnreadTemps.h"

#include "ir/kernel/Signature.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// Takes away updates of temps that no other reads; false if there was none.
static bool leaveOutUnread(Stencil &stencil) {
  std::vector<bool> isRead(stencil.arrays.size());
  forEachRead(stencil, [&](const Read &read) { isRead[read.array] = true; });
  bool found = false;
  for (Stage &stage : stencil.stages)
    llvm::erase_if(stage.updates, [&](const Update &update) {
      const bool isUnread =
          stencil.arrays[update.array].kind == ArrayKind::Temp && !isRead[update.array];
      found |= isUnread;
      return isUnread;
    });
  return found;
}

Stencil stencilc::withoutUnreadTemps(const Stencil &stencil) {
  Stencil result = stencil;
  if (!leaveOutUnread(result))
    return result;
  while (leaveOutUnread(result)) // and what those alone read
    continue;
  llvm::erase_if(result.stages, [](const Stage &stage) { return stage.updates.empty(); });
  for (auto [number, array] : llvm::enumerate(result.arrays))
    array.hasOwnNext = array.kind == ArrayKind::Field && needsNextBuffer(stencil, number);
  return isSameInterface(signatureOf(stencil), signatureOf(result)) ? result : stencil;
}
