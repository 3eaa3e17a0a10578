#include "codegen/print/RepeatedFills.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace stencilc;

/// True of what brings elements into tiles, and makes names for that.
static bool isFill(const Statement &statement) {
  return std::visit(
      llvm::makeVisitor(
          [](const CopyAsync &) { return true; }, [](const StoreShared &) { return true; },
          [](const LetIndex &) { return true; },
          [](const For &node) { return llvm::all_of(node.body, isFill); },
          [](const If &node) {
            return llvm::all_of(node.then, isFill) && llvm::all_of(node.otherwise, isFill);
          },
          [](const auto &) { return false; }),
      statement.node);
}

static void appendCopies(llvm::ArrayRef<Statement> statements,
                         std::vector<const CopyAsync *> &copies) {
  for (const Statement &statement : statements) {
    if (const auto *copy = std::get_if<CopyAsync>(&statement.node))
      copies.push_back(copy);
    forEachBody(statement, [&](const Body &inner) { appendCopies(inner, copies); });
  }
}

static bool mentions(const Body &body, const Coordinate &sought) {
  return llvm::any_of(indicesOf(body), [&](const Index &index) {
    return anyCoordinate(index, [&](const Coordinate &node) { return node == sought; });
  });
}

namespace {

class Fills {
public:
  Fills(const Kernel &kernel, const Statement &march, unsigned slot)
      : kernel(kernel), march(march), loop(*loopOf(march)), axis(loop.carries.front().axis),
        slot(slot), ahead(slot + 1) {}

  RepeatedTexts found();

private:
  const Kernel &kernel;
  const Statement &march;
  const For &loop;
  const unsigned axis;        ///< of the march
  const unsigned slot, ahead; ///< locals
  Body text;                  ///< as the march begins

  /// A place where a plane is sent into tiles: which slot and plane.
  struct Place {
    llvm::ArrayRef<Statement> statements;
    Index slot, plane;
  };
  std::vector<Place> places;

  std::optional<Place> placeIn(llvm::ArrayRef<Statement> statements) const;
  bool sayInTurn(const Place &place);
  void addAhead(llvm::ArrayRef<Statement> statements);
  Body namedAs(llvm::ArrayRef<Statement> statements) const;
  std::string name() const;
};

} // namespace

/// What the first statements fill, as far as they do.
auto Fills::placeIn(llvm::ArrayRef<Statement> statements) const -> std::optional<Place> {
  statements = statements.take_while(isFill);
  std::vector<const CopyAsync *> copies;
  appendCopies(statements, copies);
  if (copies.empty() || copies.front()->from.size() != kernel.rank())
    return std::nullopt;
  return Place{statements, copies.front()->to.front(), copies.front()->from[axis]};
}

/// Takes what a turn does for the text, if the plane is all of it that is of the turn.
bool Fills::sayInTurn(const Place &place) {
  if (!std::holds_alternative<IndexRemainder>(place.slot->node) ||
      !constantDifference(place.plane, coordinate(CoordinateKind::Local, loop.local)))
    return false;
  text = changedIndices(Body(place.statements.begin(), place.statements.end()),
                        [&](const Index &index) {
                          return equal(index, place.slot) ? coordinate(CoordinateKind::Local, slot)
                                 : equal(index, place.plane)
                                     ? add(loop.begin, coordinate(CoordinateKind::Local, ahead))
                                     : index;
                        });
  return !mentions(text, {CoordinateKind::Local, loop.local});
}

/// Finds places ahead of the march that do the same for a plane of their own.
void Fills::addAhead(llvm::ArrayRef<Statement> statements) {
  while (!statements.empty()) {
    const size_t count = text.size();
    const std::optional<Place> place = placeIn(statements.take_front(count));
    if (place && place->statements.size() == count &&
        constantDifference(place->plane, loop.begin)) {
      const Body said = changedIndices(text, [&](const Index &index) {
        const Index inSlot = replaced(index, {CoordinateKind::Local, slot}, place->slot);
        return replaced(inSlot, {CoordinateKind::Local, ahead},
                        constant(*constantDifference(place->plane, loop.begin)));
      });
      SameText names;
      if (llvm::all_of(llvm::zip_equal(said, place->statements), [&](const auto &pair) {
            return names.same(std::get<0>(pair), std::get<1>(pair));
          })) {
        places.push_back(*place);
        statements = statements.drop_front(count);
        continue;
      }
    }
    if (const auto *branch = std::get_if<If>(&statements.front().node);
        branch && branch->otherwise.empty())
      addAhead(branch->then);
    statements = statements.drop_front();
  }
}

/// The text with the names that other statements make, which say the same.
Body Fills::namedAs(llvm::ArrayRef<Statement> statements) const {
  const std::vector<unsigned> own = madeBy(text), others = madeBy(statements);
  const std::vector<Index> indices = indicesOf(text);
  auto next = indices.begin();
  return changedIndices(Body(statements.begin(), statements.end()), [&](const Index &) {
    Index index = *next++;
    for (const auto &[local, other] : llvm::zip_equal(own, others))
      index =
          replaced(index, {CoordinateKind::Local, local}, coordinate(CoordinateKind::Local, other));
    return index;
  });
}

std::string Fills::name() const {
  std::vector<const CopyAsync *> copies;
  appendCopies(text, copies);
  std::set<unsigned> tiles;
  for (const CopyAsync *copy : copies)
    tiles.insert(copy->tile);
  return "fill_" + (tiles.size() == 1 ? kernel.tiles[*tiles.begin()].name : "tiles");
}

RepeatedTexts Fills::found() {
  for (const Statement &statement : loop.body) {
    const auto *branch = std::get_if<If>(&statement.node);
    const std::optional<Place> inTurn =
        branch && branch->otherwise.empty() ? placeIn(branch->then) : std::nullopt;
    if (!inTurn || !sayInTurn(*inTurn))
      continue;
    addAhead(llvm::ArrayRef(kernel.body.data(), &march));
    if (places.empty())
      return {};
    RepeatedTexts texts;
    for (const Place &place : places)
      texts.calls[place.statements.data()] = {
          0, text.size(), {place.slot, constant(*constantDifference(place.plane, loop.begin))}};
    const Index turn = coordinate(CoordinateKind::Local, loop.local);
    texts.calls[inTurn->statements.data()] = {
        0, text.size(), {inTurn->slot, constant(*constantDifference(inTurn->plane, turn))}};
    const Statement *before = places.front().statements.data();
    while (before != kernel.body.data() && std::holds_alternative<Phase>(before[-1].node))
      --before;
    texts.madeBefore.emplace(before, 0);
    texts.texts.push_back(
        {name(),
         namedAs(places.front().statements),
         {{slot, "slot"}, {ahead, "ahead"}},
         "What sends a plane so far ahead of here on its way to a slot of the tile."});
    return texts;
  }
  return {};
}

RepeatedTexts stencilc::repeatedFills(const Kernel &kernel, unsigned firstLocal) {
  for (const Statement &statement : kernel.body) {
    const For *loop = loopOf(statement);
    if (loop && !loop->carries.empty() && loop->carries.size() == kernel.pointers.size())
      return Fills(kernel, statement, firstLocal).found();
  }
  return {};
}
