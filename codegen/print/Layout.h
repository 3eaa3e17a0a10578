// Layout: breaks the lines of emitted text at 100 columns.
//
// Text on its way to a line carries marks where it may be broken, each with a depth: 0 for the
// outermost operator or comma, one more for every level of precedence or parentheses below it. A
// mark stands for a space. Long text is broken at its outermost marks first and filled; a part that
// is still too long starts a line of its own and is broken one level deeper, indented by four more.
// clang-format leaves the result alone (test/codegen/emitted.clang-format).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace stencilc {

constexpr size_t kColumns = 100;

/// A place of depth 0 where a line may be broken.
constexpr char kBreak = '\1';
/// Stands before the ? and the : of a conditional that is a whole value; a space elsewhere.
constexpr char kChoice = '\16';
/// Stands behind the operators of its condition and of what it chooses first, where those may be
/// broken; a space elsewhere.
constexpr char kCondition = '\17';

/// The text with all its marks one level deeper.
std::string deeper(std::string marked);
/// A sum with a mark after each of its own operators.
std::string markTerms(std::string sum);
/// An access with a mark after each operator of its index, one level deeper than a part of its own.
std::string breakable(llvm::StringRef access);
/// The text on one line.
std::string flat(std::string marked);

/// A statement at `indent`, later lines four columns further in; none if a line stays too long.
std::optional<std::string> layOut(llvm::StringRef marked, size_t indent);
/// The rest of a statement that begins on the line above, all lines at `indent`.
std::optional<std::string> layOutBelow(llvm::StringRef marked, size_t indent);
/// `target = value;` at `indent`: on one line, or the value below the target. A conditional that
/// takes more has its choices below its condition, and that below the target if need be.
std::optional<std::string> layOutAssignment(llvm::StringRef target, llvm::StringRef value,
                                            size_t indent);
/// A conditional whose condition, or first choice, takes several lines; none if the value is
/// another.
std::optional<std::string> layOutChoice(llvm::StringRef target, llvm::StringRef value,
                                        size_t indent);

/// `if (` + condition + `) {`, long conditions broken after their operators.
std::string layOutCondition(llvm::StringRef head, llvm::StringRef condition, llvm::StringRef tail,
                            size_t indent);

/// `head` + items separated by commas + `tail`, as layOut() puts it; long lines stay as they are.
std::string layOutList(llvm::StringRef head, llvm::ArrayRef<std::string> items,
                       llvm::StringRef tail, size_t indent);

/// A comment of any length, each line opened by `opener` ("// "); continued lines are indented two
/// columns more than the text. What could end the comment or the line early is defused.
std::string comment(llvm::StringRef opener, llvm::StringRef text, size_t indent = 0);

/// Lines of code with trailing comments in one column, as clang-format aligns them; an empty
/// comment prints nothing.
std::string alignComments(llvm::ArrayRef<std::pair<std::string, std::string>> lines);

} // namespace stencilc
