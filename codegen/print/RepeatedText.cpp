#include "codegen/print/RepeatedText.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace stencilc;

/// More are no help to a reader.
static constexpr size_t kMostParameters = 2;

// ---- what statements fill ---------------------------------------------------------------------

namespace {

/// A patch or a tile, by number.
struct Filled {
  bool isTile;
  unsigned number;
  bool operator==(const Filled &) const = default;
};

/// The bodies that statements stand in, outermost first, and where in each.
using Path = std::vector<std::pair<const Body *, size_t>>;

/// Neighbouring statements that fill one thing with what stands elsewhere, and make names for that
/// alone.
struct Run {
  Filled filled;
  llvm::ArrayRef<Statement> statements;
  Path path;

  Run without(size_t names) const {
    Run run = *this;
    run.statements = statements.drop_front(names);
    run.path.back().second += names;
    return run;
  }
  Body body() const { return Body(statements.begin(), statements.end()); }
};

} // namespace

static bool isName(const Statement &statement) {
  return std::holds_alternative<LetIndex>(statement.node) ||
         std::holds_alternative<LetPointer>(statement.node);
}

static std::optional<Filled> filledBy(const Statement &statement);

static std::optional<Filled> filledBy(const Body &body) {
  std::optional<Filled> filled;
  for (const Statement &statement : body) {
    if (isName(statement))
      continue;
    const std::optional<Filled> own = filledBy(statement);
    if (!own || (filled && !(*own == *filled)))
      return std::nullopt;
    filled = own;
  }
  return filled;
}

/// True of what some place has, the place of another lane included.
static bool isAtSomePlace(const ValueNode &value) {
  if (const auto *shuffle = std::get_if<ShuffleValue>(&value.node))
    return isAtSomePlace(*shuffle->operand);
  return std::holds_alternative<PatchElement>(value.node) ||
         std::holds_alternative<LoadShared>(value.node);
}

static std::optional<Filled> filledBy(const Statement &statement) {
  using Thing = std::optional<Filled>;
  return std::visit(llvm::makeVisitor(
                        [](const AssignElement &node) {
                          return isAtSomePlace(*node.value) ? Thing({false, node.patch}) : Thing();
                        },
                        [](const LoadVector &node) { return Thing({false, node.row.patch}); },
                        [](const LoadSharedVector &node) { return Thing({false, node.row.patch}); },
                        [](const StoreSharedVector &node) { return Thing({true, node.tile}); },
                        [](const CopyAsync &node) { return Thing({true, node.tile}); },
                        [](const For &node) { return filledBy(node.body); },
                        [](const auto &) { return Thing(); }),
                    statement.node);
}

static void renameMade(Body &body, unsigned local, unsigned other) {
  for (Statement &statement : body) {
    if (auto *name = std::get_if<LetIndex>(&statement.node); name && name->local == local)
      name->local = other;
    else if (auto *loop = std::get_if<For>(&statement.node); loop && loop->local == local)
      loop->local = other;
    forEachBody(statement, [&](Body &inner) { renameMade(inner, local, other); });
  }
}

static bool mentionsAny(const Index &index, llvm::ArrayRef<unsigned> locals) {
  return anyCoordinate(index, [&](const Coordinate &node) {
    return node.kind == CoordinateKind::Local && llvm::is_contained(locals, node.number);
  });
}

static bool mentionsAny(llvm::ArrayRef<Statement> statements, llvm::ArrayRef<unsigned> locals) {
  const std::vector<Index> indices = indicesOf(Body(statements.begin(), statements.end()));
  return llvm::any_of(indices, [&](const Index &index) { return mentionsAny(index, locals); });
}

/// Statements, those in loops and branches included.
static size_t countOf(llvm::ArrayRef<Statement> statements) {
  size_t count = statements.size();
  for (const Statement &statement : statements)
    forEachBody(statement, [&](const Body &inner) { count += countOf(inner); });
  return count;
}

static void appendAll(llvm::ArrayRef<Statement> statements, std::set<const Statement *> &all) {
  for (const Statement &statement : statements) {
    all.insert(&statement);
    forEachBody(statement, [&](const Body &inner) { appendAll(inner, all); });
  }
}

// ---- what two of them have in common ----------------------------------------------------------

/// Pairs of indices by which two texts differ.
using Differences = std::vector<std::pair<Index, Index>>;

static void appendDifferences(const Index &first, const Index &second, Differences &differences) {
  if (equal(first, second))
    return;
  std::vector<Index> parts, others;
  forEachOperand(*first, [&](const Index &part) { parts.push_back(part); });
  forEachOperand(*second, [&](const Index &part) { others.push_back(part); });
  if (first->node.index() == second->node.index() && !parts.empty()) {
    for (const auto &[part, other] : llvm::zip_equal(parts, others))
      appendDifferences(part, other, differences);
    return;
  }
  if (llvm::none_of(differences, [&](const auto &known) {
        return equal(known.first, first) && equal(known.second, second);
      }))
    differences.emplace_back(first, second);
}

/// Those of statements which are alike otherwise, if they are. Names that the second ones make are
/// taken for those of the first.
static std::optional<Differences> differencesOf(const Body &first, const Body &second) {
  const std::vector<unsigned> made = madeBy(first), others = madeBy(second);
  const std::vector<Index> indices = indicesOf(first), otherIndices = indicesOf(second);
  if (made.size() != others.size() || indices.size() != otherIndices.size())
    return std::nullopt;
  Differences differences;
  for (const auto &[one, each] : llvm::zip_equal(indices, otherIndices)) {
    Index other = each;
    for (const auto &[own, local] : llvm::zip_equal(made, others))
      other =
          replaced(other, {CoordinateKind::Local, local}, coordinate(CoordinateKind::Local, own));
    appendDifferences(one, other, differences);
  }
  if (llvm::any_of(differences, [&](const auto &pair) {
        return mentionsAny(pair.first, made) || mentionsAny(pair.second, made);
      }))
    return std::nullopt;
  return differences;
}

/// The index with `with` wherever `part` stood.
static Index replacedPart(const Index &index, const Index &part, const Index &with) {
  if (equal(index, part))
    return with;
  const auto in = [&](const Index &inner) { return replacedPart(inner, part, with); };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &) { return index; }, [&](const Coordinate &) { return index; },
          [&](const IndexSum &node) { return add(in(node.left), in(node.right)); },
          [&](const IndexScale &node) { return scale(in(node.index), node.factor); },
          [&](const IndexQuotient &node) { return quotient(in(node.index), node.divisor); },
          [&](const IndexRemainder &node) { return remainder(in(node.index), node.divisor); },
          [&](const IndexMin &node) { return minimum(in(node.left), in(node.right)); },
          [&](const IndexMax &node) { return maximum(in(node.left), in(node.right)); },
          [&](const IndexMap &node) { return map(node.boundary, node.axis, in(node.index)); }),
      index->node);
}

/// What the parameters of a text are where it says what the statements do, if there it does.
static std::optional<std::vector<Index>> argumentsOf(const RepeatedText &text, const Body &body) {
  const std::optional<Differences> differences = differencesOf(text.body, body);
  if (!differences || differences->size() != text.parameters.size())
    return std::nullopt;
  std::vector<Index> arguments;
  Body said = text.body;
  for (const RepeatedText::Parameter &parameter : text.parameters) {
    const Coordinate local{CoordinateKind::Local, parameter.local};
    const auto own = llvm::find_if(*differences, [&](const auto &pair) {
      const auto *node = std::get_if<Coordinate>(&pair.first->node);
      return node && *node == local;
    });
    if (own == differences->end())
      return std::nullopt;
    arguments.push_back(own->second);
    said = changedIndices(std::move(said), [&](const Index &index) {
      return replaced(index, local, arguments.back());
    });
  }
  SameText names;
  for (const auto &[one, other] : llvm::zip_equal(said, body))
    if (!names.same(one, other))
      return std::nullopt;
  return arguments;
}

/// Lets the body make the locals that other statements make, which say the same.
static void makeAs(Body &body, llvm::ArrayRef<Statement> others) {
  std::map<unsigned, unsigned> locals;
  for (const auto &[own, other] : llvm::zip_equal(madeBy(body), madeBy(others)))
    if (own != other)
      locals[own] = other;
  // One after the other, which takes that none stands on both sides.
  for (const auto &[own, other] : locals)
    if (locals.contains(other))
      return;
  for (const auto &[own, other] : locals) {
    renameMade(body, own, other);
    body = changedIndices(std::move(body), [&](const Index &index) {
      return replaced(index, {CoordinateKind::Local, own},
                      coordinate(CoordinateKind::Local, other));
    });
  }
}

// ---- all of a body ----------------------------------------------------------------------------

namespace {

class Repetitions {
public:
  Repetitions(const Kernel &kernel, unsigned branch, unsigned firstLocal)
      : kernel(kernel), branch(branch), nextLocal(firstLocal) {}

  RepeatedTexts found;

  void addRuns(const Body &body);
  /// Finds what saves a reader most, if there is something.
  bool findNext();

private:
  struct Place {
    Run run;
    std::vector<Index> arguments;
  };
  struct Repeated {
    RepeatedText text;
    std::vector<Place> places;
    int saved = 0; ///< statements, less those that it takes to say so
  };

  const Kernel &kernel;
  const unsigned branch;
  unsigned nextLocal;
  Path path; ///< to the body that is read now
  std::vector<Run> runs;

  std::string nameOf(const Index &first, const Index &second) const;
  std::optional<RepeatedText> textOf(const Run &first, const Run &second) const;
  bool hidesNothing(const RepeatedText &text) const;
  Repeated repeated(RepeatedText text, Filled filled) const;
  void add(Repeated repeated);
};

} // namespace

/// True of what is asked of the number of a branch.
static bool asks(const Box &box, unsigned branch) {
  return box.size() == 1 && anyCoordinate(box.front().index, [&](const Coordinate &node) {
           return node == Coordinate{CoordinateKind::Local, branch};
         });
}

void Repetitions::addRuns(const Body &body) {
  for (size_t first = 0; first < body.size();) {
    std::optional<Filled> filled;
    size_t end = first;
    for (size_t next = first; next < body.size(); ++next) {
      if (isName(body[next]))
        continue;
      const std::optional<Filled> own = filledBy(body[next]);
      if (!own || (filled && !(*own == *filled)))
        break;
      filled = own;
      end = next + 1;
    }
    if (!filled) {
      ++first;
      continue;
    }
    // Names that are used further on are no part of it.
    const auto isUsed = [&](size_t number) {
      const auto *name = std::get_if<LetIndex>(&body[number].node);
      return name && mentionsAny(llvm::ArrayRef(body).drop_front(end), name->local);
    };
    size_t begin = end;
    while (begin > first && !isUsed(begin - 1))
      --begin;
    path.emplace_back(&body, begin);
    const llvm::ArrayRef<Statement> statements = llvm::ArrayRef(body).slice(begin, end - begin);
    if (!statements.empty() && !mentionsAny(statements, branch))
      runs.push_back({*filled, statements, path});
    path.pop_back();
    first = end;
  }
  for (const auto &[number, statement] : llvm::enumerate(body)) {
    if (const For *loop = loopOf(statement); loop && equal(loop->begin, loop->end))
      continue; // takes no turn
    const auto *choice = std::get_if<If>(&statement.node);
    if (choice && !choice->otherwise.empty() && !asks(choice->box, branch))
      continue;
    path.emplace_back(&body, number);
    forEachBody(statement, [&](const Body &inner) { addRuns(inner); });
    path.pop_back();
  }
}

/// "level", of `level + 1` and 0; "z_from", of `z + 2` and z_from_2; empty if none is at hand.
std::string Repetitions::nameOf(const Index &first, const Index &second) const {
  std::optional<unsigned> found;
  for (const Index &index : {first, second})
    if (const auto *node = std::get_if<Coordinate>(&index->node))
      if (node->kind == CoordinateKind::Local && !found)
        found = node->number;
  for (const Index &index : {first, second})
    anyCoordinate(index, [&](const Coordinate &node) {
      if (node.kind == CoordinateKind::Local && !found)
        found = node.number;
      return false;
    });
  if (!found)
    return "";
  // Without the number that tells it from another local.
  const std::string &name = kernel.locals[*found];
  const auto [stem, number] = llvm::StringRef(name).rsplit('_');
  const bool isNumbered =
      llvm::all_of(number, llvm::isDigit) && llvm::is_contained(kernel.locals, stem);
  return isNumbered ? stem.str() : name;
}

/// The last `count` statements, if all before them are names.
static std::optional<Run> lastOf(const Run &run, size_t count) {
  if (run.statements.size() < count)
    return std::nullopt;
  const size_t names = run.statements.size() - count;
  if (!llvm::all_of(run.statements.take_front(names), isName))
    return std::nullopt;
  return run.without(names);
}

/// The first run's text with parameters for what is another index in the second one.
std::optional<RepeatedText> Repetitions::textOf(const Run &first, const Run &second) const {
  const std::optional<Run> other = lastOf(second, first.statements.size());
  if (!other)
    return std::nullopt;
  const auto [isTile, filled] = first.filled;
  RepeatedText text{"fill_" + (isTile ? kernel.tiles[filled].name : kernel.patches[filled].name),
                    first.body(),
                    {}};
  const std::optional<Differences> differences = differencesOf(text.body, other->body());
  if (!differences || differences->size() > kMostParameters)
    return std::nullopt;
  for (const auto &[index, another] : *differences) {
    std::string name = nameOf(index, another);
    if (std::holds_alternative<IndexConstant>(index->node) || name.empty())
      return std::nullopt;
    const unsigned local = nextLocal + text.parameters.size();
    text.body = changedIndices(std::move(text.body), [&](const Index &each) {
      return replacedPart(each, index, coordinate(CoordinateKind::Local, local));
    });
    text.parameters.push_back({local, std::move(name)});
  }
  return text;
}

/// True if no parameter is called like something that the text means.
bool Repetitions::hidesNothing(const RepeatedText &text) const {
  std::set<std::string> names;
  for (const Index &index : indicesOf(text.body))
    anyCoordinate(index, [&](const Coordinate &node) {
      if (node.kind == CoordinateKind::Local && node.number < kernel.locals.size())
        names.insert(kernel.locals[node.number]);
      return false;
    });
  return llvm::all_of(text.parameters, [&](const RepeatedText::Parameter &parameter) {
    return names.insert(parameter.name).second;
  });
}

auto Repetitions::repeated(RepeatedText text, Filled filled) const -> Repeated {
  Repeated repeated{std::move(text), {}};
  const Body &body = repeated.text.body;
  for (const Run &run : runs)
    if (run.filled == filled)
      if (const std::optional<Run> last = lastOf(run, body.size()))
        if (std::optional<std::vector<Index>> arguments = argumentsOf(repeated.text, last->body()))
          repeated.places.push_back({*last, std::move(*arguments)});
  if (repeated.places.empty())
    return repeated;
  makeAs(repeated.text.body, repeated.places.front().run.statements);
  if (!hidesNothing(repeated.text))
    return repeated;
  const int places = repeated.places.size(), statements = countOf(body);
  repeated.saved = (places - 1) * statements - places - 2;
  return repeated;
}

void Repetitions::add(Repeated repeated) {
  const size_t number = found.texts.size();
  nextLocal += repeated.text.parameters.size();
  std::set<const Statement *> said;
  for (auto &[run, arguments] : repeated.places) {
    found.calls[run.statements.data()] = {number, run.statements.size(), std::move(arguments)};
    appendAll(run.statements, said);
  }
  // It is made in the innermost body that has all places in it, where a part of it opens.
  const std::vector<Place> &places = repeated.places;
  const auto haveInCommon = [&](size_t depth) {
    return llvm::all_of(places, [&](const Place &place) {
      return depth < place.run.path.size() &&
             place.run.path[depth].first == places.front().run.path[depth].first;
    });
  };
  size_t depth = 0, before = SIZE_MAX;
  while (haveInCommon(depth + 1))
    ++depth;
  // Nothing stands between an `else` and the `if` behind it.
  const Path &path = places.front().run.path;
  const auto isOtherSide = [&](size_t depth) {
    const auto &[outer, at] = path[depth - 1];
    const auto *choice = std::get_if<If>(&(*outer)[at].node);
    return choice && &choice->otherwise == path[depth].first;
  };
  while (depth > 0 && isOtherSide(depth))
    --depth;
  for (const Place &place : places)
    before = std::min(before, place.run.path[depth].second);
  const Body &around = *path[depth].first;
  while (before > 0 && std::holds_alternative<Phase>(around[before - 1].node))
    --before;
  found.madeBefore.emplace(&around[before], number);
  found.texts.push_back(std::move(repeated.text));
  llvm::erase_if(runs, [&](const Run &run) {
    std::set<const Statement *> all;
    appendAll(run.statements, all);
    return llvm::any_of(all, [&](const Statement *each) { return said.contains(each); });
  });
}

bool Repetitions::findNext() {
  Repeated best;
  for (const Run &first : runs)
    for (const Run &second : runs)
      if (&first != &second && first.filled == second.filled)
        if (std::optional<RepeatedText> text = textOf(first, second))
          if (Repeated next = repeated(std::move(*text), first.filled); next.saved > best.saved)
            best = std::move(next);
  if (best.saved == 0)
    return false;
  add(std::move(best));
  return true;
}

RepeatedTexts stencilc::repeatedTexts(const Body &body, const Kernel &kernel, unsigned branch,
                                      unsigned firstLocal) {
  Repetitions repetitions(kernel, branch, firstLocal);
  repetitions.addRuns(body);
  while (repetitions.findNext())
    ;
  return std::move(repetitions.found);
}
