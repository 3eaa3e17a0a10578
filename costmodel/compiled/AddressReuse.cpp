#include "costmodel/compiled/AddressReuse.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencilc;

void stencilc::forEachAccess(
    const Statement &statement,
    llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index> where)> visit) {
  if (const Value *value = valueOf(statement))
    forEachValue(*value, [&](const ValueNode &part) {
      if (const auto *load = std::get_if<LoadGlobal>(&part.node))
        visit(load->array, load->index);
    });
  if (const auto *store = std::get_if<StoreGlobal>(&statement.node))
    visit(store->array, store->index);
}

// ---- unrolling --------------------------------------------------------------------------------

static bool isOperation(const ValueNode &value) {
  return std::holds_alternative<LoadGlobal>(value.node) ||
         std::holds_alternative<LoadShared>(value.node) ||
         std::holds_alternative<BinaryValue>(value.node) ||
         std::holds_alternative<CompareValue>(value.node) ||
         std::holds_alternative<SelectValue>(value.node) ||
         std::holds_alternative<GuardedValue>(value.node) ||
         std::holds_alternative<CallValue>(value.node);
}

/// Stores in `body` and the bodies in it; none if something there keeps a loop from being unrolled.
static std::optional<int> countStores(const Body &body) {
  int stores = 0;
  for (const Statement &statement : body) {
    if (std::holds_alternative<Barrier>(statement.node) ||
        std::holds_alternative<For>(statement.node))
      return std::nullopt;
    stores += std::holds_alternative<StoreGlobal>(statement.node) ||
              std::holds_alternative<StoreShared>(statement.node);
    if (const auto *branch = std::get_if<If>(&statement.node)) {
      const std::optional<int> then = countStores(branch->then);
      const std::optional<int> otherwise = countStores(branch->otherwise);
      if (!then || !otherwise)
        return std::nullopt;
      stores += *then + *otherwise;
    }
  }
  return stores;
}

int stencilc::unrolledTurns(const For &loop) {
  const std::optional<int> stores = countStores(loop.body);
  if (!stores)
    return 1;
  int operations = *stores;
  forEachValue(loop.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) { operations += isOperation(part); });
  });
  for (int turns : {4, 2})
    if (turns * operations <= 100)
      return turns;
  return 1;
}

bool stencilc::isCarried(const Address &address, int turns) {
  return address.motion != Motion::Remade && (address.isNear || turns == 4);
}

// ---- addresses --------------------------------------------------------------------------------

/// Writes the linear form of `index` without its constant, which it returns; equal texts mean equal
/// forms.
static int64_t spellShape(llvm::raw_ostream &out, const Index &index);

static void spell(llvm::raw_ostream &out, const Index &index) {
  const int64_t constant = spellShape(out, index);
  out << '+' << constant;
}

static void spellAtom(llvm::raw_ostream &out, const Index &atom) {
  auto pair = [&](const char *name, const auto &node) {
    out << name << '(';
    spell(out, node.left);
    out << ',';
    spell(out, node.right);
    out << ')';
  };
  auto divided = [&](const char *name, const auto &node) {
    out << name << node.divisor << '(';
    spell(out, node.index);
    out << ')';
  };
  std::visit(llvm::makeVisitor(
                 [&](const Coordinate &node) { out << unsigned(node.kind) << ':' << node.number; },
                 [&](const IndexQuotient &node) { divided("/", node); },
                 [&](const IndexRemainder &node) { divided("%", node); },
                 [&](const IndexMin &node) { pair("min", node); },
                 [&](const IndexMax &node) { pair("max", node); },
                 [&](const IndexMap &node) {
                   out << "map" << unsigned(node.boundary) << ':' << node.axis << '(';
                   spell(out, node.index);
                   out << ')';
                 },
                 [](const auto &) { llvm_unreachable("no atom of a linear form"); }),
             atom->node);
}

static int64_t spellShape(llvm::raw_ostream &out, const Index &index) {
  LinearIndex form = linear(index);
  llvm::SmallVector<std::string, 4> terms;
  for (const LinearIndex::Term &term : form.terms) {
    llvm::raw_string_ostream text(terms.emplace_back());
    text << term.factor << '*';
    spellAtom(text, term.atom);
  }
  llvm::sort(terms);
  for (const std::string &term : terms)
    out << term << ' ';
  return form.constant;
}

std::string stencilc::shape(llvm::ArrayRef<Index> where) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Index &index : where) {
    spellShape(out, index);
    out << '|';
  }
  return text;
}

/// True if a coordinate below `index` is a local for which `test` holds.
static bool anyLocal(const Index &index, llvm::function_ref<bool(unsigned)> test) {
  auto below = [&](const Index &part) { return anyLocal(part, test); };
  return std::visit(llvm::makeVisitor([](const IndexConstant &) { return false; },
                                      [&](const Coordinate &node) {
                                        return node.kind == CoordinateKind::Local &&
                                               test(node.number);
                                      },
                                      [&](const auto &node) {
                                        if constexpr (requires { node.left; })
                                          return below(node.left) || below(node.right);
                                        else
                                          return below(node.index);
                                      }),
                    index->node);
}

bool AddressScope::varies(const Index &index) const {
  return moving && anyLocal(index, [&](unsigned local) {
           return local == *moving || llvm::is_contained(varyingLocals, local);
         });
}

AddressScope::Place AddressScope::place(llvm::ArrayRef<Index> where) {
  Place result;
  for (const Index &index : where) {
    llvm::raw_string_ostream out(result.shape.emplace_back());
    result.constants.push_back(spellShape(out, index));
  }
  return result;
}

void AddressScope::add(const LetPointer &pointer) {
  named.push_back({pointer, place(pointer.index)});
}

void AddressScope::add(const LetIndex &local) {
  if (varies(local.value))
    varyingLocals.push_back(local.local);
}

AddressScope AddressScope::inside(const For &loop) const {
  AddressScope inner = *this;
  inner.moving = loop.local;
  inner.varyingLocals.clear();
  for (auto [pointer, axis] : loop.carries)
    for (Named &carried : inner.named)
      if (carried.pointer.pointer == pointer) {
        carried.pointer.index[axis] = coordinate(CoordinateKind::Local, loop.local);
        carried.place = place(carried.pointer.index);
      }
  return inner;
}

Address AddressScope::address(unsigned array, llvm::ArrayRef<Index> where) const {
  const Place here = place(where);
  const unsigned last = where.size() - 1;
  Address result;
  std::optional<unsigned> movedAxis;
  for (unsigned position = 0; position <= last; ++position) {
    if (!varies(where[position]))
      continue;
    const bool isPlain = llvm::all_of(linear(where[position]).terms, [&](const auto &term) {
      return !varies(term.atom) || equal(term.atom, coordinate(CoordinateKind::Local, *moving));
    });
    result.motion = isPlain && result.motion != Motion::Remade ? Motion::Moves : Motion::Remade;
    movedAxis = position;
  }

  // Only arrays with all axes lie as the named addresses say.
  if (kernel.arrays[array].axes.size() == kernel.rank())
    for (const Named &other : named) {
      if (other.place.shape == here.shape) {
        unsigned distance = 0;
        for (unsigned position = 0; position < last; ++position)
          distance += here.constants[position] != other.place.constants[position];
        result.distance = result.isNear ? std::min(result.distance, distance) : distance;
        result.isNear = true;
      }
      result.isInRow |= std::equal(here.shape.begin(), here.shape.end() - 1,
                                   other.place.shape.begin(), other.place.shape.end() - 1);
    }

  llvm::raw_string_ostream out(result.index);
  for (unsigned position = 0; position <= last; ++position) {
    out << here.shape[position] << '|';
    if (position == last)
      break;
    if (position == movedAxis && result.motion == Motion::Moves)
      result.turn = here.constants[position];
    else
      out << here.constants[position];
  }
  return result;
}
