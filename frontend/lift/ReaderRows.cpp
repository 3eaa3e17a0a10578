// The Reader on tables of rows that lie in one block of memory:
//   for (i = 0; i < n; i++) m[i] = block + i * columns;
//   m[0] = block; for (i = 1; i < n; i++) m[i] = m[i - 1] + columns;
// The table is the array from there on, and nobody names the block.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// What no loop moves, and how far apart the rows are that the loops count; none if the rows may
/// lie in each other.
static std::optional<Polynomial> rowLength(const LoopTree &tree, const Place &row,
                                           Polynomial position) {
  std::optional<Polynomial> length;
  for (const Polynomial &subscript : llvm::reverse(row.subscripts)) {
    const auto symbol = subscript.symbol();
    const auto step = symbol ? position.factorOf(*symbol) : std::nullopt;
    const auto rest = step ? position.with(*symbol, 0) : std::nullopt;
    const auto rows = rest && length ? divide(*step, *length) : std::nullopt;
    if (!rest || *step == Polynomial() || (length && (!rows || rows->rest != Polynomial())))
      return std::nullopt;
    length = length.value_or(*step);
    position = *rest;
  }
  const bool isFixed = !position.namesAny(
      [&](Symbol symbol) { return tree.symbols[symbol].kind == SymbolInfo::Kind::Loop; });
  return isFixed ? length : std::nullopt;
}

bool Reader::isRow(const Place &element) const {
  const Buffer &table = tree.buffers[element.buffer];
  return table.isPointerTable && element.subscripts.size() < table.extents.size();
}

bool Reader::isUnused(unsigned buffer) const {
  return llvm::none_of(tree.accesses,
                       [&](const Access &access) { return access.buffer == buffer; }) &&
         llvm::none_of(tree.assignments,
                       [&](const Assignment &made) { return made.target.buffer == buffer; });
}

bool Reader::refuseRow(const Place &row, SourceLocation where) {
  return refuse(where,
                "which memory a row of `" + tree.buffers[row.buffer].name +
                    "` lies in is not followed",
                "take memory for each row, or let it begin at `block + i * columns`"),
         false;
}

bool Reader::setRow(const Place &row, const clang::Expr &source, SourceLocation where) {
  const Buffer &table = tree.buffers[row.buffer];
  if (!table.isLocal && !tree.isProgram)
    return refuse(where,
                  "`" + table.name +
                      "` is a table of rows that the caller sees, and gets a row here",
                  "take memory in a function of its own"),
           false;
  if (takesMemory(source))
    return true;
  const auto from = place(source);
  if (!from)
    return false;
  if (!isUnused(row.buffer) || !isUnused(from->buffer) || !conditions.empty())
    return refuseRow(row, where);
  const Polynomial position = from->subscripts.empty() ? Polynomial() : from->subscripts.back();
  const bool isFirst = llvm::all_of(
      row.subscripts, [](const Polynomial &subscript) { return subscript == Polynomial(); });
  std::optional<Polynomial> length = rowLength(tree, row, position);
  if (from->buffer == row.buffer) {
    // Behind the first row, or behind the one before it.
    const bool isInTable = row.subscripts.size() == 1 && from->subscripts.size() == 2;
    const bool isNext = isInTable && distance(row.subscripts[0], from->subscripts[0]) == 1 &&
                        !position.namesAny([&](Symbol symbol) { return moves(symbol); });
    if (isNext)
      length = position;
    else if (!isInTable || from->subscripts[0] != Polynomial())
      length.reset();
  } else {
    const Buffer &block = tree.buffers[from->buffer];
    const auto known = blocks.find(from->buffer);
    const bool isOwn =
        block.isLocal && from->subscripts.size() <= 1 &&
        block.extents.size() + row.subscripts.size() == tree.buffers[row.buffer].extents.size() &&
        (known == blocks.end() || known->second == row.buffer);
    if (!isOwn)
      return refuseRow(row, where);
    blocks[from->buffer] = row.buffer;
    tree.buffers[from->buffer].holdsRows = true;
    if (isFirst && position == Polynomial())
      return true;
  }
  if (!length || *length == Polynomial())
    return refuseRow(row, where);
  auto &extent = tree.buffers[row.buffer].extents[row.subscripts.size()];
  if (rowsMoved.count(row.buffer))
    return true;
  if (!extent)
    extent = *length;
  if (from->buffer == row.buffer)
    blocks[row.buffer] = row.buffer;
  return true;
}

bool Reader::moveRow(const Place &row, SourceLocation where) {
  const Buffer &table = tree.buffers[row.buffer];
  if ((!table.isLocal && !tree.isProgram) || !isUnused(row.buffer) || !conditions.empty())
    return refuseRow(row, where);
  rowsMoved.insert(row.buffer);
  return true;
}

/// True if the subscript stays below the end in all turns of the loops.
bool Reader::staysBelow(Polynomial subscript, const Polynomial &end,
                        llvm::ArrayRef<unsigned> around) const {
  for (unsigned number : around) {
    const Loop &loop = tree.loops[number];
    const auto last = difference(loop.end, 1);
    const auto most = last ? subscript.with(loop.variable, *last) : std::nullopt;
    if (!most)
      return false;
    subscript = *most;
  }
  return distance(end, subscript).value_or(0) > 0;
}

/// True of a table whose rows are read and written as far as the next one begins, and no further.
bool Reader::hasRowsApart(unsigned table) const {
  const auto &extents = tree.buffers[table].extents;
  const auto isWithin = [&](const Access &element, llvm::ArrayRef<unsigned> around) {
    for (const auto &[subscript, extent] : llvm::drop_begin(llvm::zip(element.subscripts, extents)))
      if (!extent || !staysBelow(subscript, *extent, around))
        return false;
    return true;
  };
  return llvm::all_of(tree.assignments, [&](const Assignment &made) {
    bool result = made.target.buffer != table || isWithin(made.target, made.loops);
    for (const Expr &part : made.value.exprs)
      if (const auto *read = std::get_if<Read>(&part.node))
        if (const Access &access = tree.accesses[read->array]; access.buffer == table)
          result &= isWithin(access, made.loops);
    return result;
  });
}

/// Blocks whose rows are arrays are named by nobody else.
bool Reader::endRows(SourceLocation where) {
  for (const auto &[block, table] : blocks)
    if (block != table && (!isUnused(block) || tree.buffers[block].isReturned))
      return refuse(where,
                    "`" + tree.buffers[block].name + "` is the memory that the rows of `" +
                        tree.buffers[table].name + "` lie in, and is named beside them",
                    "name its elements by their rows"),
             false;
  std::set<unsigned> tables = rowsMoved;
  for (const auto &[_, table] : blocks)
    tables.insert(table);
  for (unsigned table : tables)
    if (!hasRowsApart(table))
      tree.assumptions.push_back("the rows of " + tree.buffers[table].name + " do not overlap");
  return true;
}

} // namespace stencilc::lift
