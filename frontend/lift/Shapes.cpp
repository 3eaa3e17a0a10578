#include "frontend/lift/Shapes.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class ShapeFinder {
public:
  ShapeFinder(LoopTree &tree, Refusals &refusals) : tree(tree), refusals(refusals) {}

  bool resolve(unsigned number) {
    Buffer &buffer = tree.buffers[number];
    std::vector<Access *> accesses;
    for (Access &access : tree.accesses)
      if (access.buffer == number && !access.subscripts.empty())
        accesses.push_back(&access);
    for (Assignment &assignment : tree.assignments)
      if (assignment.target.buffer == number && !assignment.isWhole)
        accesses.push_back(&assignment.target);
    if (buffer.extents.size() != 1) {
      if (!buffer.isPointerTable && !buffer.isObject)
        for (Access *access : accesses)
          carryRows(*access, buffer);
      return true;
    }

    std::vector<Polynomial> strides;
    factors.clear();
    isUneven = false;
    for (const Access *access : accesses)
      if (!collect(*access, strides))
        return false;
    isUneven &= !llvm::any_of(
        accesses, [&](const Access *access) { return countFactors(*access) == strides.size(); });
    if (!isUneven && areInterleaved(buffer, accesses, strides))
      strides.push_back(1);
    if (strides.size() <= 1 || isUneven)
      return true;
    if (!sort(strides, buffer, *accesses[0]))
      return false;
    // Strides from the largest on: each is so many of the next one.
    const std::optional<Polynomial> outermost = buffer.extents[0];
    buffer.extents.clear();
    for (size_t axis = 0; axis + 1 < strides.size(); ++axis)
      buffer.extents.push_back(divide(strides[axis], strides[axis + 1])->quotient);
    std::optional<Polynomial> first;
    if (outermost)
      if (const auto count = divide(*outermost, strides[0]); count && count->rest == Polynomial())
        first = count->quotient;
    buffer.extents.insert(buffer.extents.begin(), first);
    for (Access *access : accesses)
      if (!split(*access, strides))
        return false;
    splitComponents(buffer, accesses);
    return true;
  }

private:
  bool moves(Symbol symbol) const { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; }

  /// Of rows that are taken as one flat array, `(&u[0][0])[i * m + j]`: the rows are counted.
  void carryRows(Access &access, const Buffer &buffer) const {
    const size_t dimensions = buffer.extents.size();
    if (access.subscripts.size() != dimensions)
      return;
    for (size_t inner = dimensions; inner-- > 1;) {
      const auto &extent = buffer.extents[inner];
      auto parts = extent ? divide(access.subscripts[inner], *extent) : std::nullopt;
      if (!parts || !parts->quotient.namesAny([&](Symbol symbol) { return moves(symbol); }))
        continue;
      if (most(parts->rest).value_or(0) < 0) {
        parts->quotient = *sum(parts->quotient, -1);
        parts->rest = *sum(parts->rest, *extent);
      }
      const auto row = sum(access.subscripts[inner - 1], parts->quotient);
      if (!row)
        return;
      access.subscripts[inner - 1] = *row;
      access.subscripts[inner] = parts->rest;
    }
  }

  bool collect(const Access &access, std::vector<Polynomial> &strides) {
    const Polynomial &subscript = access.subscripts[0];
    for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol) {
      if (!moves(symbol) || !subscript.names(symbol))
        continue;
      const auto factor = subscript.factorOf(symbol);
      if (!factor || factor->namesAny([&](Symbol other) { return moves(other); }))
        return refusals.refuse(access.where, "the subscript multiplies loop variables"), false;
      // One variable that moves by one in one place and by two in another makes no rows; along two
      // edges of rows that others make it does.
      isUneven |= factors.emplace(symbol, *factor).first->second != *factor;
      if (!llvm::is_contained(strides, *factor))
        strides.push_back(*factor);
    }
    return true;
  }

  /// By how many distances loops move it.
  size_t countFactors(const Access &access) const {
    std::vector<Polynomial> found;
    for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
      if (moves(symbol) && access.subscripts[0].names(symbol))
        if (const auto factor = access.subscripts[0].factorOf(symbol);
            factor && !llvm::is_contained(found, *factor))
          found.push_back(*factor);
    return found.size();
  }

  /// The elements of several arrays take turns, and all of them are named, `f[7*x + 2]`, or are
  /// members of a struct.
  static bool areInterleaved(const Buffer &buffer, llvm::ArrayRef<Access *> accesses,
                             llvm::ArrayRef<Polynomial> strides) {
    constexpr int64_t kMostComponents = 64;
    int64_t least = kMostComponents + 1;
    for (const Polynomial &stride : strides)
      if (const auto number = stride.number(); number && *number > 0)
        least = std::min(least, *number);
    if (least < 2 || least > kMostComponents)
      return false;
    std::vector<int64_t> named;
    for (const Access *access : accesses) {
      for (const auto &[monomial, factor] : access->subscripts[0].terms())
        if (!monomial.empty() && factor % least != 0)
          return false;
      const int64_t component = (access->subscripts[0].constantTerm() % least + least) % least;
      if (!llvm::is_contained(named, component))
        named.push_back(component);
    }
    return int64_t(named.size()) == least || int64_t(buffer.members.size()) == least;
  }

  /// Largest first; each must be a multiple of the next.
  bool sort(std::vector<Polynomial> &strides, const Buffer &buffer, const Access &access) {
    const auto isMultiple = [](const Polynomial &large, const Polynomial &small) {
      const auto parts = divide(large, small);
      return parts && parts->rest == Polynomial() && parts->quotient != Polynomial(1);
    };
    // As many strides as are below it come behind it.
    std::vector<std::pair<size_t, Polynomial>> ranked;
    for (const Polynomial &stride : strides)
      ranked.push_back(
          {llvm::count_if(strides,
                          [&](const Polynomial &other) { return isMultiple(stride, other); }),
           stride});
    llvm::sort(ranked, [](const auto &a, const auto &b) { return a.first > b.first; });
    for (auto [number, entry] : llvm::enumerate(ranked)) {
      strides[number] = entry.second;
      if (entry.first != ranked.size() - 1 - number)
        return refusals.refuse(access.where,
                               "the subscripts of `" + buffer.name +
                                   "` are not those of one array with rows of one length: they "
                                   "step by " +
                                   listed(strides),
                               "every access counts as a[(i*ny + j)*nx + k] does"),
               false;
    }
    if (strides.back() != Polynomial(1))
      return refusals.refuse(access.where,
                             "`" + buffer.name + "` is read at every " + tree.text(strides.back()) +
                                 "th element only",
                             "a stencil reads at fixed distances from the point, all of one "
                             "resolution: make an array of every part"),
             false;
    return true;
  }

  /// What is added to the outermost subscript and moves with no loop, less the number.
  std::optional<Polynomial> beside(const Polynomial &subscript) const {
    Polynomial result;
    bool isMoved = false;
    for (const auto &[monomial, factor] : subscript.terms()) {
      const bool isMoving = llvm::any_of(monomial, [&](Symbol symbol) { return moves(symbol); });
      isMoved |= isMoving;
      std::optional<Polynomial> term = Polynomial(factor);
      for (Symbol symbol : monomial)
        term = term ? product(*term, Polynomial::of(symbol)) : term;
      const auto more = term ? sum(result, *term) : std::nullopt;
      if (!more)
        return std::nullopt;
      if (!isMoving && !monomial.empty())
        result = *more;
    }
    return isMoved ? std::optional(result) : std::nullopt;
  }

  /// It is 0 or more and less than `rows` in all turns of the one loop that moves it.
  bool isRow(const Polynomial &subscript, const Polynomial &rows) const {
    for (const Loop &loop : tree.loops)
      if (subscript.factorOf(loop.variable) == Polynomial(1)) {
        const auto last = sum(loop.end, -1);
        const auto least = subscript.with(loop.variable, loop.begin);
        const auto most = last ? subscript.with(loop.variable, *last) : std::nullopt;
        const auto below = most ? distance(rows, *most) : std::nullopt;
        return least && least->number().value_or(-1) >= 0 && below.value_or(0) > 0;
      }
    return false;
  }

  /// Rows at i, n + i, 2*n + i are those of several arrays, one behind the other: of an array that
  /// is only read, or where every i is a row.
  void splitComponents(Buffer &buffer, llvm::ArrayRef<Access *> accesses) {
    const bool isWritten = llvm::any_of(tree.assignments, [&](const Assignment &assignment) {
      return &tree.buffers[assignment.target.buffer] == &buffer;
    });
    std::optional<Polynomial> rows;
    std::vector<int64_t> components;
    for (const Access *access : accesses) {
      const auto rest = beside(access->subscripts[0]);
      if (!rest || rest->terms().size() > 1)
        return;
      const int64_t component = rest->terms().empty() ? 0 : rest->terms().begin()->second;
      components.push_back(component);
      if (component == 0)
        continue;
      const auto one = divide(*rest, component);
      if (component < 0 || !one || (rows && *rows != one->quotient))
        return;
      rows = one->quotient;
    }
    // Points around the grid are as many along all axes.
    const auto isAround = [&](const Access *access) {
      return llvm::any_of(llvm::drop_begin(access->subscripts), [&](const Polynomial &inner) {
        const auto rest = beside(inner);
        return rest && rows && *rest == *rows;
      });
    };
    if (!rows || llvm::all_of(accesses, isAround))
      return;
    for (auto [access, component] : llvm::zip(accesses, components)) {
      const auto before = product(*rows, component);
      const auto row = before ? difference(access->subscripts[0], *before) : std::nullopt;
      if (!row || (isWritten && !isRow(*row, *rows)))
        return;
    }
    for (auto [access, component] : llvm::zip(accesses, components)) {
      access->subscripts[0] = *difference(access->subscripts[0], *product(*rows, component));
      access->subscripts.insert(access->subscripts.begin(), component);
    }
    buffer.extents[0] = rows;
    buffer.extents.insert(buffer.extents.begin(), std::nullopt);
  }

  std::string listed(const std::vector<Polynomial> &strides) const {
    std::string text;
    for (const Polynomial &stride : strides)
      text += (text.empty() ? "" : ", ") + tree.text(stride);
    return text;
  }

  /// The largest value in all turns of loops over numbers.
  std::optional<int64_t> most(const Polynomial &value) const {
    std::optional<Polynomial> result = value;
    for (const Loop &loop : tree.loops) {
      const auto factor = result ? result->factorOf(loop.variable) : std::nullopt;
      if (!factor || *factor == Polynomial())
        continue;
      const auto times = factor->number();
      const auto last = sum(loop.end, -1);
      result = times && last ? result->with(loop.variable, *times > 0 ? *last : loop.begin)
                             : std::nullopt;
    }
    return result ? result->number() : std::nullopt;
  }

  bool split(Access &access, const std::vector<Polynomial> &strides) {
    Polynomial rest = access.subscripts[0];
    access.subscripts.clear();
    for (const Polynomial &stride : llvm::ArrayRef(strides).drop_back()) {
      const auto parts = divide(rest, stride);
      if (!parts)
        return refusals.refuse(access.where, "the subscript is too large"), false;
      access.subscripts.push_back(parts->quotient);
      rest = parts->rest;
      // The last point of a row is not the one before the next row's first.
      if (most(rest).value_or(0) < 0) {
        access.subscripts.back() = *sum(access.subscripts.back(), -1);
        rest = *sum(rest, stride);
      }
    }
    access.subscripts.push_back(rest);
    return true;
  }

  LoopTree &tree;
  Refusals &refusals;
  std::map<Symbol, Polynomial> factors; ///< of the buffer at hand
  bool isUneven = false;
};
} // namespace

bool resolveShapes(LoopTree &tree, Refusals &refusals) {
  ShapeFinder finder(tree, refusals);
  for (unsigned buffer = 0; buffer < tree.buffers.size(); ++buffer)
    if (!finder.resolve(buffer))
      return false;
  return true;
}

} // namespace stencilc::lift
