// Trials: the mutations of a subject, made and put to every check.
#pragma once

#include "test/mutation/Results.h"

namespace stencilc::mutation {

/// A mutation on its way through the checks.
struct Trial {
  Result result;
  std::optional<Program> program; ///< none: made in the text
  std::string source;
  bool isCompiled = false;
};

/// The right program of subject `number`, then all its mutations, then those of its text.
std::vector<Trial> trialsOf(const Subject &subject, unsigned number);

/// Marks three mistakes that all levels must find, as far as the subject can have them: a missing
/// guard, an index off by one, a missing frame copy. Not where a temp is made: a guard too few
/// there makes points that nothing reads.
void plant(std::vector<Trial> &trials);

/// Marks `count` of the trials that can run as text (and are of text, or not) to do so: at random,
/// but the second of a kind only after the first of every kind.
void chooseTexts(std::vector<Trial> &trials, bool ofText, size_t count, uint64_t seed);

/// Leaves the right program, planted mistakes, and `count` of the mutations of the Program, chosen
/// as texts are.
void keepSome(std::vector<Trial> &trials, size_t count, uint64_t seed);

/// Fills in what each check finds.
void runAll(const Subject &subject, std::vector<Trial> &trials);

/// Runs survivors that have no reason, if there are any, on more grids.
void runSurvivors(const Subject &subject, std::vector<Trial> &trials);

} // namespace stencilc::mutation
