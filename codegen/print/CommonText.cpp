#include "codegen/print/CommonText.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/SmallSet.h"

using namespace stencilc;

/// Shorter branches are read as they are.
static constexpr size_t kLeastStatements = 16;
/// What branches have in common is looked for no further ahead.
static constexpr size_t kMostSkipped = 64;

namespace {

/// A statement of the branches first .. end-1. Of a loop or a branch that they share in part,
/// `text` has the head and `inner` the body.
struct Piece {
  unsigned first, end;
  const Statement *text;
  std::vector<Piece> inner = {};
};
using Pieces = std::vector<Piece>;

} // namespace

/// True of loops and branches.
static bool hasBody(const Statement &statement) {
  return std::holds_alternative<For>(statement.node) || std::holds_alternative<If>(statement.node);
}

/// The body of a loop, or of a branch that has no other side.
static const Body &bodyOf(const Statement &statement) {
  if (const auto *loop = std::get_if<For>(&statement.node))
    return loop->body;
  return std::get<If>(statement.node).then;
}

static Pieces piecesOf(const Body &body, unsigned first, unsigned end) {
  Pieces pieces;
  for (const Statement &statement : body)
    pieces.push_back({first, end, &statement});
  return pieces;
}

static size_t statementsIn(const Body &body, unsigned firstRolled) {
  size_t count = 0;
  for (const Statement &statement : body) {
    size_t inner = 0;
    forEachBody(statement, [&](const Body &each) { inner += statementsIn(each, firstRolled); });
    if (const For *loop = loopOf(statement); loop && loop->local >= firstRolled)
      inner *= std::get<IndexConstant>(loop->end->node).value;
    count += std::max<size_t>(inner, 1);
  }
  return count;
}

/// Statements that stand in all branches before `end`.
static size_t sharedIn(const Pieces &pieces, unsigned end, unsigned firstRolled) {
  size_t count = 0;
  for (const Piece &piece : pieces)
    if (!piece.inner.empty())
      count += sharedIn(piece.inner, end, firstRolled);
    else if (piece.first == 0 && piece.end == end)
      count += statementsIn({*piece.text}, firstRolled);
  return count;
}

namespace {

class Folding {
public:
  explicit Folding(unsigned branch) : branch(branch) {}

  SameText names;
  bool isScoped = true; ///< no name is used outside the braces that it would be made in

  /// Adds the text of one more branch.
  Pieces folded(Pieces pieces, const Body &text, unsigned number);
  Body bodyOf(Pieces pieces, unsigned first, unsigned end);

private:
  const unsigned branch;

  std::optional<Piece> inCommon(const Piece &piece, const Statement &statement, unsigned number);
  Statement statementOf(const Piece &piece);
  If forBranches(unsigned first, unsigned end, unsigned firstOfAll, unsigned endOfAll) const;
  bool usesAny(llvm::ArrayRef<Piece> pieces, const llvm::SmallSet<unsigned, 8> &locals,
               const llvm::SmallSet<unsigned, 8> &registers) const;
  void widenNames(Pieces &pieces, unsigned first, unsigned end);
  void checkScopes(const Body &inBraces, llvm::ArrayRef<Piece> after);
};

} // namespace

std::optional<Piece> Folding::inCommon(const Piece &piece, const Statement &statement,
                                       unsigned number) {
  if (piece.end != number)
    return std::nullopt;
  if (piece.inner.empty() && names.same(*piece.text, statement))
    return Piece{piece.first, number + 1, piece.text};
  if (!hasBody(*piece.text) || !hasBody(statement))
    return std::nullopt;
  SameText before = names;
  if (names.sameHeads(*piece.text, statement)) {
    const Body &body = ::bodyOf(statement);
    const Pieces inner =
        piece.inner.empty() ? piecesOf(::bodyOf(*piece.text), piece.first, piece.end) : piece.inner;
    Piece both{piece.first, number + 1, piece.text, folded(inner, body, number)};
    size_t shared = 0;
    for (const Piece &each : both.inner)
      shared += each.end == number + 1 && each.first < number;
    if (2 * shared >= body.size())
      return both;
  }
  names = std::move(before);
  return std::nullopt;
}

Pieces Folding::folded(Pieces pieces, const Body &text, unsigned number) {
  Pieces all;
  size_t piece = 0, statement = 0;
  const auto takeUpTo = [&](size_t pieceEnd, size_t statementEnd) {
    for (; piece < pieceEnd; ++piece)
      all.push_back(std::move(pieces[piece]));
    for (; statement < statementEnd; ++statement)
      all.push_back({number, number + 1, &text[statement]});
  };
  // The next statements in common: those before which the fewest are skipped.
  const auto takeNext = [&] {
    const size_t leftPieces = pieces.size() - piece, leftStatements = text.size() - statement;
    for (size_t skipped = 0; skipped < std::min(leftPieces + leftStatements, kMostSkipped);
         ++skipped)
      for (size_t ofPieces = 0; ofPieces <= skipped && ofPieces < leftPieces; ++ofPieces) {
        const size_t ofText = skipped - ofPieces;
        if (ofText >= leftStatements)
          continue;
        if (std::optional<Piece> both =
                inCommon(pieces[piece + ofPieces], text[statement + ofText], number)) {
          takeUpTo(piece + ofPieces, statement + ofText);
          all.push_back(std::move(*both));
          ++piece;
          ++statement;
          return true;
        }
      }
    return false;
  };
  while (takeNext())
    ;
  takeUpTo(pieces.size(), text.size());
  return all;
}

Statement Folding::statementOf(const Piece &piece) {
  if (piece.inner.empty())
    return *piece.text;
  Body body = bodyOf(piece.inner, piece.first, piece.end);
  if (const auto *loop = std::get_if<For>(&piece.text->node))
    return {For{loop->kind, loop->local, loop->begin, loop->end, loop->step, std::move(body),
                loop->carries, loop->steady}};
  return {If{std::get<If>(piece.text->node).box, std::move(body), {}}};
}

If Folding::forBranches(unsigned first, unsigned end, unsigned firstOfAll,
                        unsigned endOfAll) const {
  const bool isOne = first + 1 == end;
  return {{{coordinate(CoordinateKind::Local, branch),
            first == firstOfAll && !isOne ? nullptr : constant(first),
            end == endOfAll && !isOne ? nullptr : constant(end)}},
          {},
          {}};
}

bool Folding::usesAny(llvm::ArrayRef<Piece> pieces, const llvm::SmallSet<unsigned, 8> &locals,
                      const llvm::SmallSet<unsigned, 8> &registers) const {
  bool isUsed = false;
  for (const Piece &piece : pieces) {
    isUsed |= usesAny(piece.inner, locals, registers);
    const Body body = {*piece.text};
    forEachIndex(body, [&](const Index &index) {
      isUsed |= anyCoordinate(index, [&](const Coordinate &used) {
        return used.kind == CoordinateKind::Local && locals.contains(names.local(used.number));
      });
    });
    forEachValue(body, [&](const Value &value) {
      forEachValue(value, [&](const ValueNode &node) {
        if (const auto *used = std::get_if<RegisterValue>(&node.node))
          isUsed |= registers.contains(names.reg(used->reg));
      });
    });
  }
  return isUsed;
}

/// Past the pieces from `number` on that are for the same branches.
static size_t endOfRun(const Pieces &pieces, size_t number) {
  const Piece &first = pieces[number];
  while (number < pieces.size() && pieces[number].first == first.first &&
         pieces[number].end == first.end)
    ++number;
  return number;
}

/// An integer of some branches, which they use again after what they do together, is made by all.
void Folding::widenNames(Pieces &pieces, unsigned first, unsigned end) {
  for (size_t number = 0; number < pieces.size(); ++number) {
    Piece &piece = pieces[number];
    const auto *made = std::get_if<LetIndex>(&piece.text->node);
    if (!made || (piece.first == first && piece.end == end))
      continue;
    llvm::SmallSet<unsigned, 8> local;
    local.insert(names.local(made->local));
    if (usesAny(llvm::ArrayRef(pieces).drop_front(endOfRun(pieces, number)), local, {})) {
      piece.first = first;
      piece.end = end;
    }
  }
}

/// What is made in braces of its own may not be used after them.
void Folding::checkScopes(const Body &inBraces, llvm::ArrayRef<Piece> after) {
  llvm::SmallSet<unsigned, 8> locals, registers;
  for (const Statement &statement : inBraces)
    if (const auto *made = std::get_if<LetIndex>(&statement.node))
      locals.insert(names.local(made->local));
    else if (const auto *made = std::get_if<Let>(&statement.node))
      registers.insert(names.reg(made->reg));
    else if (const auto *made = std::get_if<LetMutable>(&statement.node))
      registers.insert(names.reg(made->reg));
  if (!locals.empty() || !registers.empty())
    isScoped &= !usesAny(after, locals, registers);
}

Body Folding::bodyOf(Pieces pieces, unsigned first, unsigned end) {
  widenNames(pieces, first, end);
  Body body;
  /// What some branches do at one place, those of smaller numbers first.
  std::vector<If> choices;
  unsigned firstChosen = first, endChosen = first;
  const auto finish = [&] {
    // The last of choices for every branch needs no condition.
    const bool isForAll = firstChosen == first && endChosen == end;
    for (size_t number = choices.size(); number-- > 1;) {
      const bool isElse = isForAll && number + 1 == choices.size();
      choices[number - 1].otherwise =
          isElse ? std::move(choices[number].then) : Body{{std::move(choices[number])}};
    }
    if (!choices.empty())
      body.push_back({std::move(choices.front())});
    choices.clear();
  };
  for (size_t number = 0; number < pieces.size();) {
    const auto [from, to] = std::pair(pieces[number].first, pieces[number].end);
    const size_t last = endOfRun(pieces, number);
    Body run;
    for (; number < last; ++number)
      run.push_back(statementOf(pieces[number]));
    if (from == first && to == end) {
      finish();
      llvm::move(run, std::back_inserter(body));
      continue;
    }
    checkScopes(run, llvm::ArrayRef(pieces).drop_front(last));
    if (choices.empty() || from != endChosen) {
      finish();
      firstChosen = from;
    }
    choices.push_back(forBranches(from, to, first, end));
    choices.back().then = std::move(run);
    endChosen = to;
  }
  finish();
  return body;
}

std::optional<CommonText> stencilc::commonText(const If &first, unsigned branch,
                                               unsigned firstRolled) {
  CommonText common;
  std::vector<Body> texts;
  const auto append = [&](const Body &body) {
    const auto *opening = body.empty() ? nullptr : std::get_if<Phase>(&body.front().node);
    common.comments.push_back(opening ? opening->text : "");
    texts.emplace_back(opening ? body.begin() + 1 : body.begin(), body.end());
  };
  for (const If *each = &first; each;) {
    common.conditions.push_back(&each->box);
    append(each->then);
    const Body &otherwise = each->otherwise;
    const auto *next = otherwise.size() == 1 ? std::get_if<If>(&otherwise.front().node) : nullptr;
    if (!next)
      append(otherwise);
    each = next;
  }
  size_t least = SIZE_MAX;
  for (const Body &text : texts)
    least = std::min(least, statementsIn(text, firstRolled));
  if (least < kLeastStatements)
    return std::nullopt;

  Folding folding(branch);
  Pieces pieces = piecesOf(texts.front(), 0, 1);
  for (unsigned number = 1; number < texts.size(); ++number)
    pieces = folding.folded(std::move(pieces), texts[number], number);
  if (2 * sharedIn(pieces, texts.size(), firstRolled) < least)
    return std::nullopt;
  common.body = folding.bodyOf(pieces, 0, texts.size());
  if (!folding.isScoped)
    return std::nullopt;
  common.names = std::move(folding.names);
  return common;
}
