// The semirings and the types of weights they are defined for.
//
// An Algebra<Semiring, T> holds, for values of type T:
//   zero()       no path; the value that `select` prefers least
//   one()        the path of no edges
//   extend(a, b) weight of two paths joined; settled, whatever the operands
//   better(a, b) whether a is strictly preferred to b
//   admit(w, &refused) the value for an input weight; sets refused where w has no place here
//
// | semiring | better | join | zero, one | refused weights                             |
// | MinPlus  | <      | +    | inf, 0    | NaN, -inf; integers beyond the finite range |
// | MaxPlus  | >      | +    | -inf, 0   | NaN, inf; integers beyond the finite range  |
// | MaxMin   | >      | min  | lowest, highest | NaN                                   |
// | OrAnd    | true before false | and | 0, 1 | none: every weight but 0 is an edge      |
//
// Plus on integers. Infinity is 2^30 - 1 for int32, 2^14 - 1 for int16, 2^15 - 1 for uint16, and
// weights from there on say "no edge" (MaxPlus: the negatives of these). Signed finite values have
// a magnitude below half of infinity, 2^29 or 2^13: a sum that reaches it saturates to infinity,
// and one that falls as far below zero stays at the least finite value. No sum wraps. Unsigned
// values are finite up to infinity - 1. Floats and doubles use their own infinities.
#pragma once

#include "Apsp.h"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace stencilc::apsp {

struct MinPlus {};
struct MaxPlus {};
struct MaxMin {};
struct OrAnd {};

template <class T>
constexpr bool isWeight =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int32_t> ||
    std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t>;

/// The finite range of integers under plus.
template <class T> struct IntegerRange {
  static constexpr T infinity =
      std::is_signed_v<T> ? std::numeric_limits<T>::max() / 2 : std::numeric_limits<T>::max() / 2;
  /// From here on a sum is infinite.
  static constexpr T limit = std::is_signed_v<T> ? infinity / 2 + 1 : infinity;
};

template <class Semiring, class T> struct Algebra;

/// MinPlus; MaxPlus is its mirror image.
template <class T> struct Algebra<MinPlus, T> {
  static_assert(isWeight<T>);
  using Value = T;
  static constexpr bool isFloating = std::is_floating_point_v<T>;
  static constexpr T infinity =
      isFloating ? std::numeric_limits<T>::infinity() : IntegerRange<T>::infinity;

  STENCILC_APSP_BOTH static constexpr T zero() { return infinity; }
  STENCILC_APSP_BOTH static constexpr T one() { return T(0); }
  STENCILC_APSP_BOTH static constexpr bool better(T a, T b) { return a < b; }

  /// Brings a sum of two settled values back into the range.
  template <class Wide> STENCILC_APSP_BOTH static constexpr T settle(Wide sum) {
    if constexpr (isFloating)
      return sum;
    else if constexpr (std::is_unsigned_v<T>)
      return sum >= Wide(IntegerRange<T>::limit) ? zero() : T(sum);
    else
      return sum >= Wide(IntegerRange<T>::limit)    ? zero()
             : sum <= -Wide(IntegerRange<T>::limit) ? T(1 - IntegerRange<T>::limit)
                                                    : T(sum);
  }
  STENCILC_APSP_BOTH static constexpr T extend(T a, T b) { return settle(a + b); }

  STENCILC_APSP_BOTH static T admit(T weight, bool &refused) {
    if constexpr (isFloating) {
      refused = !(weight > -infinity); // NaN too
      return refused ? zero() : weight;
    } else {
      constexpr T limit = IntegerRange<T>::limit;
      refused = weight < zero() && (weight >= limit || (std::is_signed_v<T> && weight <= -limit));
      return refused || weight > zero() ? zero() : weight;
    }
  }
};

template <class T> struct Algebra<MaxPlus, T> {
  static_assert(isWeight<T> && std::is_signed_v<T>, "max-plus needs a value below every sum");
  using Value = T;
  using Mirror = Algebra<MinPlus, T>;

  STENCILC_APSP_BOTH static constexpr T zero() { return -Mirror::zero(); }
  STENCILC_APSP_BOTH static constexpr T one() { return T(0); }
  STENCILC_APSP_BOTH static constexpr bool better(T a, T b) { return a > b; }
  template <class Wide> STENCILC_APSP_BOTH static constexpr T settle(Wide sum) {
    return T(-Mirror::settle(-sum));
  }
  STENCILC_APSP_BOTH static constexpr T extend(T a, T b) { return settle(a + b); }
  STENCILC_APSP_BOTH static T admit(T weight, bool &refused) {
    if (!std::is_floating_point_v<T> && weight < zero())
      weight = zero(); // the least integer has no negative
    return T(-Mirror::admit(T(-weight), refused));
  }
};

/// Widest path: a path is as good as its worst edge.
template <class T> struct Algebra<MaxMin, T> {
  static_assert(isWeight<T>);
  using Value = T;
  using Limits = std::numeric_limits<T>;
  static constexpr T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  static constexpr T lowest = Limits::has_infinity ? T(-highest) : Limits::lowest();

  STENCILC_APSP_BOTH static constexpr T zero() { return lowest; }
  STENCILC_APSP_BOTH static constexpr T one() { return highest; }
  STENCILC_APSP_BOTH static constexpr bool better(T a, T b) { return a > b; }
  STENCILC_APSP_BOTH static constexpr T extend(T a, T b) { return a < b ? a : b; }
  template <class Wide> STENCILC_APSP_BOTH static constexpr T settle(Wide value) {
    return T(value);
  }
  STENCILC_APSP_BOTH static T admit(T weight, bool &refused) {
    refused = weight != weight;
    return refused ? zero() : weight;
  }
};

/// Reachability.
template <class T> struct Algebra<OrAnd, T> {
  static_assert(isWeight<T> && std::is_integral_v<T>, "truth values are integers");
  using Value = T;

  STENCILC_APSP_BOTH static constexpr T zero() { return T(0); }
  STENCILC_APSP_BOTH static constexpr T one() { return T(1); }
  STENCILC_APSP_BOTH static constexpr bool better(T a, T b) { return a > b; }
  STENCILC_APSP_BOTH static constexpr T extend(T a, T b) { return T(a & b); }
  template <class Wide> STENCILC_APSP_BOTH static constexpr T settle(Wide value) {
    return T(value);
  }
  STENCILC_APSP_BOTH static T admit(T weight, bool &refused) {
    refused = false;
    return weight != T(0);
  }
};

/// Whether an admitted weight keeps the promise. Not every algebra has every range: see hasRange.
template <class A> STENCILC_APSP_BOTH bool isInRange(typename A::Value weight, WeightRange range) {
  using T = typename A::Value;
  if (range == WeightRange::Any || weight == A::zero())
    return true;
  if constexpr (std::is_signed_v<T>)
    if (weight < T(0))
      return false;
  if constexpr (std::is_same_v<T, int32_t>)
    return range != WeightRange::Below22Bits || weight < (1 << 22);
  return true;
}

/// Ranges other than Any say something about sums, so they belong to min-plus.
template <class Semiring, class T> constexpr bool hasRange(WeightRange range) {
  switch (range) {
  case WeightRange::Any:
    return true;
  case WeightRange::NonNegative:
    return std::is_same_v<Semiring, MinPlus>;
  case WeightRange::Below22Bits:
    return std::is_same_v<Semiring, MinPlus> && std::is_same_v<T, int32_t>;
  }
  return false;
}

/// Whether sums may leave the finite range, and saturate.
template <class Semiring, class T>
constexpr bool saturates = std::is_integral_v<T> &&
                           (std::is_same_v<Semiring, MinPlus> || std::is_same_v<Semiring, MaxPlus>);

/// The magnitude of a finite weight or distance.
template <class A, class T = typename A::Value> STENCILC_APSP_BOTH uint32_t magnitude(T value) {
  if (value == A::zero())
    return 0;
  if constexpr (std::is_signed_v<T>)
    return uint32_t(value < 0 ? -int32_t(value) : int32_t(value));
  else
    return value;
}

/// Whether a path of n - 1 edges may reach the limit. Only then is a look at the distances due:
/// where no weight improves a path, the first vertex on one that is out of reach has a finite
/// distance plus one weight that reaches the limit.
template <class T> STENCILC_APSP_BOTH bool longPathsSaturate(int64_t n, const Report &report) {
  return (n - 1) * int64_t(report.greatestWeight) >= IntegerRange<T>::limit;
}
/// What the greatest magnitude of a distance says then.
template <class T>
STENCILC_APSP_BOTH bool mayHaveSaturated(uint32_t greatestDistance, const Report &report) {
  return report.improvingWeights ||
         int64_t(greatestDistance) + report.greatestWeight >= IntegerRange<T>::limit;
}

} // namespace stencilc::apsp
