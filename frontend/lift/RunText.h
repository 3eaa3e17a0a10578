// RunText: C++ that runs the lifted stencil on the memory of the C function.
//
// The text stands where the function's arguments and globals have their names. Memory is taken,
// filled and given back through three functions (take, give, release) that whoever uses the text
// defines: for the host, or for a GPU.
#pragma once

#include "frontend/lift/Build.h"
#include "frontend/lift/Prototype.h"

namespace stencilc::lift {

/// Why the function's memory cannot be handed to the stencil; empty if it can. With `makesMemory`,
/// whoever calls it has the rows of tables of pointers lie together, and makes arrays of the step.
std::string whyNotRunnable(const LoopTree &tree, const Grid &grid, const Lifted &lifted,
                           const Prototype &prototype, bool makesMemory = false);

/// The steps that the loop over time makes, as C text.
std::string stepsText(const LoopTree &tree, const Grid &grid);
/// Elements of a buffer, as C text. `steps` names their number.
std::string elementsText(const LoopTree &tree, const Grid &grid, unsigned buffer);
/// Elements of one level of a grid array in the function's memory, as C text.
std::string pointsText(const LoopTree &tree, const Grid &grid, const GridArray &array);
/// How far the elements of an array lie apart, as C text.
std::string stepText(const LoopTree &tree, const GridArray &array);
/// Whether a storage of the ring holds the newest level after the steps, or the one `behind` it, as
/// C text.
std::string holdsText(const LoopTree &tree, const GridArray &array, size_t place, size_t behind,
                      llvm::StringRef steps);
/// Storages that take turns holding the newest level, from the start on.
std::vector<Storage> ringOf(const GridArray &array);
/// A pointer to the first element of a storage before the first step, as C text. `pointer` gives a
/// pointer to the first element of a buffer.
std::string storageText(const LoopTree &tree, const Grid &grid, const GridArray &array,
                        const Storage &storage,
                        llvm::function_ref<std::string(unsigned buffer)> pointer);

/// Functions that the statements need where arrays have less points than the grid, or others around
/// it.
llvm::StringRef wideningText();
/// Likewise where the function's arrays hold whole numbers.
llvm::StringRef convertingText();
bool needsConverting(const LoopTree &tree, const Grid &grid);
bool hasOtherPoints(const GridArray &array);
bool needsWidening(const Grid &grid);
/// The array's points and the grid's, as C++ text.
std::string shapeText(const LoopTree &tree, const Grid &grid, const GridArray &array);

/// Declares what the statements set to the numbers that the caller gets: `lift_result_` and the
/// name of the reduction.
std::string resultsText(const LoopTree &tree, const Lifted &lifted);

/// The statements, with two blanks before each. They end with a `return` on any failure, of
/// `onFailure`. With `isOfOriginal`, whole numbers lie in memory as the function has them; else as
/// the stencil has them.
std::string runText(const LoopTree &tree, const Grid &grid, const Lifted &lifted,
                    llvm::function_ref<std::string(unsigned buffer)> pointer,
                    llvm::StringRef onFailure, bool isOfOriginal = false);

} // namespace stencilc::lift
