#include "frontend/lift/Levels.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

bool Levels::find() {
  if (!findTime())
    return false;
  findParts();
  return true;
}

/// Where all components of an array are named by their numbers, are members, or where it has more
/// axes than a grid can have, each component is an array.
void Levels::findParts() {
  for (unsigned buffer = 0; buffer < tree.buffers.size(); ++buffer) {
    std::vector<const Access *> accesses;
    bool isWritten = changesPlaces(buffer);
    for (const Assignment &assignment : tree.assignments)
      if (assignment.target.buffer == buffer) {
        accesses.push_back(&assignment.target);
        isWritten = true;
      }
    for (const Access &access : tree.accesses)
      if (access.buffer == buffer)
        accesses.push_back(&access);
    const std::vector<std::optional<Polynomial>> &extents = tree.buffers[buffer].extents;
    if (!isWritten || llvm::any_of(accesses, [&](const Access *access) {
          return access->subscripts.size() != extents.size() || slotOf(access->subscripts[0]);
        }))
      continue;
    std::vector<unsigned> found;
    for (unsigned dimension = 0; dimension < extents.size(); ++dimension) {
      std::vector<int64_t> numbers;
      const bool isNumbered = llvm::all_of(accesses, [&](const Access *access) {
        const auto number = access->subscripts[dimension].number();
        if (number && !llvm::is_contained(numbers, *number))
          numbers.push_back(*number);
        return number.has_value();
      });
      // A pointer to arrays does not say how many there are.
      const bool isOpen = dimension == 0 && tree.buffers[buffer].isPointer && !extents[0] &&
                          !tree.buffers[buffer].isPointerTable;
      const int64_t members = tree.buffers[buffer].members.size();
      const bool isOfStruct = members > 0 && extents[dimension] == Polynomial(members) &&
                              dimension + 1 == extents.size();
      const bool isEach =
          isOpen || isOfStruct || extents[dimension] == Polynomial(int64_t(numbers.size()));
      if (isNumbered && (isEach || extents.size() > kMaxRank))
        found.push_back(dimension);
    }
    if (!found.empty() && found.size() < extents.size())
      parts[buffer] = std::move(found);
  }
}

bool Levels::findTime() {
  const std::vector<unsigned> &first = tree.assignments[0].loops;
  if (first.empty())
    return refuse(tree.assignments[0].where, "an element is set outside of any loop",
                  "a stencil updates boxes of points"),
           false;
  const unsigned outermost = first[0];
  const Symbol moved = tree.loops[outermost].variable;
  const bool isAround = llvm::all_of(tree.assignments, [&](const Assignment &assignment) {
    return !assignment.loops.empty() && assignment.loops[0] == outermost;
  });
  const bool moves = llvm::any_of(tree.assignments, [&](const Assignment &assignment) {
    return llvm::any_of(assignment.target.subscripts,
                        [&](const Polynomial &subscript) { return subscript.names(moved); });
  });
  if (isAround && !moves) {
    timeLoop = outermost;
    return check();
  }
  for (const auto &[number, loop] : llvm::enumerate(tree.loops)) {
    const auto isIn = [&](const Assignment &assignment) {
      return llvm::is_contained(assignment.loops, number);
    };
    if (!loop.becomes.empty()) {
      // All but a few arrays are set again in each turn: those few are recorded.
      const auto isMoved = [&](const Assignment &assignment) {
        return isIn(assignment) &&
               llvm::any_of(assignment.target.subscripts, [&](const Polynomial &subscript) {
                 return subscript.names(loop.variable);
               });
      };
      const auto recorded = llvm::find_if(tree.assignments, isMoved);
      const bool isOverTime = recorded != tree.assignments.end() && !recorded->loops.empty() &&
                              recorded->loops[0] == number &&
                              !llvm::all_of(tree.assignments, isMoved);
      if (isOverTime)
        return refuse(recorded->where,
                      "each step sets other elements of `" +
                          tree.buffers[recorded->target.buffer].name + "`, which records the steps",
                      "leave it out, and look at the arrays after each step"),
               false;
      return refuse(loop.where, "pointers change places in a loop that moves points"), false;
    }
    const auto inside = llvm::find_if(tree.assignments, isIn);
    if (inside == tree.assignments.end() || inside->loops[0] != number ||
        llvm::any_of(tree.assignments, [&](const Assignment &assignment) {
          return isIn(assignment) &&
                 llvm::any_of(assignment.target.subscripts, [&](const Polynomial &subscript) {
                   return subscript.names(loop.variable);
                 });
        }))
      continue;
    const auto outside = llvm::find_if_not(tree.assignments, isIn);
    return refuse(outside->where,
                  "an array is set outside of the loop over time, which is `" +
                      tree.symbols[loop.variable].name + "`",
                  "mark the loop over time with `#pragma scop` and `#pragma endscop`"),
           false;
  }
  return true;
}

/// Nothing but the turns of the loop over time changes what pointers and subscripts mean.
bool Levels::check() {
  const Loop &time = tree.loops[*timeLoop];
  for (const auto &[number, loop] : llvm::enumerate(tree.loops))
    if (number != *timeLoop && !loop.becomes.empty())
      return refuse(loop.where, "pointers change places in a loop that moves points"), false;
  if (time.stride == Polynomial(1) && !time.isDownward)
    return true;
  const auto namesTime = [&](const Access &access) {
    return llvm::any_of(access.subscripts, [&](const Polynomial &subscript) {
      return subscript.names(time.variable) || slotOf(subscript);
    });
  };
  for (const Assignment &assignment : tree.assignments)
    if (namesTime(assignment.target))
      return refuse(assignment.where, "time levels are chosen by a variable that does not count "
                                      "up by one"),
             false;
  for (const Access &access : tree.accesses)
    if (namesTime(access))
      return refuse(access.where, "a value is chosen by a number of the step that does not count "
                                  "up by one"),
             false;
  return true;
}

std::optional<Symbol> Levels::variable() const {
  return timeLoop ? std::optional(tree.loops[*timeLoop].variable) : std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>> Levels::slotOf(const Polynomial &subscript) const {
  const auto time = variable();
  if (!time)
    return std::nullopt;
  // 1 - t % 2 is the other of two.
  auto symbol = subscript.symbol();
  int64_t further = 0;
  if (const auto mirrored = difference(1, subscript); !symbol && mirrored) {
    symbol = mirrored->symbol();
    further = 1;
  }
  if (!symbol || tree.symbols[*symbol].kind != SymbolInfo::Kind::Modulo)
    return std::nullopt;
  const SymbolInfo &info = tree.symbols[*symbol];
  const auto shift = distance(info.dividend, Polynomial::of(*time));
  if (!shift || (further && info.modulus != 2))
    return std::nullopt;
  const int64_t slot = ((*shift + further) % info.modulus + info.modulus) % info.modulus;
  return {{slot, info.modulus}};
}

Storage Levels::storageOf(const Access &access) const {
  if (access.subscripts.empty())
    return {access.buffer, std::nullopt};
  const auto slot = slotOf(access.subscripts[0]);
  Storage storage{access.buffer, slot ? std::optional(slot->first) : std::nullopt};
  if (const auto known = parts.find(access.buffer); known != parts.end())
    for (unsigned dimension : known->second)
      storage.part[dimension] = access.subscripts[dimension];
  return storage;
}

std::vector<unsigned> Levels::dimensionsOf(const Access &access) const {
  const Storage storage = storageOf(access);
  std::vector<unsigned> result;
  for (unsigned dimension = 0; dimension < access.subscripts.size(); ++dimension)
    if (!storage.part.count(dimension) && !(storage.slot && dimension == 0))
      result.push_back(dimension);
  return result;
}

std::vector<Polynomial> Levels::pointOf(const Access &access) const {
  std::vector<Polynomial> point;
  for (unsigned dimension : dimensionsOf(access))
    point.push_back(access.subscripts[dimension]);
  return point;
}

std::optional<Storage> Levels::seenNextAs(const Storage &storage) const {
  if (storage.slot) {
    const int64_t modulus = modulusOf(storage.buffer);
    return Storage{storage.buffer, (*storage.slot - 1 + modulus) % modulus};
  }
  if (timeLoop)
    for (const auto &[name, was] : tree.loops[*timeLoop].becomes)
      if (was == storage.buffer)
        return Storage{name, std::nullopt, storage.part};
  return std::nullopt;
}

std::optional<Storage> Levels::partnerOf(Storage storage) const {
  for (const auto &[one, other] : tree.exchanged)
    if (storage.buffer == one || storage.buffer == other) {
      storage.buffer = storage.buffer == one ? other : one;
      return storage;
    }
  return std::nullopt;
}

int64_t Levels::modulusOf(unsigned buffer) const {
  const auto find = [&](const Access &access) -> int64_t {
    if (access.buffer == buffer && !access.subscripts.empty())
      if (const auto slot = slotOf(access.subscripts[0]))
        return slot->second;
    return 0;
  };
  for (const Assignment &assignment : tree.assignments)
    if (const int64_t modulus = find(assignment.target))
      return modulus;
  for (const Access &access : tree.accesses)
    if (const int64_t modulus = find(access))
      return modulus;
  return 1;
}

bool Levels::changesPlaces(unsigned buffer) const {
  return timeLoop && llvm::any_of(tree.loops[*timeLoop].becomes, [&](const auto &change) {
           return change.first == buffer || change.second == buffer;
         });
}

} // namespace stencilc::lift
