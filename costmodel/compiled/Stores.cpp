#include "costmodel/compiled/Stores.h"

#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/UnrolledRange.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static bool storesVector(const Statement &statement) {
  return std::visit(llvm::makeVisitor([](const StoreVector &) { return true; },
                                      [](const auto &) { return false; }),
                    statement.node);
}

bool stencilc::storesToArray(const Statement &statement) {
  return storesVector(statement) ||
         std::visit(llvm::makeVisitor([](const StoreGlobal &) { return true; },
                                      [](const auto &) { return false; }),
                    statement.node);
}

bool stencilc::startsCopy(const Statement &statement) {
  return std::visit(
      llvm::makeVisitor([](const CopyAsync &) { return true; }, [](const auto &) { return false; }),
      statement.node);
}

double stencilc::storesInText(const Body &body) {
  double stores = 0;
  for (const Statement &statement : body) {
    const For *loop = loopOf(statement);
    const double turns = loop ? double(unrolledTripCount(*loop)) : 1;
    stores += storesToArray(statement);
    forEachBody(statement, [&](const Body &inner) { stores += turns * storesInText(inner); });
  }
  return stores;
}

double stencilc::storesInLoops(const Body &body) {
  double stores = 0;
  for (const Statement &statement : body) {
    const For *loop = loopOf(statement);
    const bool remains = loop && loop->kind != LoopKind::Unroll;
    forEachBody(statement, [&](const Body &inner) {
      stores += remains ? storesInText(inner) : storesInLoops(inner);
    });
  }
  return stores;
}

bool stencilc::storesRowOf(llvm::ArrayRef<unsigned> turns, const Statement &statement) {
  if (!storesVector(statement))
    return false;
  const auto isTurn = [&](const Coordinate &coordinate) {
    return coordinate.kind == CoordinateKind::Local && llvm::is_contained(turns, coordinate.number);
  };
  bool found = false;
  forEachAccess(statement, [&](unsigned, llvm::ArrayRef<Index> where) {
    found |= llvm::any_of(where.drop_back(),
                          [&](const Index &index) { return anyCoordinate(index, isTurn); });
  });
  return found;
}

static bool stores(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool inside = storesToArray(statement);
    forEachBody(statement, [&](const Body &inner) { inside |= stores(inner); });
    return inside;
  });
}

bool stencilc::updatesPatch(const Body &turn) {
  return llvm::any_of(turn, [](const Statement &statement) {
    bool inside = false;
    forEachBody(statement, [&](const Body &inner) {
      inside |= loopOf(statement) ? stores(inner) : updatesPatch(inner);
    });
    return inside || storesVector(statement);
  });
}
