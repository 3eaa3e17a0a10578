#include "ir/verify/MeetingVerifier.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace stencilc;

namespace {

struct Meeting;
using Meetings = std::vector<Meeting>;

/// A barrier, or a loop or condition with barriers in it, as one kind of warps meets it. Locals in
/// the bounds are replaced by what they were made from, those of loops by their depth.
struct Meeting {
  std::optional<unsigned> group; ///< of a barrier; Kernel::groups.size(): the block
  std::vector<Index> bounds;     ///< null where there is none
  int64_t step = 0;              ///< of a loop
  std::vector<Meetings> bodies;  ///< one of a loop, two of a condition
};

/// Finds the meetings of one kind of warps.
class Finder {
public:
  Finder(const Kernel &kernel, WarpRange warps)
      : kernel(kernel), warps(warps), locals(kernel.locals.size()) {}

  Meetings find(const Body &body);

private:
  void visit(const LetIndex &node, Meetings &) { locals[node.local] = expand(node.value); }
  void visit(const Barrier &node, Meetings &found) {
    found.push_back({node.group.value_or(kernel.groups.size()), {}, 0, {}});
  }
  void visit(const If &node, Meetings &found);
  void visit(const For &node, Meetings &found);
  void visit(const Roles &node, Meetings &found);
  template <class Node> void visit(const Node &, Meetings &) {} ///< meets nobody

  Index expand(const Index &index) const;

  const Kernel &kernel;
  const WarpRange warps;
  std::vector<Index> locals;
  unsigned depth = 0;
};

Index Finder::expand(const Index &index) const {
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &) { return index; },
          [&](const Coordinate &node) {
            return node.kind == CoordinateKind::Local ? locals[node.number] : index;
          },
          [&](const IndexSum &node) { return add(expand(node.left), expand(node.right)); },
          [&](const IndexScale &node) { return scale(expand(node.index), node.factor); },
          [&](const IndexQuotient &node) { return quotient(expand(node.index), node.divisor); },
          [&](const IndexRemainder &node) { return remainder(expand(node.index), node.divisor); },
          [&](const IndexMin &node) { return minimum(expand(node.left), expand(node.right)); },
          [&](const IndexMax &node) { return maximum(expand(node.left), expand(node.right)); },
          [&](const IndexMap &node) { return map(node.boundary, node.axis, expand(node.index)); }),
      index->node);
}

Meetings Finder::find(const Body &body) {
  Meetings found;
  for (const Statement &statement : body)
    std::visit([&](const auto &node) { visit(node, found); }, statement.node);
  return found;
}

void Finder::visit(const If &node, Meetings &found) {
  Meeting meeting;
  for (const Range &range : node.box)
    for (const Index &index : {range.index, range.lower, range.upper})
      meeting.bounds.push_back(index ? expand(index) : nullptr);
  meeting.bodies = {find(node.then), find(node.otherwise)};
  if (!meeting.bodies[0].empty() || !meeting.bodies[1].empty())
    found.push_back(std::move(meeting));
}

void Finder::visit(const For &node, Meetings &found) {
  Meeting meeting;
  meeting.bounds = {expand(node.begin), expand(node.end)};
  meeting.step = node.step;
  // No local of the kernel has such a number.
  locals[node.local] = coordinate(CoordinateKind::Local, locals.size() + depth);
  ++depth;
  meeting.bodies = {find(node.body)};
  --depth;
  if (!meeting.bodies[0].empty())
    found.push_back(std::move(meeting));
}

void Finder::visit(const Roles &node, Meetings &found) {
  for (const Role &role : node.roles)
    if (WarpRange{role.firstWarp, role.warps}.contains(warps))
      llvm::append_range(found, find(role.body));
}

bool sameBounds(const Meeting &left, const Meeting &right) {
  return !left.group && !right.group && left.step == right.step &&
         left.bodies.size() == right.bodies.size() &&
         llvm::equal(left.bounds, right.bounds, [](const Index &one, const Index &other) {
           return one && other ? equal(one, other) : !one && !other;
         });
}

void addGroups(const Meeting &meeting, std::set<unsigned> &groups) {
  if (meeting.group)
    groups.insert(*meeting.group);
  for (const Meetings &body : meeting.bodies)
    for (const Meeting &inner : body)
      addGroups(inner, groups);
}

/// Leads kinds of warps through their meetings, all who meet at once.
class Pairing {
public:
  Pairing(const Kernel &kernel, llvm::ArrayRef<WarpRange> kinds) : kernel(kernel), kinds(kinds) {}

  /// By number of the kind; null: it is not there.
  using Paths = std::vector<const Meetings *>;
  /// True if every path comes to its end.
  bool follow(const Paths &paths);

private:
  const Meeting *next(const Paths &paths, const std::vector<size_t> &passed, unsigned kind) const;
  bool isIn(unsigned kind, unsigned group) const;
  /// The kinds that take part in what `kind` meets next, if all of them are there.
  std::optional<std::set<unsigned>> company(const Paths &paths, const std::vector<size_t> &passed,
                                            unsigned kind) const;
  bool meet(const Paths &paths, const std::vector<size_t> &passed,
            const std::set<unsigned> &present);

  const Kernel &kernel;
  llvm::ArrayRef<WarpRange> kinds;
};

const Meeting *Pairing::next(const Paths &paths, const std::vector<size_t> &passed,
                             unsigned kind) const {
  return paths[kind] && passed[kind] < paths[kind]->size() ? &(*paths[kind])[passed[kind]]
                                                           : nullptr;
}

bool Pairing::isIn(unsigned kind, unsigned group) const {
  if (group == kernel.groups.size())
    return true;
  const WarpGroup &declared = kernel.groups[group];
  return WarpRange{declared.firstWarp, declared.warps}.contains(kinds[kind]);
}

std::optional<std::set<unsigned>>
Pairing::company(const Paths &paths, const std::vector<size_t> &passed, unsigned kind) const {
  const Meeting &here = *next(paths, passed, kind);
  std::set<unsigned> present = {kind}, groups;
  for (bool grows = true; grows;) {
    const size_t before = present.size();
    for (unsigned member : present) {
      const Meeting *meeting = next(paths, passed, member);
      if (!meeting || (here.group ? meeting->group != here.group : !sameBounds(*meeting, here)))
        return std::nullopt;
      addGroups(*meeting, groups);
    }
    for (unsigned other = 0; other < kinds.size(); ++other)
      if (llvm::any_of(groups, [&](unsigned group) { return isIn(other, group); }))
        present.insert(other);
    grows = present.size() != before;
  }
  return present;
}

bool Pairing::meet(const Paths &paths, const std::vector<size_t> &passed,
                   const std::set<unsigned> &present) {
  const size_t bodies = next(paths, passed, *present.begin())->bodies.size();
  for (size_t body = 0; body < bodies; ++body) {
    Paths inner(kinds.size(), nullptr);
    for (unsigned kind : present)
      inner[kind] = &next(paths, passed, kind)->bodies[body];
    if (!follow(inner))
      return false;
  }
  return true;
}

bool Pairing::follow(const Paths &paths) {
  std::vector<size_t> passed(kinds.size());
  for (bool moves = true; moves;) {
    moves = false;
    for (unsigned kind = 0; kind < kinds.size(); ++kind) {
      if (!next(paths, passed, kind))
        continue;
      const std::optional<std::set<unsigned>> present = company(paths, passed, kind);
      if (!present)
        continue;
      if (!meet(paths, passed, *present))
        return false;
      for (unsigned member : *present)
        ++passed[member];
      moves = true;
    }
  }
  for (unsigned kind = 0; kind < kinds.size(); ++kind)
    if (next(paths, passed, kind))
      return false;
  return true;
}

void addCuts(const Body &body, std::set<unsigned> &cuts) {
  for (const Statement &statement : body) {
    if (const auto *roles = std::get_if<Roles>(&statement.node))
      for (const Role &role : roles->roles)
        cuts.insert({role.firstWarp, role.firstWarp + role.warps});
    forEachBody(statement, [&](const Body &inner) { addCuts(inner, cuts); });
  }
}

} // namespace

std::vector<WarpRange> stencilc::warpKinds(const Kernel &kernel) {
  const unsigned warps = kernel.warps();
  std::set<unsigned> cuts;
  addCuts(kernel.body, cuts);
  for (const WarpGroup &group : kernel.groups)
    cuts.insert({group.firstWarp, group.firstWarp + group.warps});
  std::vector<WarpRange> kinds;
  unsigned first = 0;
  for (unsigned cut : cuts)
    if (cut > first && cut < warps) {
      kinds.push_back({first, cut - first});
      first = cut;
    }
  kinds.push_back({first, warps - first});
  return kinds;
}

void stencilc::verifyMeetings(const Kernel &kernel, llvm::ArrayRef<WarpRange> kinds,
                              VerifierFault &fault) {
  std::vector<Meetings> found;
  for (const WarpRange &kind : kinds)
    found.push_back(Finder(kernel, kind).find(kernel.body));
  Pairing::Paths paths;
  for (const Meetings &meetings : found)
    paths.push_back(&meetings);
  if (!Pairing(kernel, kinds).follow(paths))
    fault.report("barrier", kernel.name, "its warps may wait for each other for ever");
}
