// BodyPrinter: the statements of one kernel.
#pragma once

#include "codegen/print/ClampedCopies.h"
#include "codegen/print/CombinedLanes.h"
#include "codegen/print/CommonText.h"
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"
#include "codegen/print/PartialRows.h"
#include "codegen/print/PatchDeclarations.h"
#include "codegen/print/PatchShifts.h"
#include "codegen/print/QueueDeclarations.h"
#include "codegen/print/RepeatedFills.h"
#include "codegen/print/RepeatedLoads.h"
#include "codegen/print/RepeatedText.h"
#include "codegen/print/RolledText.h"

namespace stencilc {

/// The number of a branch, by which a text in common knows what is meant, comes after all locals.
inline unsigned branchOf(const Kernel &kernel) { return kernel.locals.size(); }

class BodyPrinter {
public:
  /// `names` has three locals more than the kernel: the number of a branch (CommonText.h), and the
  /// planes that a function loads (RepeatedLoads.h).
  BodyPrinter(const RolledText &text, LeafNames names, FloatMode mode, HelperSet &helpers,
              UniqueNames taken)
      : kernel(text.kernel), firstRolled(text.firstRolled), writtenOut(text.writtenOut),
        expressions(kernel.target, mode, kernel.rank(), names, helpers, &kernel), helpers(helpers),
        names(std::move(names)), taken(std::move(taken)), slots(kernel), zeros(kernel),
        shifts(kernel),
        repeated(repeatedLoads(kernel, kernel.locals.size() + 1, kernel.locals.size() + 2)) {
    expressions.nonNegativeLocals.resize(this->names.locals.size());
  }

  std::string print();
  const ExpressionPrinter &used() const { return expressions; }
  bool copiesAsync = false;

private:
  using PointerInScope = ExpressionPrinter::PointerInScope;

  const Kernel &kernel;
  const unsigned firstRolled;
  const std::set<unsigned> &writtenOut;
  ExpressionPrinter expressions;
  HelperSet &helpers;
  const LeafNames names;
  UniqueNames taken;
  std::string mail; ///< counts what comes from the partner
  const QueueDeclarations slots;
  const PatchDeclarations zeros;
  const PatchShifts shifts;
  const std::optional<RepeatedLoads> repeated;
  std::string loadPlanes; ///< the function that makes them
  std::string out;
  std::map<unsigned, size_t> declarations; ///< of pointers: the empty lines kept for them
  unsigned depth = 1;
  unsigned madeAhead = 0; ///< declarations that the kernel has no statement for
  bool inParallelLoop = false;
  const Body *ownBody = nullptr; ///< that declares the tiles of a turn
  bool isInCommon = false;       ///< what stands now is for several branches
  RepeatedTexts repetitions;     ///< in what stands now

  std::string integerType() const { return kernel.target == Target::Device ? "int" : "int64_t"; }
  size_t indent() const { return 2 * depth; }
  void line(const std::string &text) { out += std::string(indent(), ' ') + flat(text) + "\n"; }

  std::string declared(unsigned queue, unsigned slot) const;
  void declareTiles();
  void declareWarp();
  void print(const Body &body);
  std::string declaration(const PointerInScope &pointer, bool isConstant);
  void print(const Statement &statement);
  void openPhase(llvm::StringRef text);
  void block(const Body &body);
  /// The body of a loop or branch whose head opened its braces. One statement does without them.
  void closeBlock(const Body &body, bool needsBraces = false);
  void assign(const std::string &target, const Value &value);
  void repeat(const Statement &first);
  void call(llvm::StringRef function, std::vector<std::string> arguments);
  void combineLanes(const LaneTree &tree);
  void movePartialRow(const PartialRow &row);
  void sendClamped(const ClampedCopy &copy);
  void moveRow(Helper helper, const PatchRow &row, const std::string &place, bool isStore);
  void roles(const Roles &node);
  void loop(const For &node);
  void turns(const For &node);
  void turnsWrittenOut(const For &node);
  std::vector<PointerInScope>::iterator carried(unsigned pointer);
  std::string carry(const For &node, const CarriedPointer &carried);
  void branch(const If &node);
  void inCommon(const CommonText &text);
  RepeatedTexts repetitionsIn(const Body &body);
  RepeatedTexts named(RepeatedTexts found);
  void define(RepeatedText &text);
  void callText(const RepeatedTexts::Call &node);
  /// True of what is a call of a repeated text, and no more.
  bool isOneCall(const Body &body) const;
  std::string opened(const std::string &head, const Box &box);
  void returnUnless(const Box &box);
};

} // namespace stencilc
