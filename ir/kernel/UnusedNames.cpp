#include "ir/kernel/UnusedNames.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/DenseMap.h"

using namespace stencilc;

namespace {
class UnusedIndices {
public:
  explicit UnusedIndices(const Body &body) {
    forEachIndex(body, [&](const Index &index) { count(index, 1); });
  }

  /// From the last statement to the first, since names are used after they are made.
  void dropFrom(Body &body) {
    for (auto statement = body.end(); statement != body.begin();) {
      --statement;
      if (const auto *let = std::get_if<LetIndex>(&statement->node)) {
        if (uses.lookup(let->local) == 0) {
          count(let->value, -1);
          statement = body.erase(statement);
        }
        continue;
      }
      forEachBody(*statement, [&](Body &inner) { dropFrom(inner); });
    }
  }

private:
  void count(const Index &index, int times) {
    anyCoordinate(index, [&](const Coordinate &coordinate) {
      if (coordinate.kind == CoordinateKind::Local)
        uses[coordinate.number] += times;
      return false;
    });
  }

  llvm::DenseMap<unsigned, int> uses; ///< of locals
};
} // namespace

void stencilc::dropUnusedIndices(Body &body) { UnusedIndices(body).dropFrom(body); }
