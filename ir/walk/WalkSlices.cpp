// Which slices of a kernel the parts of a walk belong to: that of an access is named by what makes
// its address bend, or guards it, that of a statement by what guards it, and takes along all that
// addresses and guards need. Statements that store are in one, so that it is seen who stores at
// all.
#include "ir/walk/KernelWalk.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

class KernelWalk::Slicing {
public:
  explicit Slicing(const KernelWalk &walk)
      : walk(walk), ofLocal(walk.locals.size()), usersOf(walk.locals.size()) {}

  /// Gives every node its slices and returns all there are.
  Slices slice(Nodes &nodes) {
    findKeys(nodes, 0, kGridLoops);
    assign(nodes);
    Slices all = kUnguarded;
    for (size_t number = 0; number < keys.size(); ++number)
      all |= sliceOfNumber(number);
    return all;
  }

private:
  /// What an integer varies with: blocks along x, y, z, and turns of loops by their depth, as bits.
  /// Loops side by side are walked one after the other, whatever either varies with.
  using Sources = uint64_t;
  struct Dependence {
    Sources varies = 0, bends = 0;
    Sources all() const { return varies | bends; }
    void add(const Dependence &other) {
      varies |= other.varies;
      bends |= other.bends;
    }
  };
  static constexpr Slices kUnguarded = 1, kWhole = Slices(1) << 63, kAll = ~Slices(0);

  Dependence of(const WalkIndex &index) const {
    Dependence result;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      if (index.block[dimension] != 0)
        result.varies |= Sources(1) << dimension;
    for (auto [local, factor] : index.locals)
      result.add(ofLocal[local]);
    for (auto &[bend, factor] : index.bends)
      result.bends |= of(bend->operand).all();
    return result;
  }

  /// Makes inWarp of every access, and leaves the keys of what is told of in its nodes. `guards`:
  /// what the guards around vary with.
  void findKeys(Nodes &nodes, Sources guards, unsigned depth) {
    for (Node &node : nodes)
      std::visit(llvm::makeVisitor([&](const SetLocal &set) { ofLocal[set.local] = of(set.value); },
                                   [&](AccessElement &access) {
                                     access.inWarp = walk.inWarp(access);
                                     node.slices = of(access.inWarp).bends | guards;
                                   },
                                   [&](const Execute &execute) {
                                     node.slices = guards;
                                     if (walk.isStore(execute.statement))
                                       ofStores |= guards;
                                   },
                                   [&](const EvaluateSide &) { node.slices = guards; },
                                   [&](Branch &branch) {
                                     Sources inside = guards;
                                     for (const WalkIndex &index : branch.condition)
                                       inside |= of(index).all();
                                     node.slices = inside;
                                     findKeys(branch.then, inside, depth);
                                     findKeys(branch.otherwise, inside, depth);
                                   },
                                   [&](const HandOver &) { node.slices = guards; },
                                   [&](const TellMessage &) { node.slices = guards; },
                                   [&](WarpsOnly &some) { findKeys(some.body, guards, depth); },
                                   [](const EndUnless &) {},
                                   [&](Loop &loop) {
                                     ofLocal[loop.local] = of(loop.begin);
                                     ofLocal[loop.local].varies |= Sources(1) << depth;
                                     node.slices = guards;
                                     findKeys(loop.body, guards, std::min(depth + 1, 62u));
                                   }),
                 node.node);
  }

  static Slices sliceOfNumber(size_t key) { return Slices(2) << std::min<size_t>(key, 61); }

  Slices sliceOf(Sources key) {
    if (key == 0)
      return kUnguarded;
    const auto known = llvm::find(keys, key);
    const size_t number = known - keys.begin();
    if (known == keys.end())
      keys.push_back(key);
    return sliceOfNumber(number);
  }

  void use(const WalkIndex &index, Slices slices) {
    for (auto [local, factor] : index.locals)
      usersOf[local] |= slices;
    for (auto &[bend, factor] : index.bends)
      use(bend->operand, slices);
  }

  /// From the last node back: whatever uses a local comes before what sets it. Returns the slices
  /// of all nodes.
  Slices assign(Nodes &nodes) {
    Slices all = 0;
    for (Node &node : llvm::reverse(nodes)) {
      node.slices =
          std::visit(llvm::makeVisitor(
                         [&](const SetLocal &set) {
                           use(set.value, usersOf[set.local]);
                           return usersOf[set.local];
                         },
                         [&](const AccessElement &access) {
                           const Slices own = sliceOf(node.slices);
                           use(access.inWarp, own);
                           use(access.element, kWhole);
                           return own | kWhole;
                         },
                         [&](const Execute &execute) {
                           return sliceOf(walk.isStore(execute.statement) ? ofStores : node.slices);
                         },
                         [&](const EvaluateSide &) { return sliceOf(node.slices); },
                         [&](Branch &branch) {
                           branch.told = branch.statement ? sliceOf(node.slices) : 0;
                           const Slices own =
                               assign(branch.otherwise) | assign(branch.then) | branch.told;
                           for (const WalkIndex &index : branch.condition)
                             use(index, own);
                           return own;
                         },
                         [&](const HandOver &) { return sliceOf(node.slices); },
                         [&](const TellMessage &message) {
                           const Slices own = sliceOf(node.slices);
                           use(message.number, own);
                           return own;
                         },
                         [&](WarpsOnly &some) { return assign(some.body); },
                         [&](const EndUnless &end) {
                           for (const WalkIndex &index : end.condition)
                             use(index, kAll);
                           return kAll;
                         },
                         [&](Loop &loop) {
                           loop.told = sliceOf(node.slices);
                           const Slices own = assign(loop.body) | loop.told;
                           use(loop.begin, own);
                           use(loop.end, own);
                           return own;
                         }),
                     node.node);
      all |= node.slices;
    }
    return all;
  }

  const KernelWalk &walk;
  std::vector<Dependence> ofLocal;
  std::vector<Slices> usersOf; ///< of each local
  Sources ofStores = 0;        ///< what guards any statement that stores
  std::vector<Sources> keys;
};

KernelWalk::KernelWalk(const PlacedLaunch &launch, std::vector<bool> unseen)
    : launch(launch), unseen(std::move(unseen)), threads(launch.kernel->block),
      localsDiffer(launch.kernel->locals.size()), nodes(prepareBody(launch.kernel->body)),
      locals(launch.kernel->locals.size()) {
  std::vector<char> isExact(locals.size());
  keepSigns(nodes, isExact);
}

void KernelWalk::cutIntoSlices() {
  if (slices == 0)
    slices = Slicing(*this).slice(nodes);
}
