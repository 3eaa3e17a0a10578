#include "test/mutation/Reasons.h"

#include "test/fuzz/TextProgram.h"
#include "test/mutation/Equivalence.h"
#include "test/mutation/KernelChecks.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Regex.h"

#include <fmt/format.h>

using namespace stencilc;
using namespace stencilc::mutation;

static bool isOneOf(const Survivor &survivor, std::initializer_list<llvm::StringRef> kinds) {
  return llvm::is_contained(kinds, survivor.result.kind);
}

static bool nameHas(const Survivor &survivor, llvm::StringRef part) {
  return llvm::StringRef(survivor.result.name).contains(part);
}

static bool isOfLaunch(const Survivor &survivor) {
  return survivor.mutated && llvm::StringRef(survivor.result.name).starts_with("launch");
}

static bool isUpdatedInPlace(const Signature &signature) {
  return llvm::none_of(signature.arrays, [](const SignatureArray &array) {
    return array.hasNext || array.hasPrevious;
  });
}

/// The mutation is of an assignment to a patch with two neighbouring axes of one length, which its
/// kernel clears.
static bool isOfClearedSquare(const Survivor &survivor) {
  for (const Kernel &kernel : survivor.subject.program.kernels)
    for (auto [number, patch] : llvm::enumerate(kernel.patches))
      if (nameHas(survivor, "in an assignment to " + patch.name) &&
          std::adjacent_find(patch.shape.begin(), patch.shape.end()) != patch.shape.end() &&
          clears(kernel.body, number))
        return true;
  return false;
}

/// The mutation is in a kernel that makes a temp; one of the text is in some kernel.
static bool isWhereATempIsMade(const Survivor &survivor) {
  const Program &program = survivor.subject.program;
  bool found = false;
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    const Kernel &kernel = program.kernels[launch.kernel];
    const bool isThere =
        !survivor.mutated || llvm::StringRef(survivor.result.name).starts_with(kernel.name + ":");
    for (auto [argument, number] : llvm::zip_equal(kernel.arrays, launch.buffers)) {
      const auto *owner = std::get_if<WorkspaceMemory>(&program.buffers[number].owner);
      found |= isThere && owner && owner->temp && argument.access != Access::Read;
    }
  });
  return found;
}

static bool alignsToWorkspace(const Program &program) {
  bool found = false;
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    if (const std::optional<unsigned> aligned = launch.cover.alignTo)
      found |=
          std::holds_alternative<WorkspaceMemory>(program.buffers[launch.buffers[*aligned]].owner);
  });
  return found;
}

/// Where the line of a text begins in which the mutation is.
static size_t startOfLine(const Survivor &survivor, llvm::StringRef text) {
  llvm::StringRef name = survivor.result.name;
  unsigned number = 0;
  if (!name.consume_front("line ") || name.consumeInteger(10, number))
    llvm::report_fatal_error("a mutation of no line");
  llvm::StringRef rest = text;
  while (--number > 0)
    rest = rest.split('\n').second;
  return text.size() - rest.size();
}

namespace {

/// A kernel, and the axis of a range in its first guard.
struct GuardedAxis {
  unsigned kernel, axis;
};

} // namespace

/// What the mutation of the text lets in: the points behind the end of an axis, one deep.
static std::optional<GuardedAxis> letInBehind(const Survivor &survivor) {
  if (!isOneOf(survivor, {"text: guard off by one"}))
    return std::nullopt;
  const Program &program = survivor.subject.program;
  const std::string text = fuzz::sourceOf(program);
  const size_t line = startOfLine(survivor, text);
  if (!llvm::StringRef(text).substr(line).split('\n').first.ends_with(") return;"))
    return std::nullopt;
  const llvm::StringRef before = llvm::StringRef(text).take_front(line);
  const llvm::StringRef opened = before.substr(before.rfind("__global__"));
  for (unsigned number = 0; number < program.kernels.size(); ++number)
    for (auto [axis, name] : llvm::enumerate(program.kernels[number].axes))
      if (opened.contains(program.kernels[number].name + "(") &&
          nameHas(survivor, fmt::format(": {0} >= becomes {0} >", name)))
        return GuardedAxis{number, unsigned(axis)};
  return std::nullopt;
}

static bool mayCopyBehind(const Survivor &survivor) {
  const std::optional<GuardedAxis> behind = letInBehind(survivor);
  return behind && mayCopyBehind(survivor.subject.program, behind->kernel, behind->axis);
}

static bool mayGuardSinglesLess(const Survivor &survivor) {
  const std::optional<GuardedAxis> behind = letInBehind(survivor);
  if (!behind)
    return false;
  Program less = survivor.subject.program;
  Kernel &kernel = less.kernels[behind->kernel];
  for (Statement &statement : kernel.body)
    if (auto *guard = std::get_if<ReturnUnless>(&statement.node))
      for (Range &range : guard->box)
        if (range.upper && toString(range.index, kernel) == kernel.axes[behind->axis])
          range.upper = add(range.upper, 1);
  return guardsSinglesLess(survivor.subject.program, less);
}

/// Whether a text names an element of an array or tile.
static bool namesElement(llvm::StringRef text, const std::string &name) {
  return llvm::Regex("(^|[^a-zA-Z0-9_])" + name + "\\[").match(text);
}

/// The mutation is of the lower promise of an argument that is not negative in any launch: it says
/// how many elements a list has, or where boxes begin that all begin at 0.
static bool isNeverNegative(const Survivor &survivor) {
  const Program &program = survivor.subject.program;
  bool found = false;
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    const Kernel &kernel = program.kernels[launch.kernel];
    for (auto [integer, binding] : llvm::zip_equal(kernel.integers, launch.integers)) {
      const auto *first = std::get_if<FirstOf>(&binding);
      const bool isAtLeastZero =
          first ? constantDifference(launch.cover.begin[first->axis], constant(0)) == 0
                : std::holds_alternative<ElementsOf>(binding);
      found |= isAtLeastZero &&
               survivor.result.name == kernel.name + ": the lower promise of " + integer.name;
    }
  });
  return found;
}

/// The mutation of the text puts the name of an integer into its own definition.
static bool isMadeOfItself(const Survivor &survivor) {
  const std::string text = fuzz::sourceOf(survivor.subject.program);
  const llvm::StringRef line =
      llvm::StringRef(text).drop_front(startOfLine(survivor, text)).split('\n').first.ltrim();
  const llvm::StringRef taken = llvm::StringRef(survivor.result.name).rsplit(" becomes ").second;
  return line.starts_with(("const int64_t " + taken + " = ").str());
}

/// The mutation of the text is where a kernel is launched that never has but one block.
static bool isInLaunchOfOneBlock(const Survivor &survivor) {
  const Program &program = survivor.subject.program;
  const std::string text = fuzz::sourceOf(program);
  const llvm::StringRef before = llvm::StringRef(text).take_front(startOfLine(survivor, text));
  const llvm::StringRef launcher = before.drop_front(before.rfind(" launch_"));
  bool found = false;
  forEachLaunchOf(program.plan, [&](const Launch &launch) {
    const std::string &name = program.kernels[launch.kernel].name;
    bool isOne = launcher.starts_with(" launch_" + name + "(");
    for (unsigned axis = 0; axis < program.signature.rank(); ++axis)
      isOne &= constantDifference(launch.cover.end[axis], launch.cover.begin[axis]) == 1;
    found |= isOne;
  });
  return found;
}

/// The statements of a text that use an integer.
static std::string statementsWith(llvm::StringRef text, llvm::StringRef integer) {
  const llvm::Regex use(("(^|[^a-zA-Z0-9_])" + integer + "($|[^a-zA-Z0-9_])").str());
  llvm::SmallVector<llvm::StringRef> statements;
  text.split(statements, ';');
  std::string found;
  for (llvm::StringRef statement : statements)
    if (use.match(statement))
      found += statement;
  return found;
}

/// The mutation of the text is where arrays are read that their kernels read alone: in such a line,
/// in an integer that only such statements use, or in the guard of a branch that stores nothing.
static bool isInALoad(const Survivor &survivor) {
  const std::string text = fuzz::sourceOf(survivor.subject.program);
  const llvm::StringRef rest = llvm::StringRef(text).drop_front(startOfLine(survivor, text));
  const llvm::StringRef line = rest.split('\n').first, words = line.ltrim();
  const bool isGuard = words.starts_with("if (") && (words.ends_with("{") || words.ends_with(")"));
  std::string about = line.str();
  if (isGuard) {
    const std::string closing = "\n" + line.drop_back(words.size()).str() + "}\n";
    about = rest.take_front(rest.find(words.ends_with("{") ? closing : ";\n")).str();
  } else if (llvm::StringRef defined = words; defined.consume_front("const int ")) {
    about = statementsWith(text, defined.split(' ').first);
  }

  bool reads = false, stores = false;
  for (const Kernel &kernel : survivor.subject.program.kernels) {
    for (const ArrayArgument &array : kernel.arrays)
      (array.access == Access::Read ? reads : stores) |= namesElement(about, array.name);
    for (const SharedTile &tile : kernel.tiles)
      stores |= isGuard && namesElement(about, tile.name);
  }
  return reads && !stores;
}

static constexpr Reason kReasons[] = {
    {'A', "the frame is copied again in every pass, with the same values",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"wrong time"}) && nameHas(survivor, "every pass instead");
     }},
    {'B', "no grid of at least one point makes a difference: the boxes are the same",
     [](const Survivor &survivor) {
       return isOfLaunch(survivor) && haveSameBoxes(survivor.subject.program, *survivor.mutated);
     }},
    {'C', "more blocks than the box needs: the kernel's guard ends their threads",
     [](const Survivor &survivor) {
       return isOfLaunch(survivor) &&
              isOneOf(survivor, {"index shifted", "clamp dropped", "wrong cover"}) &&
              haveMoreBlocks(survivor.subject.program, *survivor.mutated);
     }},
    {'D', "blocks begin before the box: the kernel's guard leaves those points out",
     [](const Survivor &survivor) {
       return isOfLaunch(survivor) && isOneOf(survivor, {"index shifted"}) &&
              beginBeforeGuard(survivor.subject.program, *survivor.mutated);
     }},
    {'E', "another guard or loop keeps the same points out",
     [](const Survivor &survivor) {
       const Program &right = survivor.subject.program;
       if (!survivor.mutated)
         return isOneOf(survivor, {"text: loop end off by one"})
                    ? loopsMayRunLonger(right)
                    : isOneOf(survivor, {"text: guard dropped", "text: guard weakened",
                                         "text: guard off by one"}) &&
                          !guardIsNeeded(right);
       return !isOfLaunch(survivor) &&
              isOneOf(survivor, {"guard dropped", "range dropped", "bound dropped", "bound shifted",
                                 "index shifted", "clamp dropped"}) &&
              haveSameStores(right, *survivor.mutated);
     }},
    {'F', "each block begins inside the box: a guard of where it begins always holds",
     [](const Survivor &survivor) {
       if (survivor.mutated ? isOneOf(survivor, {"bound dropped", "bound shifted"}) &&
                                  guardsSinglesLess(survivor.subject.program, *survivor.mutated)
                            : mayGuardSinglesLess(survivor))
         return true;
       if (survivor.mutated && isOneOf(survivor, {"guard dropped", "clamp dropped"}))
         return boundsWhereBlocksBegin(survivor.subject.program, *survivor.mutated);
       return isOneOf(survivor, {"bound dropped", "bound shifted", "text: guard off by one"}) &&
              llvm::any_of(survivor.subject.program.signature.axes, [&](const std::string &axis) {
                const std::string begin = axis + "_begin ";
                return nameHas(survivor, begin + "<") || nameHas(survivor, begin + ">=");
              });
     }},
    {'G', "what a tile, queue or patch holds outside the grid enters no result",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"wrong literal"}) &&
              (nameHas(survivor, " for tile") || nameHas(survivor, " for slot ") ||
               llvm::any_of(survivor.subject.program.kernels, [&](const Kernel &kernel) {
                 return llvm::any_of(kernel.patches, [&](const Patch &patch) {
                   return llvm::StringRef(survivor.result.name).ends_with(" for " + patch.name);
                 });
               }));
     }},
    {'H', "both axes begin at the same coordinate, and no slab moves one of them",
     [](const Survivor &survivor) {
       const Program &right = survivor.subject.program;
       return isOneOf(survivor, {"wrong bound"}) &&
              beginAlike(right, *survivor.mutated, right.target == Target::Device);
     }},
    {'I', "both axes begin at the same coordinate: only slabs show it, which the run has",
     [](const Survivor &survivor) {
       const Program &right = survivor.subject.program;
       if (survivor.result.survivesRun())
         return false;
       if (isOneOf(survivor, {"wrong bound"}))
         return beginAlike(right, *survivor.mutated, /*inSlabs=*/false);
       return isOneOf(survivor, {"wrong coordinate"}) && nameHas(survivor, "first_") &&
              beginAlikeSomewhere(right);
     }},
    {'J', "points are stored twice, with the same value: only the audit counts stores",
     [](const Survivor &survivor) {
       return survivor.result.audit == "twice" || mayCopyBehind(survivor);
     }},
    {'K', "where blocks start decides what a request costs, not which points are updated",
     [](const Survivor &survivor) { return isOneOf(survivor, {"alignment dropped"}); }},
    {'L', "the verifier alone reads how an argument is declared, and refuses",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"wrong access", "wrong path"}) &&
              !survivor.result.verifier.empty();
     }},
    {'M', "some launch has points along x on every legal grid: its box is never empty there",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: empty box launched"}) &&
              !mayBeEmptyAlongX(survivor.subject.program);
     }},
    {'O', "nothing guards the ends of tiles and patches in the harness; the verifier does",
     [](const Survivor &survivor) {
       if (survivor.result.verifier == "patch")
         return true;
       return isOneOf(survivor, {"text: loop end off by one"}) &&
              llvm::any_of(survivor.subject.program.kernels,
                           [](const Kernel &kernel) { return !kernel.tiles.empty(); });
     }},
    {'P', "the first and the last element of a tile are corners, which stars never read",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"index shifted", "text: loop begin off by one"}) &&
              llvm::any_of(llvm::ArrayRef{"element", "cell"}, [&](llvm::StringRef local) {
                return nameHas(survivor, (" of the loop over " + local).str()) ||
                       nameHas(survivor, ("int " + local).str());
              });
     }},
    {'Q', "an address is a name in the text: accesses at no constant distance from it do without",
     [](const Survivor &survivor) { return isOneOf(survivor, {"wrong address"}); }},
    {'R', "a march past its chunk stores points twice, with the same value; branches end it",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: loop end off by one", "text: wrong extreme"}) &&
              marchesThroughBranches(survivor.subject.program);
     }},
    {'S', "warps beyond those that play a role have nothing to do",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"wrong block shape"}) &&
              haveIdleWarps(survivor.subject.program, *survivor.mutated);
     }},
    {'T', "rows of any alignment give the same values: the verifier asks what may be relied on",
     [](const Survivor &survivor) {
       if (isOneOf(survivor, {"wrong condition"}))
         return !survivor.result.verifier.empty();
       return survivor.result.verifier == "launch" && survivor.result.ranOnMoreGrids &&
              isOfLaunch(survivor) && isOneOf(survivor, {"index shifted"}) &&
              beginOnePointLaterInARow(survivor.subject.program, *survivor.mutated);
     }},
    {'U', "a name too many for one memory shows in the next pass, of which the last has none",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"names kept"}) && !survivor.result.verifier.empty();
     }},
    {'V', "what changes is loaded for points that nobody updates: no further grid shows it",
     [](const Survivor &survivor) {
       const Program &right = survivor.subject.program;
       if (!survivor.result.ranOnMoreGrids || isOfLaunch(survivor))
         return false;
       if (survivor.mutated)
         return isOneOf(survivor, {"assignment dropped", "wrong Map", "wrong coordinate",
                                   "bound shifted", "index shifted"}) &&
                differInLoads(right, *survivor.mutated);
       if (isOneOf(survivor, {"text: loop end off by one"}))
         return hasLoopOfLoads(right, [&](llvm::StringRef local) {
           return nameHas(survivor, fmt::format("; {} < ", local.str()));
         });
       return isOneOf(survivor,
                      {"text: bound off by one", "text: wrong extreme", "text: wrong stride"}) &&
              isInALoad(survivor);
     }},
    {'W', "what was never given a value enters no result: audit or interpreter alone know of it",
     [](const Survivor &survivor) {
       return survivor.result.audit == "undefined" || survivor.result.run == "undefined" ||
              (isOneOf(survivor, {"text: loop begin off by one", "text: loop end off by one"}) &&
               nameHas(survivor, "slot"));
     }},
    {'X', "blocks are missing that would have nothing but walls: no further grid shows it",
     [](const Survivor &survivor) {
       return survivor.result.ranOnMoreGrids && isOfLaunch(survivor) &&
              isOneOf(survivor, {"index shifted"}) &&
              endOnePointEarlier(survivor.subject.program, *survivor.mutated);
     }},
    {'Y', "fields that are updated in place end in the memory that they came in",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: pointers not returned"}) &&
              isUpdatedInPlace(survivor.subject.program.signature);
     }},
    {'Z', "what lies between rows of a temp is read or stored for a point that nothing reads",
     [](const Survivor &survivor) {
       const bool isOutOfRows =
           survivor.mutated ? survivor.result.run == "bounds" || survivor.result.audit == "bounds"
                            : isOneOf(survivor, {"text: guard off by one"});
       return isOutOfRows && !survivor.result.survivesRun() && isWhereATempIsMade(survivor);
     }},
    {'b', "every element of the patch takes one number, and two of its axes are as long",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"axes swapped"}) && isOfClearedSquare(survivor);
     }},
    {'c', "elements that may be moved at once are moved singly, at more points",
     [](const Survivor &survivor) {
       return survivor.mutated && !isOfLaunch(survivor) &&
              movesSinglesMoreOften(survivor.subject.program, *survivor.mutated);
     }},
    {'d', "in the workspace the line of memory starts before the box: blocks start there as well",
     [](const Survivor &survivor) {
       return survivor.result.ranOnMoreGrids && isOfLaunch(survivor) &&
              isOneOf(survivor, {"index shifted"}) && alignsToWorkspace(survivor.subject.program) &&
              beginOnePointLaterInALine(survivor.subject.program, *survivor.mutated);
     }},
    {'e', "on every grid the host makes all elements by the same formulas of the same elements",
     [](const Survivor &survivor) {
       return survivor.mutated && haveSameFormulas(survivor.subject.program, *survivor.mutated);
     }},
    {'f', "a loop that begins earlier makes points again, by the formula of the loop before it",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: bound off by one"}) &&
              loopMayBeginEarlier(survivor.subject.program, [&](llvm::StringRef begin) {
                return nameHas(survivor, fmt::format(": {} becomes ", begin.str()));
              });
     }},
    {'g', "pieces of rows begin some points apart: none at the point where the guard differs",
     [](const Survivor &survivor) {
       if (!survivor.mutated)
         return isOneOf(survivor, {"text: guard off by one"}) && nameHas(survivor, ">=") &&
                mayGuardPiecesAlike(survivor.subject.program);
       return isOneOf(survivor, {"bound shifted"}) &&
              guardsPiecesAlike(survivor.subject.program, *survivor.mutated);
     }},
    {'h', "a march that begins a turn earlier: what it holds before its first enters no result",
     [](const Survivor &survivor) {
       if (!survivor.result.ranOnMoreGrids || !survivor.mutated ||
           !isOneOf(survivor, {"index shifted"}))
         return false;
       const std::optional<Program> spoilt =
           withAnEarlierTurnSpoilt(survivor.subject.program, *survivor.mutated);
       return spoilt && runFinds(onMoreGrids(survivor.subject), *spoilt).empty();
     }},
    {'i', "what stands there is overwritten, or the kernel ends, before anything reads it",
     [](const Survivor &survivor) {
       if (!survivor.mutated || !isOneOf(survivor, {"store dropped", "wrong literal"}))
         return false;
       const std::optional<Program> spoilt =
           withNaNInItsPlace(survivor.subject.program, *survivor.mutated);
       return spoilt && runFinds(survivor.subject, *spoilt).empty();
     }},
    {'j', "no tile is used behind the last barrier of a kernel",
     [](const Survivor &survivor) {
       return survivor.mutated && isOneOf(survivor, {"barrier dropped", "barrier moved"}) &&
              movesLastBarrier(survivor.subject.program, *survivor.mutated);
     }},
    {'k',
     "the threads of a block of one warp meet where they shuffle: the audit asks for a barrier",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"barrier dropped", "barrier moved"}) &&
              survivor.result.audit == "race" &&
              llvm::any_of(survivor.subject.program.kernels, [&](const Kernel &kernel) {
                return nameHas(survivor, kernel.name + ": ") && kernel.warps() == 1;
              });
     }},
    {'l', "lists that are not there give the neutral number, which is added once more",
     [](const Survivor &survivor) {
       return survivor.mutated && !isOfLaunch(survivor) &&
              countsMoreLists(survivor.subject.program, *survivor.mutated);
     }},
    {'m', "the launch is of one block, along every axis",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: wrong grid"}) &&
              nameHas(survivor, " becomes gridDim.y = 1 + 0 *") && isInLaunchOfOneBlock(survivor);
     }},
    {'n', "the loop has one turn, and its counter is 0",
     [](const Survivor &survivor) {
       return survivor.mutated && !isOfLaunch(survivor) &&
              countsTurnsOfOne(survivor.subject.program, *survivor.mutated);
     }},
    {'o', "the number is never negative: the promise of that only spares work",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"promise dropped"}) && isNeverNegative(survivor);
     }},
    {'p', "an integer is made of itself: what is there by chance makes the same boxes",
     [](const Survivor &survivor) {
       return isOneOf(survivor, {"text: wrong box"}) && isMadeOfItself(survivor);
     }},
};

llvm::ArrayRef<Reason> mutation::reasons() { return kReasons; }
