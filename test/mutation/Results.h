// Results: what found each mutation, and the tables of them.
#pragma once

#include "test/mutation/Subject.h"

namespace stencilc::mutation {

/// One mutation and the words of the checks that saw it; an empty word: the check saw nothing.
struct Result {
  unsigned subject; ///< number among the subjects
  std::string kind, name;
  bool isOfText = false; ///< made in the text: the Program is right
  std::string verifier = {}, audit = {}, run = {}, text = {};
  bool isKept = true;          ///< not left out of a sample
  bool isPlanted = false;      ///< every level must find it
  bool runsAsText = false;     ///< it was compiled and run
  bool printsTheSame = false;  ///< the text is that of the right Program
  bool stopsEarly = false;     ///< after the first check that finds something
  bool ranOnMoreGrids = false; ///< survivors without another reason do
  char reason = 0;             ///< letter of the reason why it survives a level; 0: it has none

  bool isFound() const { return !verifier.empty() || !audit.empty() || !run.empty(); }
  bool survivesRun() const {
    return !isOfText && !printsTheSame && audit.empty() && run.empty() &&
           !(stopsEarly && isFound());
  }
  bool survivesText() const { return runsAsText && text.empty(); }
};

/// True if the mutation survives a level without a reason that holds on any grid.
bool needsMoreGrids(const Subject &subject, const Program *mutated, const Result &result);

/// Finds the reason why a mutation survives, if it does. Says what is wrong: a survivor without a
/// reason, a Program that ran out of bounds past a verifier that had accepted it, or one that
/// prints the right text and gives wrong values. `mutated` is null for a mutation of the text.
std::optional<std::string> judge(const Subject &subject, const Program *mutated, Result &result);

/// The planted mutations: which check found each.
void printPlanted(llvm::raw_ostream &out, llvm::ArrayRef<Subject> subjects,
                  llvm::ArrayRef<Result> results);
/// Counts by kind: which check saw how many first.
void printSummary(llvm::raw_ostream &out, llvm::ArrayRef<Result> results);
/// One line per mutation of the variant that ran at all levels, then the reasons they need.
void printTable(llvm::raw_ostream &out, llvm::StringRef variant, llvm::ArrayRef<Subject> subjects,
                llvm::ArrayRef<Result> results);

} // namespace stencilc::mutation
