#include "costmodel/compiled/PatchWords.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace stencilc;

namespace {

/// Where the text does something first and last, with all turns of unrolled loops one after
/// another.
struct Span {
  unsigned first = 0, last = 0; ///< 0: nowhere
  void include(unsigned time) {
    first = first ? first : time;
    last = time;
  }
  explicit operator bool() const { return last; }
};

/// What is done with an element of a patch.
struct Element {
  Span read;
  /// Written: by a load of global memory, or of shared memory, as a copy of another element, or
  /// anyhow else.
  Span loaded, taken, copied, computed;
  bool isMade() const { return loaded || taken || computed; }
  bool isWritten() const { return isMade() || copied; }

  /// Of the value that it has: since when, and until when it is read; whose copy it is.
  unsigned since = 0, until = 0;
  const Element *copyOf = nullptr;
};

/// When values are alive.
class Lives {
public:
  void add(const Element &element, unsigned words);
  void add(unsigned from, unsigned to, unsigned words);
  unsigned most();

private:
  std::vector<std::pair<unsigned, int>> changes;
};

struct Uses {
  std::vector<Element> elements;
  bool isShifted = false;
};

using How = Span Element::*;

/// Elements side by side that a statement accesses.
struct ElementAccess {
  How how;
  unsigned patch, lanes;
  llvm::SmallVector<LinearIndex::Term, 4> terms; ///< of the number of the first one
  int64_t constant = 0;
};

class PatchUses {
public:
  explicit PatchUses(const Kernel &kernel) : kernel(kernel), values(kernel.locals.size()) {
    if (kernel.patches.empty())
      return;
    for (const Patch &patch : kernel.patches)
      patches.push_back({std::vector<Element>(elementsOf(patch))});
    walk(kernel.body);
  }

  PatchWords words();

private:
  /// The value of an element is of no use any more.
  void end(Element &element, const Patch &patch);
  void walk(const Body &body);
  const std::vector<ElementAccess> &accesses(const Statement &statement);
  void use(const ElementAccess &access);
  std::optional<int64_t> valueOfTerm(const LinearIndex::Term &term) const;

  const Kernel &kernel;
  std::vector<std::optional<int64_t>> values; ///< by local: of unrolled loops, in this turn
  std::vector<Uses> patches;
  Lives lives; ///< of values of elements that stay where they are
  llvm::DenseMap<const Statement *, std::vector<ElementAccess>> known;
  unsigned time = 0;
  bool isNextTurn = false; ///< of a loop whose first turn was gone through
  const Element *lastRead = nullptr;
};

} // namespace

/// Nothing: of no static element; the verifier refuses it.
std::optional<int64_t> PatchUses::valueOfTerm(const LinearIndex::Term &term) const {
  const auto isUnknown = [&](const Coordinate &coordinate) {
    return coordinate.kind != CoordinateKind::Local || !values[coordinate.number];
  };
  if (const auto *coordinate = std::get_if<Coordinate>(&term.atom->node))
    return isUnknown(*coordinate) ? std::nullopt
                                  : std::optional(term.factor * *values[coordinate->number]);
  if (anyCoordinate(term.atom, isUnknown))
    return std::nullopt;
  return term.factor * evaluate(term.atom, [&](const Coordinate &coordinate) {
           return *values[coordinate.number];
         });
}

void PatchUses::use(const ElementAccess &access) {
  int64_t number = access.constant;
  for (const LinearIndex::Term &term : access.terms) {
    const std::optional<int64_t> value = valueOfTerm(term);
    if (!value)
      return;
    number += *value;
  }
  std::vector<Element> &elements = patches[access.patch].elements;
  for (unsigned lane = 0; lane < access.lanes; ++lane) {
    if (number < 0 || size_t(number + lane) >= elements.size())
      continue;
    Element &element = elements[number + lane];
    if (!isNextTurn)
      (element.*access.how).include(time);
    if (access.how == &Element::read) {
      element.until = time;
      lastRead = &element;
      continue;
    }
    end(element, kernel.patches[access.patch]);
    element.since = time;
    element.copyOf = access.how == &Element::copied ? lastRead : nullptr;
  }
}

void PatchUses::end(Element &element, const Patch &patch) {
  // A copy takes a register of its own once the other element has another value.
  const unsigned since = element.copyOf ? element.copyOf->since : element.since;
  if (element.until > since && (!element.copyOf || since > element.since))
    lives.add(since, element.until, registerWords(patch.type));
}

static bool isCopy(const Value &value) {
  return std::visit(llvm::makeVisitor([](const PatchElement &) { return true; },
                                      [](const auto &) { return false; }),
                    value->node);
}

/// How a value comes to be an element.
static Span Element::*sourceOf(const Value &value) {
  Span Element::*source = &Element::computed;
  forEachValue(value, [&](const ValueNode &part) {
    std::visit(llvm::makeVisitor([&](const LoadShared &) { source = &Element::taken; },
                                 [&](const LoadGlobal &) { source = &Element::loaded; },
                                 [](const auto &) {}),
               part.node);
  });
  return source;
}

/// The same in each turn of a loop.
const std::vector<ElementAccess> &PatchUses::accesses(const Statement &statement) {
  const auto [place, isNew] = known.try_emplace(&statement);
  std::vector<ElementAccess> &all = place->second;
  if (!isNew)
    return all;
  const auto add = [&](How how, unsigned patch, llvm::ArrayRef<Index> at, unsigned lanes) {
    ElementAccess access{how, patch, lanes, {}};
    const Patch &of = kernel.patches[patch];
    int64_t elements = 1;
    for (size_t axis = at.size(); axis-- > 0; elements *= of.shape[axis]) {
      const LinearIndex form = linear(at[axis]);
      access.constant += elements * form.constant;
      for (const LinearIndex::Term &term : form.terms)
        access.terms.push_back({term.atom, elements * term.factor});
    }
    all.push_back(std::move(access));
  };
  const auto addRow = [&](How how, const PatchRow &row) { add(how, row.patch, row.at, row.lanes); };
  if (const Value *value = valueOf(statement))
    forEachValue(*value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor(
                     [&](const PatchElement &node) { add(&Element::read, node.patch, node.at, 1); },
                     [](const auto &) {}),
                 part.node);
    });
  std::visit(
      llvm::makeVisitor([&](const StoreVector &node) { addRow(&Element::read, node.row); },
                        [&](const StoreSharedVector &node) { addRow(&Element::read, node.row); },
                        [&](const AssignElement &node) {
                          add(isCopy(node.value) ? &Element::copied : sourceOf(node.value),
                              node.patch, node.at, 1);
                        },
                        [&](const LoadVector &node) { addRow(&Element::loaded, node.row); },
                        [&](const LoadSharedVector &node) { addRow(&Element::taken, node.row); },
                        [&](const ShiftPatch &node) { patches[node.patch].isShifted = true; },
                        [](const auto &) {}),
      statement.node);
  return all;
}

void PatchUses::walk(const Body &body) {
  for (const Statement &statement : body) {
    ++time;
    for (const ElementAccess &access : accesses(statement))
      use(access);
    const For *loop = loopOf(statement);
    if (loop && forEachTurn(*loop, values[loop->local], [&] { walk(loop->body); }))
      continue;
    forEachBody(statement, [&](const Body &inner) { walk(inner); });
    if (loop && !isNextTurn) { // what the next turn reads is alive until then
      isNextTurn = true;
      walk(loop->body);
      isNextTurn = false;
    }
  }
}

void Lives::add(const Element &element, unsigned words) {
  std::vector<unsigned> firsts;
  for (const Span *span : {&element.computed, &element.copied})
    if (*span)
      firsts.push_back(span->first);
  if (element.taken)
    firsts.push_back(std::max(element.taken.first, element.read.first));
  // Loads of global memory are issued early.
  const unsigned from = element.loaded || firsts.empty() ? 0 : *llvm::min_element(firsts);
  const unsigned to = std::max({element.read.last, element.computed.last, element.copied.last});
  add(from, to, words);
}

void Lives::add(unsigned from, unsigned to, unsigned words) {
  changes.emplace_back(from, int(words));
  changes.emplace_back(to, -int(words));
}

unsigned Lives::most() {
  llvm::sort(changes);
  int alive = 0, most = 0;
  for (auto [time, change] : changes)
    most = std::max(most, alive += change);
  return most;
}

PatchWords PatchUses::words() {
  PatchWords words;
  for (auto [patch, uses] : llvm::zip_equal(kernel.patches, patches))
    for (Element &element : uses.elements)
      end(element, patch);
  if (llvm::none_of(patches, [](const Uses &uses) { return uses.isShifted; }))
    words.kept = lives.most();

  Lives ofLoads;
  for (auto [patch, uses] : llvm::zip_equal(kernel.patches, patches)) {
    std::vector<int> &ways = words.ways.emplace_back();
    const unsigned wordsOfElement = registerWords(patch.type);
    const int planes = uses.isShifted ? patch.shape.front() : 1;
    const int inPlane = int(uses.elements.size()) / planes;
    for (int column = 0; column < inPlane; ++column) {
      int first = planes, last = -1; // planes between which a value is alive
      for (int plane = planes; plane-- > 0;) {
        const Element &element = uses.elements[size_t(plane) * inPlane + column];
        if (element.read) {
          first = plane;
          words.read += wordsOfElement;
          words.made += element.isMade() ? wordsOfElement : 0;
        }
        if (last < 0 && (element.read || element.isWritten()))
          last = plane;
      }
      if (first == planes) // nothing reads it
        continue;
      words.held += (last - first + 1) * wordsOfElement;
      if (last > first) {
        ways.push_back(last - first);
        words.alive += (last - first + 1) * wordsOfElement;
        continue;
      }
      const Element &element = uses.elements[size_t(first) * inPlane + column];
      ofLoads.add(element, wordsOfElement);
      if (uses.isShifted && element.taken && !element.loaded)
        words.taken += wordsOfElement;
    }
  }
  words.alive += ofLoads.most();
  return words;
}

unsigned stencilc::elementsOf(const Patch &patch) {
  unsigned elements = 1;
  for (int extent : patch.shape)
    elements *= extent;
  return elements;
}

unsigned stencilc::registerWords(ScalarType type) {
  return isFloat(type) ? sizeInBytes(type) / 4 : type != ScalarType::Bool;
}

PatchWords stencilc::patchWords(const Kernel &kernel) { return PatchUses(kernel).words(); }
